"""The report as text: complete by itself, inert, and with the numbers of the records."""

from __future__ import annotations

import base64
import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records
from read_page import Element, page_data, read_page

from bench.report import FOLDER, make_report, write_report
from bench.report.data import embedded, short
from bench.report.numbers import counted, listed, number, seconds
from bench.statistics import summary
from problems import get_task
from problems.errors import InputError

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='hacked = 2'> {{data}} & \u2028 ü 漢"


def two_solvers(**more: Any) -> list[dict[str, Any]]:
    """`fast` takes 1, 2 and 4 s, `slow` 3, 8 and 12 s, on instances of 10, 20 and 40 variables."""
    times = {"fast": (1.0, 2.0, 4.0), "slow": (3.0, 8.0, 12.0)}
    return [
        {"solver": solver, "instance": f"i{place}", "instance_size": 10 * 2**place, "objective": 5.0, "bound": 5.0}
        | {"cpu_seconds": value, "wall_seconds": value, "structure": [0], "node": "box"}
        | more
        for solver, values in times.items()
        for place, value in enumerate(values)
    ]


def page_of(rows: list[dict[str, Any]], traces: Any = (), **options: Any) -> Element:
    given_to_records = {name: options.pop(name) for name in ("experiment", "provenance") if name in options}
    return read_page(make_report(made_records(rows, traces, **given_to_records), **options)[0])


def headline_of(page: Element) -> list[str]:
    return [item.text for item in page.one("section", aria_labelledby="headline-heading").all("li")]


def summary_rows(page: Element) -> dict[str, list[str]]:
    """The numbers behind the rows of all sizes, by solver; an empty text is no number."""
    rows = page.one("section", id="summary").one("tbody").all("tr", data_of_size="")
    return {
        row.one("th").text: [cell.attributes["data-v"] for cell in row.all("td") if "data-v" in cell.attributes]
        for row in rows
    }


# -- one file, nothing from outside ------------------------------------------------------------------------------------


