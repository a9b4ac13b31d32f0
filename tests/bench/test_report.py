"""The report as text: complete by itself, inert, and honest in what it says."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records
from read_page import Element, page_data, read_page
from report_pages import headline_of, page_of, summary_rows, two_solvers

from bench.output.escaping import plain_text
from bench.output.report import FOLDER, make_report, write_report
from bench.output.report.data import embedded
from problems import get_task
from problems.errors import InputError

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='hacked = 2'> {{data}} & \u2028 ü 漢"


# -- one file, nothing from outside ------------------------------------------------------------------------------------


def test_page_is_self_contained_and_its_policy_admits_only_its_own_script() -> None:
    page = page_of(two_solvers())
    elements = page.all()
    for element in elements:
        assert element.tag not in {"link", "img", "iframe", "object", "embed", "base"}
        assert "src" not in element.attributes
        assert element.attributes.get("href", "#").startswith(("#", "data:text/csv;"))
        assert ("download" in element.attributes) == element.attributes.get("href", "").startswith("data:")
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]
    style, scripts = page.one("style").text, page.all("script")
    assert [script.attributes.get("type", "") for script in scripts] == ["application/json", ""]
    for text in (style, scripts[1].text):
        assert not re.search(r"@import|url\(|\bimport\b\s*[({\"']|fetch\(|XMLHttpRequest|WebSocket", text)
    addresses = re.findall(r"https?://[^\"'\s]+", style + scripts[1].text)
    assert addresses == ["http://www.w3.org/2000/svg"]  # the name of SVG, which nobody fetches
    policy = page.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, scripts[1].text)]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; base-uri 'none'"
    )


def test_scripts_and_style_are_installed_with_the_package() -> None:
    patterns = tomllib.loads((FOLDER.parents[2] / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    found = {path.name for pattern in patterns["bench"] for path in FOLDER.parents[1].glob(pattern)}
    assert {"page.html", "report.css", "chart.js", "plots.js", "report.js"} <= found


def test_ids_are_unique_and_labels_have_targets() -> None:
    page = page_of(two_solvers())
    ids = [element.attributes["id"] for element in page.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for element in page.all():
        for name in element.attributes.get("aria-labelledby", "").split():
            assert name in ids
    for field in page.one("form", id="filters").all("input"):
        assert field.attributes["name"] in {"label", "status"}
    for table in page.all("table"):
        assert all(head.attributes.get("scope") in {"col", "row"} for head in table.all("th"))


def test_texts_from_records_cannot_become_elements() -> None:
    rows = two_solvers()
    rows[0] |= {"status": "error", "message": HOSTILE, "objective": None, "structure": None, "audit": ""}
    rows[1] |= {"audit": HOSTILE}
    rows += [{"solver": HOSTILE, "instance": HOSTILE, "task": "extraction", "size": HOSTILE, "node": HOSTILE}]
    provenance = {
        "code": {"commit": HOSTILE},
        "machine": {HOSTILE: HOSTILE},
        "sessions": [{"command": [HOSTILE], "started": HOSTILE}],
    }
    plain = page_of(two_solvers())
    page = page_of(rows, provenance=provenance, experiment={"title": HOSTILE}, title=None)
    assert {element.tag for element in page.all()} <= {e.tag for e in plain.all()} | {
        "div",
        "section",
        "select",
        "option",
        "code",
    }
    assert len(page.all("script")) == 2
    shown = plain_text(HOSTILE)
    assert page.one("title").text == shown
    assert shown in page.one("section", id="failures").text
    data = page_data(page)
    assert shown in data["messages"]
    assert shown in data["labels"]


def test_control_characters_of_records_are_written_out() -> None:
    """A null byte, an escape sequence and a change of the writing direction, in every text that somebody may have edited."""
    odd = "a\x00b\x1b[31mc\u202ed\x9be"
    rows = two_solvers()
    rows[0] |= {"status": "error", "message": odd, "objective": None, "structure": None, "audit": odd}
    rows += [{"solver": odd, "label": odd, "instance": odd, "task": odd, "size": odd, "node": odd}]
    provenance = {"code": {"commit": odd}, "machine": {odd: odd}, "sessions": [{"command": [odd], "started": odd}]}
    records = made_records(rows, provenance=provenance, experiment={"title": odd})
    text, _ = make_report(records)
    assert not set(odd) & set("\x00\x1b\u202e\x9b") & set(text)
    shown = r"a\x00b\x1b[31mc\u202ed\x9be"
    page = read_page(text)
    assert page.one("title").text == page.one("h1").text == shown
    assert shown in page_data(page)["labels"]


@given(st.text() | st.sampled_from(["<!--", "</SCRIPT", "]]>", "\u2028", "\\u003c"]))
def test_embedded_json_has_no_markup_and_comes_back(text: str) -> None:
    import json

    encoded = embedded({"text": text})
    assert not set(encoded) & set("<>&\u2028\u2029")
    assert json.loads(encoded) == {"text": text}


# -- what it says ------------------------------------------------------------------------------------------------------


def test_headline_names_the_fastest_and_the_margin() -> None:
    lead, margin = headline_of(page_of(two_solvers()))
    assert lead.startswith("Of the 2 solvers that prove optimality on all 3 instances, fast is the fastest")
    assert margin.startswith("The next, slow, takes 3.00 times as long (median of 3 paired ratios, 95 % interval ")


def test_headline_prefers_a_solver_that_solves_everything_and_tells_of_failures() -> None:
    rows = two_solvers()
    rows[0] |= {
        "status": "timeout",
        "cpu_seconds": None,
        "objective": None,
        "bound": None,
        "structure": None,
        "audit": "",
    }
    rows[1] |= {"status": "feasible", "objective": 4.0, "bound": 9.0}
    assert headline_of(page_of(rows))[1] == (
        "The next is fast, which does so on 2 instances fewer: no ratio of their times is among equals."
    )
    del rows[1]["status"], rows[1]["bound"]  # what is left is a limit, which is a time
    rows[1]["objective"] = 5.0
    sentences = headline_of(page_of(rows))
    assert sentences[0].startswith("The only solver to prove optimality on all 3 instances is slow")
    assert sentences[1].startswith(
        "The next, fast, which does so on 1 instance fewer, does not clearly differ: 0.333 times"
    )
    assert "(median of 3 paired ratios, 1 of them with a time limit, 95 % interval" in sentences[1]
    assert sentences[2] == "No valid answer: fast on 1 of 3 (1 timeout)."


def test_headline_ranks_number_of_proofs_before_time() -> None:
    rows = two_solvers()
    rows[0] |= {"status": "feasible", "objective": 4.0, "bound": 9.0}  # fast is faster everywhere, with a proof less
    sentences = headline_of(page_of(rows))
    assert sentences[0].startswith("The only solver to prove optimality on all 3 instances is slow")
    assert sentences[1].startswith("The next is fast, which does so on 1 instance fewer:")


def test_headline_says_when_the_next_does_not_clearly_differ() -> None:
    rows = two_solvers()
    for row, value in zip(rows[3:], (0.5, 2.5, 6.0), strict=True):  # half, 1.25 and 1.5 times the time of fast
        row["cpu_seconds"] = value
    # shifted geometric means: 1.96 s and 2.01 s; ratios fast / slow: 2, 0.8 and 0.667
    lead, margin = headline_of(page_of(rows))
    assert "slow is the fastest (shifted geometric mean 1.96 s)" in lead
    assert margin.startswith(
        "The next, fast, does not clearly differ: 0.800 times its time (median of 3 paired ratios, "
    )
    assert margin.endswith("95 % interval 0.667 to 2.00).")


def test_headline_keeps_fast_answers_apart_from_proofs() -> None:
    rows = two_solvers()
    for row in rows[:3]:
        row |= {"status": "feasible", "objective": 4.98, "bound": 9.0, "structure": [1]}
    first, second, third = headline_of(page_of(rows))
    assert first.startswith("The only solver to prove optimality on all 3 instances is slow")
    assert second.startswith(
        "Of the 2 solvers that come within 1 % of the best known objective on all 3 instances, fast is the fastest"
    )
    assert third.startswith("The next, slow, takes 3.00 times as long")
    for row in rows[:3]:
        row["objective"] = 4.0  # rubbish, however fast
    assert headline_of(page_of(rows)) == [first]


def test_headline_tells_each_size_by_itself() -> None:
    """`fast` is the fastest on small instances, `slow` on large ones; pooled, there would be one answer."""
    rows = two_solvers(size="small")
    rows += [{**row, "instance": "z" + row["instance"], "size": "large"} for row in two_solvers()]
    for row in rows[6:9]:
        row["cpu_seconds"] *= 100
    page = page_of(rows)
    section = page.one("section", aria_labelledby="headline-heading")
    assert [head.text for head in section.all("h3")] == ["size small", "size large"]
    sentences = headline_of(page)
    assert len(sentences) == 4
    assert "fast is the fastest" in sentences[0]
    assert "slow is the fastest" in sentences[2]
    assert "fast, takes 33.3 times as long" in sentences[3]


def test_a_solver_that_the_audit_refuted_does_not_lead() -> None:
    rows = two_solvers()
    for row in rows[:3]:
        row |= {"objective": 4.0, "bound": 4.0, "structure": [1]}  # "optimal", but slow has a feasible 5
    page = page_of(rows)
    alert = page.one("section", role="alert")
    assert alert.attributes["class"] == "findings"
    assert "fast" in alert.text
    assert headline_of(page)[0].startswith("The only solver to prove optimality on all 3 instances is slow")
    assert page.all("p", kind="clean")[0].text == "Every cell ended with an answer."  # but not that the audit was clean


def test_findings_are_returned_for_the_exit_code(tmp_path: Path) -> None:
    rows = two_solvers()
    rows[0] |= {"objective": 4.0, "bound": 4.0}
    findings = write_report(made_records(rows), tmp_path / "report.html")
    assert [finding.severity for finding in findings] == ["error"]
    assert write_report(made_records(two_solvers()), tmp_path / "report.html") == []
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_failures_are_grouped_by_solver_status_and_message() -> None:
    rows = two_solvers()
    failure = {"cpu_seconds": None, "objective": None, "bound": None, "structure": None, "audit": ""}
    for row in rows[:2]:
        row |= failure | {"status": "crash", "message": "signal 6"}
    rows[2] |= failure | {"status": "error", "message": "ValueError: no"}
    body = page_of(rows).one("section", id="failures").one("tbody")
    cells = [[cell.text for cell in row.children if isinstance(cell, Element)] for row in body.all("tr")]
    assert cells == [
        ["fast", "extraction", "crash", "2", "i0 and i1", "signal 6"],
        ["fast", "extraction", "error", "1", "i2", "ValueError: no"],
    ]


def test_several_machines_and_noise_are_said() -> None:
    rows = two_solvers()
    rows[0] |= {"node": "other"}
    warnings = [p.text for p in page_of(rows).all("p", kind="warning")]
    assert any(
        "These cells ran on 2 machines (box and other); their times are not comparable." in text for text in warnings
    )
    assert any(text.startswith("Noise: unknown. Every cell ran once;") for text in warnings)


def test_provenance_shows_commit_versions_command_and_load() -> None:
    provenance = {
        "code": {"commit": "abc123", "dirty": True},
        "machine": {"processor": "Z80"},
        "solvers": {"ilp-scip": "unavailable: no library"},
        "libraries": {"numpy": "9.9"},
        "sessions": [{"command": ["dualbench", "run", "x"], "started": "T", "ended": None, "load_start": [0.5, 1, 2]}],
    }
    text = page_of(two_solvers(), provenance=provenance).one("section", id="provenance").text
    for part in (
        "abc123 with uncommitted changes",
        "Z80",
        "unavailable: no library",
        "9.9",
        "dualbench run x",
        "0.50, 1.00, 2.00",
        "not ended",
    ):
        assert part in text
    assert "no provenance.json" in page_of(two_solvers()).one("section", id="provenance").text


def test_runs_without_any_success_and_without_any_cell() -> None:
    failure = {"cpu_seconds": None, "objective": None, "bound": None, "structure": None, "audit": "", "status": "crash"}
    page = page_of([row | failure for row in two_solvers()])
    assert headline_of(page) == [
        "No solver proved an optimum on any of the 3 instances.",
        "No valid answer: fast on 3 of 3 (3 crash) and slow on 3 of 3 (3 crash).",
    ]
    assert set(summary_rows(page)) == {"fast", "slow"}
    assert "This run has no cells." in page_of([]).text
    only_traced = page_of([row | {"traced": True} for row in two_solvers()])
    assert headline_of(only_traced) == ["There is no untraced cell, so that there are no times to compare."]


# -- example outputs ---------------------------------------------------------------------------------------------------


def test_examples_strike_out_removed_words_and_join_equal_answers() -> None:
    from solvers import get_solver

    task = get_task("summarization")
    instance = task.generate(1, "tiny")
    solution = get_solver("ilp-highs").solve(instance)
    shared = {"task": "summarization", "instance_digest": "d", "instance": "one", "objective": solution.objective}
    shared |= {"structure": solution.structure, "bound": solution.objective, "cpu_seconds": 1.0}
    rows = [{**shared, "solver": "a"}, {**shared, "solver": "b"}]
    rows += [{**shared, "solver": "c", "structure": [[99, [1]]], "status": "feasible"}]
    page = page_of(rows, instances={"d": instance})
    section = page.one("section", id="examples")
    headings = [heading.text for heading in section.all("h4")]
    assert headings == ["a and b", "c"]
    output = section.all("div", kind="output")[0]
    lines = task.marked(instance, solution.structure)
    struck = [word for part in output.all("del") for word in part.text.split()]
    assert struck
    assert struck == [piece for line in lines for word, kept in line if not kept for piece in word.split()]
    assert "This structure cannot be shown" in section.text
    (alert,) = page.all("section", role="alert")  # the audit scored it again
    assert "one: c:" in alert.text


def test_trees_keep_their_indentation() -> None:
    """A parse is drawn by indentation; the page must not collapse it."""
    from solvers import get_solver

    task = get_task("parsing")
    instance = task.generate(1, "tiny")
    solution = get_solver("dp-eisner").solve(instance)
    lines = task.render(instance, solution.structure)
    assert any(line.startswith("    ") for line in lines)
    assert [" ".join(word for word, _ in line) for line in task.marked(instance, solution.structure)] == lines
    row = {"task": "parsing", "instance_digest": "d", "instance": "one", "objective": solution.objective}
    rows = [
        {
            **row,
            "structure": solution.structure,
            "status": "feasible",
            "solver": "a",
            "cpu_seconds": 1.0,
            "metrics": {"UAS": 0.85},
        }
    ]
    made, _ = make_report(made_records(rows), {"d": instance})
    assert "UAS 85.0 %" in made
    tree = made.split('<div class="tree">')[1].split("</div>")[0]
    assert [html.unescape(line) for line in re.findall(r"<p>(.*?)</p>", tree)] == lines
    assert re.search(r"\.output p \{[^}]*white-space: pre-wrap", made)


def test_examples_need_instances() -> None:
    text = page_of(two_solvers()).one("section", id="examples").text
    assert "cannot be had again" in text


# -- files and sizes ---------------------------------------------------------------------------------------------------


def test_an_unwritable_path_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"report\.html: cannot be written"):
        write_report(made_records(two_solvers()), tmp_path / "missing" / "report.html")


def test_two_thousand_cells_stay_below_three_megabytes() -> None:
    rows, traces = [], []
    for place in range(100):
        for solver in range(5):
            for repetition in range(4):
                row = {"solver": f"solver{solver}", "instance": f"i{place}", "instance_size": 100 + place}
                row |= {"repetition": repetition, "traced": repetition == 3, "objective": 1000 / 3, "bound": 1000 / 3}
                row |= {"structure": list(range(500)), "cpu_seconds": 1 / 3 + place, "wall_seconds": 1 / 3 + place}
                if repetition == 3:
                    points = [
                        {"seconds": s / 7, "objective": 333 - 100 / s, "bound": 334 + 100 / s, "iteration": s}
                        for s in range(1, 90)
                    ]
                    traces.append({"key": f"cell{len(rows)}", "points": points})
                rows.append(row)
    page = make_report(made_records(rows, traces))[0]
    assert len(rows) == 2000
    assert len(page.encode()) < 3e6
    assert len(page_data(read_page(page))["cells"]) == 2000


def test_the_same_records_give_the_same_page() -> None:
    assert make_report(made_records(two_solvers()))[0] == make_report(made_records(two_solvers()))[0]