def test_page_is_self_contained_and_its_policy_admits_only_its_own_script() -> None:
    page = page_of(two_solvers())
    elements = page.all()
    for element in elements:
        assert element.tag not in {"link", "img", "iframe", "object", "embed", "base"}
        assert "src" not in element.attributes
        assert element.attributes.get("href", "#").startswith("#")
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
    patterns = tomllib.loads((FOLDER.parents[1] / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    found = {path.name for pattern in patterns["bench"] for path in FOLDER.parent.glob(pattern)}
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
    assert page.one("title").text == HOSTILE
    assert HOSTILE in page.one("section", id="failures").text
    data = page_data(page)
    assert HOSTILE in data["messages"]
    assert HOSTILE in data["labels"]


@given(st.text() | st.sampled_from(["<!--", "</SCRIPT", "]]>", "\u2028", "\\u003c"]))
def test_embedded_json_has_no_markup_and_comes_back(text: str) -> None:
    import json

    encoded = embedded({"text": text})
    assert not set(encoded) & set("<>&\u2028\u2029")
    assert json.loads(encoded) == {"text": text}


# -- the numbers -------------------------------------------------------------------------------------------------------


def test_embedded_cells_are_the_records() -> None:
    rows = two_solvers()
    rows[2] |= {"status": "timeout", "cpu_seconds": None, "objective": None, "bound": None, "message": "too late"}
    rows[3] |= {"objective": 0.1 + 0.2, "gap": 1e-7, "iterations": 17, "peak_memory_mb": 123.456, "traced": True}
    records = made_records(rows)
    data = page_data(read_page(make_report(records)[0]))
    cells = [dict(zip(data["cellColumns"], cell, strict=True)) for cell in data["cells"]]
    assert len(cells) == len(records)
    for cell, record in zip(cells, records.to_dict("records"), strict=True):
        for name, names in (("label", "labels"), ("instance", "instances"), ("task", "tasks"), ("status", "statuses")):
            assert data[names][cell[name]] == record[name]
        assert data["messages"][cell["message"]] == record["message"]
        for name in ("objective", "bound", "gap", "cpu_seconds", "wall_seconds", "peak_memory_mb"):
            expected = None if np.isnan(record[name]) else pytest.approx(record[name], rel=1e-4)
            assert cell[name] == expected
        assert (cell["iterations"], bool(cell["traced"])) == (record["iterations"], record["traced"])
    assert cells[3]["objective"] == pytest.approx(0.3, rel=1e-12)


def test_points_are_medians_over_untraced_repetitions_and_failed_ones_lie_at_the_limit() -> None:
    base = {"solver": "s", "instance_size": 7, "objective": 1.0}
    rows = [{**base, "repetition": rep, "cpu_seconds": value} for rep, value in enumerate((3.0, 1.0, 2.5))]
    rows += [{**base, "repetition": 3, "cpu_seconds": 99.0, "traced": True}]
    rows += [{**base, "instance": "b", "repetition": 0, "cpu_seconds": 1.0}]
    rows += [{**base, "instance": "b", "repetition": 1, "status": "timeout", "cpu_seconds": None, "audit": ""}]
    data = page_data(page_of(rows))
    first, second = data["points"]
    assert first == [0, 0, 0, data["instances"].index("a"), 7, 2.5, data["statuses"].index("optimal"), 60, 0]
    assert second == [0, 0, 0, data["instances"].index("b"), 7, None, data["statuses"].index("timeout"), 60, 1]


def test_profile_and_fit_have_hand_computed_values() -> None:
    rows = two_solvers()
    rows[4] |= {"status": "feasible", "objective": 4.0, "bound": 6.0}  # slow on i1: an answer, but no proof
    data = page_data(page_of(rows))
    fast, slow = data["profiles"]["0"]["optimal"]
    assert fast == [0, [1], [1]]
    assert slow[0] == 1
    assert slow[1] == [1, 3]
    assert slow[2] == [0, pytest.approx(2 / 3, rel=1e-4)]
    answered = data["profiles"]["0"]["answered"][1]
    assert answered[1] == [1, 3, 4]
    assert answered[2] == [0, pytest.approx(2 / 3, rel=1e-4), 1]
    label, exponent, low, high, *ends = data["fits"]["0"][0]  # fast: seconds = size / 10
    assert (label, exponent) == (0, pytest.approx(1.0))
    assert low == pytest.approx(1.0, abs=1e-3)
    assert high == pytest.approx(1.0, abs=1e-3)
    assert ends == pytest.approx([10, 1, 40, 4], rel=1e-4)


def test_quality_is_share_of_best_known_and_counts_unanswered_instances() -> None:
    rows = two_solvers(metrics={"ROUGE-2": 0.25})
    rows[3] |= {"objective": 4.0, "status": "feasible"}
    rows[5] |= {"status": "crash", "objective": None, "cpu_seconds": None, "audit": "", "metrics": {}}
    quality = page_data(page_of(rows))["quality"]["0"]
    assert quality["measures"] == ["objective, % of the best known", "ROUGE-2"]
    fast, slow = quality["rows"]
    assert (fast[0], fast[3]) == (0, 0)
    assert fast[1] == pytest.approx(((1.01 * 2.01 * 4.01) ** (1 / 3)) - 0.01, rel=1e-4)
    assert fast[2] == [100, 0.25]
    assert slow[2] == [pytest.approx((80 + 100) / 2), 0.25]
    assert slow[3] == 1


def test_summary_table_holds_the_numbers_of_the_statistics() -> None:
    records = made_records(two_solvers(metrics={"words": 12.5}, peak_memory_mb=50.0, gap=0.0))
    page = read_page(make_report(records)[0])
    table = summary(records)
    heads = [head.text for head in page.one("section", id="summary").one("thead").all("th")]
    fields = {"Instances": "cells", "Optimal": "optimal", "Median (s)": "median", "Mean (s)": "mean", "SGM (s)": "sgm"}
    fields |= {"PAR10 (s)": "par10", "Wins": "wins", "Times fastest other": "ratio_best", "Memory (MB)": "memory"}
    fields |= {"Objective (%)": "share", "words": "metrics.words"}
    for label, cells in summary_rows(page).items():
        shown = dict(zip(heads[1:], cells, strict=True))
        for head, name in fields.items():
            assert float(shown[head]) == table.loc[label, name], (label, head)
    assert summary_rows(page)["fast"][heads.index("Median (s)") - 1] == "2.0"


def test_each_size_has_rows_of_its_own_that_begin_hidden() -> None:
    rows = two_solvers(size="small") + [{**row, "instance": "z" + row["instance"]} for row in two_solvers(size="large")]
    page = page_of(rows)
    body = page.one("section", id="summary").one("tbody")
    sizes = [(row.attributes["data-of-size"], "hidden" in row.attributes) for row in body.all("tr")]
    assert sizes == [("", False)] * 2 + [("0", True)] * 2 + [("1", True)] * 2
    assert set(page_data(page)["profiles"]) == {"0", "0|0", "0|1"}


def test_convergence_is_relative_to_the_best_value_of_all_solvers() -> None:
    rows = [
        {"solver": "a", "traced": True, "objective": 8.0, "status": "feasible", "bound": 12.0},
        {"solver": "b", "objective": 10.0, "bound": 10.0},
    ]
    points = [
        {"seconds": 0.1, "objective": 5.0, "bound": 20.0, "iteration": 1},
        {"seconds": 1.0, "objective": 8.0, "bound": 12.0, "iteration": 10},
    ]
    data = page_data(page_of(rows, [{"key": "cell0", "points": points}]))
    (curve,) = data["convergence"]["0"]["seconds"]
    assert curve["label"] == data["labels"].index("a")
    assert curve["primal"][0] == [0.1, 0.5, 0.5, 0.5]
    assert curve["primal"][-1] == [1.0, 0.2, 0.2, 0.2]
    assert curve["dual"][0] == [0.1, 0.5, 0.5, 0.5]  # (20 - 10) / 20
    assert curve["dual"][-1][1:] == pytest.approx([2 / 12] * 3, abs=1e-3)
    (single,) = data["single"][0]
    assert single["curves"]["iterations"][0]["primal"] == [[1.0, 0.5], [10.0, 0.2]]


# -- what it says ------------------------------------------------------------------------------------------------------


def test_headline_names_the_fastest_and_the_margin() -> None:
    lead, margin, *rest = headline_of(page_of(two_solvers()))
    assert lead.startswith("Of the 2 solvers that prove optimality on all 3 instances, fast is the fastest")
    assert margin.startswith("The next, slow, takes 3.00 times as long (median of 3 paired ratios, 95 % interval ")
    assert rest == ["Every solver gave a valid answer wherever it ran."]


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
    sentences = " ".join(headline_of(page_of(rows)))
    assert sentences.startswith("The only solver to prove optimality on all 3 instances is slow")
    assert "fast, which solved 2 instances fewer," in sentences
    assert "No valid answer: fast on 1 of 3 (1 timeout)." in sentences


def test_headline_keeps_fast_answers_apart_from_proofs() -> None:
    rows = two_solvers()
    for row in rows[:3]:
        row |= {"status": "feasible", "objective": 4.0, "bound": 9.0}
    sentences = headline_of(page_of(rows))
    assert sentences[0].startswith("The only solver to prove optimality on all 3 instances is slow")
    assert sentences[1].startswith("Of the 2 solvers that give a valid answer on all 3 instances, fast is the fastest")
    assert "The answers of fast reach 80.00 % of the best known objective on average (3 instances)." in sentences


def test_a_solver_that_the_audit_refuted_does_not_lead() -> None:
    rows = two_solvers()
    for row in rows[:3]:
        row |= {"objective": 4.0, "bound": 4.0}  # "optimal", but slow has a feasible 5
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
        "These cells ran on 2 machines (other and box); their times are not comparable." in text for text in warnings
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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234.5, "1,234"),
        (0.012345, "0.0123"),
        (3.0, "3.00"),
        (3, "3"),
        (12345, "12,345"),
        (1e-7, "1.00e-7"),
        (None, "\N{EN DASH}"),
    ],
)
def test_numbers_have_three_significant_digits(value: float | None, text: str) -> None:
    assert number(value) == text


def test_units_counts_and_lists() -> None:
    assert [seconds(0.0123), seconds(2.5), seconds(None)] == ["12.3 ms", "2.50 s", "\N{EN DASH}"]
    assert [counted(1, "cell"), counted(2000, "cell")] == ["1 cell", "2,000 cells"]
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c"], most=2) == "a, b and 1 more"


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_short_numbers_are_close_or_missing(value: float) -> None:
    found = short(value)
    assert found is None if not np.isfinite(value) else found == pytest.approx(value, rel=1e-4)
