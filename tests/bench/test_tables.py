"""Tables: the four formats, and what a table of a run says about hand-made records."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records
from rich.console import Console

from bench.analysis.groups import in_order
from bench.analysis.statistics.ratios import TIE
from bench.analysis.statistics.values import SHIFT
from bench.cli.machine import LISTS
from bench.experiments.presentation import check_layout
from bench.output.escaping import short_names
from bench.output.report import make_report
from bench.output.run_tables import run_table
from bench.output.table_columns import COLUMNS, digits, percent
from bench.output.tables import Table, latex_text, print_whole, shared_width
from bench.records.frame import Records
from problems.errors import InputError

SPECIAL = "_%&#$~^\\{}<>|`"
NASTY = Table(
    "100 % of a_b & c",
    ["solver", "opt.", "x#"],
    [["[red]a_1[/red]", "1 & 2", "$3"], [], ["*b", "{x}~^", "50 %"], ["--jobs a\\b", "", "<1>"]],
    ["Note with 5 % & more_less.", "A second one."],
)
UNDONE = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textasciigrave{}": "`",
    "{}": "",
    **{f"\\{character}": character for character in "_%&#${}"},
}


def unescaped(latex: str) -> str:
    return re.sub("|".join(re.escape(key) for key in UNDONE), lambda found: UNDONE[found.group()], latex)


def shown(table: Table, width: int = 80) -> str:
    text = io.StringIO()
    table.show(Console(file=text, width=width, color_system=None))
    return text.getvalue()


@given(st.text(st.sampled_from(SPECIAL + "ab -["), max_size=30))
def test_latex_text_can_be_undone_and_has_no_commands(text: str) -> None:
    escaped = latex_text(text)
    assert unescaped(escaped) == text
    bare = re.sub(r"\\text[a-z]+\{\}|\\[_%&#${}]|\{\}", "", escaped)
    assert not set(bare) & set(SPECIAL)
    assert "--" not in escaped


def test_latex_has_booktabs_rules_groups_and_notes() -> None:
    lines = NASTY.latex().splitlines()
    start, end = lines.index(r"\begin{tabular}{lrr}"), lines.index(r"\end{tabular}")
    body = lines[start + 1 : end]
    assert [line for line in body if line.startswith(r"\t") or line.endswith("rule")] == [
        r"\toprule",
        r"\midrule",
        r"\midrule",
        r"\bottomrule",
    ]
    rows = [line for line in body if line.endswith(r" \\")]
    assert len(rows) == 4
    for row, cells in zip(rows, [NASTY.headings, *(row for row in NASTY.rows if row)], strict=True):
        parts = re.split(r"(?<!\\)&", row.removesuffix(r" \\"))
        assert [unescaped(part).strip() for part in parts] == cells
        assert not row.startswith(("[", "*"))  # the line before would take it as its argument
    assert lines[4] == r"\caption{100 \% of a\_b \& c}\label{tab:100-of-a-b-c}"
    assert lines.index(r"\noindent Note with 5 \% \& more\_less.\par") > end


def test_latex_is_balanced() -> None:
    body = NASTY.latex()
    plain = re.sub(r"\\[{}]", "", body)
    assert plain.count("{") == plain.count("}")
    assert re.findall(r"\\begin\{(\w+)\}", body) == ["table", "tabular", "minipage"]
    assert re.findall(r"\\end\{(\w+)\}", body) == ["tabular", "minipage", "table"]


def test_terminal_shows_brackets_as_they_are() -> None:
    text = shown(NASTY)
    assert "[red]a_1[/red]" in text
    assert "Note with 5 % & more_less." in text


def test_markdown_and_csv() -> None:
    table = Table("T", ["size", "a", "b"], [["x", "p|q", "1"], [], ["y", "r\ns", "2"]], ["n"], left=2)
    assert table.markdown() == (
        "# T\n\n| size | a | b |\n| --- | --- | ---: |\n| x | p\\|q | 1 |\n| y | r s | 2 |\n\n- n\n"
    )
    assert list(csv.reader(io.StringIO(table.csv()))) == [["size", "a", "b"], ["x", "p|q", "1"], ["y", "r s", "2"]]


@pytest.mark.parametrize("form", ["markdown", "csv", "latex"])
def test_print_does_not_wrap(form: str) -> None:
    long = Table("T", ["solver", "note"], [["a", "word " * 60]], [])
    text = io.StringIO()
    long.print(form, Console(file=text, width=40))
    assert text.getvalue() == getattr(long, form)()


def test_print_refuses_unknown_formats() -> None:
    text = io.StringIO()
    NASTY.print("terminal", Console(file=text, width=80, color_system=None))
    assert text.getvalue() == shown(NASTY)
    with pytest.raises(InputError, match="unknown format 'latx' of a table: did you mean 'latex'"):
        NASTY.print("latx", Console(file=text))


def test_write_makes_the_formats_that_are_asked_for(tmp_path: Path) -> None:
    assert [path.name for path in NASTY.write(tmp_path)] == ["table.md", "table.csv", "table.tex"]
    assert (tmp_path / "table.tex").read_text() == NASTY.latex()
    assert NASTY.write(tmp_path, ["csv"], stem="other") == [tmp_path / "other.csv"]
    assert not (tmp_path / "other.md").exists()
    with pytest.raises(InputError, match=r"unknown format 'latex' of a table: .*tex"):
        NASTY.write(tmp_path, ["latex"])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1.00"),
        (12.34, "12.3"),
        (123.4, "123"),
        (12345.6, "12346"),
        (0.001234, "0.00123"),
        (1e-9, "<0.000001"),
        (9.999, "10.0"),
        (99.96, "100"),
        (-2.5, "-2.50"),
        (float("nan"), ""),
    ],
)
def test_digits(value: float, text: str) -> None:
    assert digits(value) == text


def test_percent_does_not_round_up_to_a_hundred() -> None:
    assert percent(100.0) == "100.00"
    assert percent(99.9999) == ">99.99"
    assert percent(99.99) == "99.99"
    assert percent(float("nan")) == ""


def test_explanations_state_the_constants_of_the_statistics() -> None:
    assert f"shift {SHIFT:g} s" in COLUMNS["sgm"].said
    assert f"ties ({TIE:.0%}) share".replace("%", " %") in COLUMNS["wins"].said


# Three solvers on four instances: `fast` always solves, `slow` takes twice as long and times out on d, `dead` never works.
def race(sizes: tuple[str, str] = ("", "")) -> Records:
    rows = []
    for place, instance in enumerate("abcd"):
        one = 0.1 * (place + 1)
        facts = {"instance": instance, "size": sizes[place // 2], "length": 8 * (place + 1)}
        rows.append({**facts, "label": "fast", "status": "feasible", "cpu_seconds": one, "objective": 9.0, "gap": 0.1})
        rows.append({**facts, "label": "slow", "cpu_seconds": 2 * one, "objective": 10.0, "gap": 0.0})
        rows.append({**facts, "label": "dead", "status": "crash", "message": "signal 11", "objective": None})
    rows[-2] |= {"status": "timeout", "objective": None, "gap": None, "cpu_seconds": 60.0, "message": "limit 60 s"}
    for row in rows:
        row["metrics"] = {} if row["objective"] is None else {"ROUGE-2": row["objective"] / 40}
        row["wall_seconds"] = None if row.get("cpu_seconds") is None else row["cpu_seconds"] * 3
        row["peak_memory_mb"] = 50.0
    return made_records(rows, experiment={"title": "A race", "name": "race"})


def cells(table: Table) -> dict[str, dict[str, str]]:
    """By solver and heading; the headings of times without their unit."""
    names = [re.sub(" m?s$", "", heading) for heading in table.headings]
    return {row[0]: dict(zip(names, row, strict=True)) for row in table.rows if row}


def test_the_cost_of_a_million_instances_is_told_from_the_mean() -> None:
    found = cells(run_table(race(), {"columns": ["mean", "million"]}))
    assert found["fast"]["h/million"] == f"{0.25e6 / 3600:.1f}"  # 250 ms, a million times
    assert found["dead*"]["h/million"] == ""


def test_numbers_by_hand() -> None:
    layout = {
        "columns": [
            "cells",
            "optimal",
            "feasible",
            "failed",
            "mean",
            "median",
            "sgm",
            "par10",
            "wins",
            "xbaseline",
            "xbest",
            "objective",
            "gap",
            "memory",
            "ROUGE-2",
        ],
        "baseline": "slow",
        "target": "any",
    }
    table = run_table(race(), layout)
    found = cells(table)
    assert list(found) == ["fast", "slow*", "dead*"]
    fast = found["fast"]
    assert fast["cells"] == "4"
    assert (fast["opt."], fast["feas."], fast["failed"]) == ("0/4", "4", "")
    assert fast["mean"] == "0.250"  # seconds: the mean of `slow` is long
    assert {"mean s", "median s", "sgm s", "PAR10 s"} < set(table.headings)
    assert fast["median"].startswith("0.250 [")
    product = 0.11 * 0.21 * 0.31 * 0.41
    assert fast["sgm"] == f"{product**0.25 - 0.01:.3f}"
    assert fast["wins"] == "4 @any"
    assert fast["xbase"] == "2.00 [2.00, 150] @any"  # ratios 2, 2, 2 and 60 / 0.4
    assert fast["obj. %"] == f"{(90 + 90 + 90 + 100) / 4:.2f}"  # d: its own is the best known
    assert fast["gap %"] == "10.0"
    assert fast["ROUGE-2 %"] == "22.50"
    slow = found["slow*"]
    assert (slow["opt."], slow["failed"], slow["wins"], slow["xbase"]) == ("3/4", "1 timeout", "0 @any", "")
    assert slow["mean"] == f"{(0.2 + 0.4 + 0.6 + 60) / 4:.1f}"
    assert slow["PAR10"] == f"{(0.2 + 0.4 + 0.6 + 600) / 4:.0f} @any"
    assert slow["xbest"].startswith("0.500 [0.0")
    dead = found["dead*"]
    assert (dead["opt."], dead["failed"], dead["mean"], dead["ROUGE-2 %"]) == ("0/4", "4 crash", "", "")
    assert dead["PAR10"] == "600 @any"
    assert dead["xbest"] == "-"
    assert table.title == "A race"


def test_ratios_and_wins_are_among_equals() -> None:
    """`fast` is 10 % below the best known objective on three instances, and `slow` is stopped on the fourth."""
    columns = {"columns": ["wins", "par10", "xbaseline", "xbest"], "baseline": ["slow", "[fs]*"]}
    table = run_table(race(), columns)
    assert table.headings == ["solver", "wins", "PAR10 s", "x slow", "x [fs]*", "xbest"]
    found = cells(table)
    assert [*found["fast"].values()][1:] == ["0", "600", "-", "-", "-"]
    assert [*found["slow*"].values()][1:] == ["3", "150", "", "-", "-"]
    text = "\n".join(table.notes)
    assert "x [fs]*: times faster than the fastest of [fs]* on each instance" in text
    assert "The target is a proof of optimality. Ratios" in text
    wide = run_table(race(), {**columns, "target": 0.1})
    assert cells(wide)["fast"]["x slow"] == "2.00 [2.00, 150] @10%"
    assert cells(wide)["fast"]["wins"] == "4 @10%"
    text = "\n".join(wide.notes)
    assert "The target is an answer that close to the best known objective (@10%)." in text
    assert "In 5 of 20 pairs the time limit stopped one of the two" in text


def test_columns_from_traces() -> None:
    rows = [
        {"solver": "s", "objective": 10.0, "cpu_seconds": 3.0},
        {"solver": "t", "objective": 9.0, "cpu_seconds": 2.0},
    ]
    rows += [{**row, "key": row["solver"], "traced": True, "solve_seconds": row["cpu_seconds"]} for row in rows]
    for row in rows:
        row["status"] = "feasible"
    points = [{"seconds": 1.0, "objective": 9.95, "bound": None, "iteration": 0}]
    table = run_table(made_records(rows, [{"key": "s", "points": points}]), {"columns": ["ttt", "primal"]})
    assert table.rows == [["s", "1000", "1010"], ["t", "-", "7800"]]  # 1 + 2 x 0.005, and 2 + 58 x 0.1
    assert "ttt: median time to an answer within 1 % of the best known, from traces" in table.notes[2]


def test_few_repetitions_are_noted() -> None:
    rows = [{"solver": "s", "cpu_seconds": 1.0, "repetition": number} for number in range(3)]
    said = "publish none with fewer than 3"
    two = run_table(made_records(rows[:2]), {"columns": ["mean"]}).notes
    assert "Times of 2 repetitions; publish none with fewer than 3." in two
    assert said not in "\n".join(run_table(made_records(rows), {"columns": ["mean"]}).notes)
    assert said not in "\n".join(run_table(made_records(rows[:1]), {"columns": ["optimal"]}).notes)


def test_notes_say_what_the_numbers_are() -> None:
    text = "\n".join(run_table(race(), {"columns": ["optimal", "failed", "mean"]}).notes)
    assert "4 instances of extraction; 1 repetition; CPU s; limits 60 s, 4 GB." in text
    assert "within 1e-06 (relative)" in text
    assert "counts as its time limit" in text
    assert "Noise: unknown." in text
    assert "* slow: timeout on 1 of 4 (d: limit 60 s)." in text
    assert "* dead: crash on 4 of 4 (a: signal 11)." in text
    assert "* fast" not in text
    assert "same time" not in text


def test_failures_are_counted_in_words() -> None:
    """Next to times in seconds, `5s` would be five of them."""
    rows = [{"solver": "s", "instance": name, "status": "skipped", "cpu_seconds": None} for name in "abcde"]
    rows += [{"solver": "s", "instance": "f", "status": "timeout", "cpu_seconds": 60.0, "objective": None}]
    rows += [{"solver": "s", "instance": "g", "cpu_seconds": 60.0, "status": "feasible", "limit_hit": "time"}]
    table = run_table(made_records(rows), {"columns": ["failed", "mean"]})
    assert cells(table)["s*"]["failed"] == "1 timeout, 5 skipped, 1 limited"


def test_what_a_reduced_program_is_stands_below_its_table() -> None:
    for options, number in (({"reduced": True}, 1), ({"reduced": False}, 0), ({}, 0), (None, 0)):
        planned = {"solvers": [{"name": "a", "label": "a", "options": options}]}
        said = run_table(made_records([{"solver": "a", "instance": "i"}], experiment=planned)).notes
        assert sum(note.startswith("reduced: ") for note in said) == number


def test_milliseconds_wall_clock_and_shared_machine() -> None:
    rows = [{"solver": "s", "instance": i, "cpu_seconds": 0.01, "wall_seconds": 0.02, "jobs": 2} for i in "ab"]
    table = run_table(made_records(rows), {"columns": ["mean"], "time": "wall"})
    assert cells(table)["s"]["mean"] == "20.0"
    assert table.headings == ["solver", "mean ms"]
    assert "wall-clock ms" in table.notes[0]
    assert any("2 cells ran at the same time" in note for note in table.notes)


@pytest.mark.parametrize(("longest", "unit"), [(2.0, "ms"), (20.0, "s")])
def test_times_have_one_unit_on_the_terminal_in_files_and_on_the_page(longest: float, unit: str) -> None:
    """A cell without an answer makes PAR10 long, which the terminal has no room for."""
    rows = [
        {"solver": f"solver-{n}", "instance": i, "cpu_seconds": longest, "metrics": {"F1": 0.5}}
        for n in range(3)
        for i in "ab"
    ]
    rows.append({"solver": "solver-0", "instance": "c", "status": "crash", "cpu_seconds": None, "objective": None})
    records = made_records([row | {"limits": {"seconds": 2.5 * longest}} for row in rows])
    table = run_table(records)
    page = make_report(records)[0]
    columns = {name for name in ("median", "mean", "sgm", "PAR10") if f">{name} {unit}<" in page}
    assert columns == {"median", "mean", "sgm", "PAR10"}
    for shown_table in (table, table.terminal or table):
        assert f"median {unit}" in shown_table.headings
        assert f"CPU {unit};" in shown_table.notes[0]
    assert (
        table.csv()
        .splitlines()[0]
        .startswith(f"solver,opt.,opt. of,failed,median {unit},median {unit} low,median {unit} high,")
    )


def test_a_wrong_answer_is_marked_and_explained() -> None:
    rows = [{"solver": "liar", "cpu_seconds": 1.0, "objective": 5.0, "audit": "objective is 4, not 5"}]
    rows += [{"solver": "good", "cpu_seconds": 2.0, "objective": 4.0}]
    table = run_table(made_records(rows), {"columns": ["failed", "wins"]})
    assert cells(table)["liar*"]["failed"] == "1 wrong"
    assert cells(table)["good"]["wins"] == "1"
    assert any(note.startswith("* liar: wrong on 1 of 1 (a: objective is 4") for note in table.notes)


def test_a_claim_that_another_solver_refutes_is_no_optimum() -> None:
    rows = [{"solver": "liar", "cpu_seconds": 1.0, "objective": 4.0, "bound": 4.0, "magnitude": 9.0, "structure": [1]}]
    rows += [{"solver": "good", "cpu_seconds": 2.0, "objective": 5.0, "bound": 5.0, "magnitude": 9.0, "structure": [2]}]
    table = run_table(made_records(rows), {"columns": ["failed"]})
    assert cells(table)["liar*"]["failed"] == "1 wrong"


def test_groups_by_size_and_length() -> None:
    table = run_table(race(("small", "large")), {"columns": ["cells", "mean"]})
    assert table.headings == ["size", "solver", "cells", "mean s"]
    assert table.left == 2
    assert [row[:3] for row in table.rows] == [
        ["small", "fast", "2"],
        ["small", "slow", "2"],
        ["small", "dead*", "2"],
        [],
        ["large", "fast", "2"],
        ["large", "slow*", "2"],
        ["large", "dead*", "2"],
    ]
    together = run_table(race(("small", "large")), {"columns": ["cells"], "by": "none"})
    assert [row[1] for row in together.rows] == ["4"] * 3
    assert "Sizes are put together: small, large." in together.notes
    lengths = run_table(race(), {"columns": ["cells"], "by": "length"})  # 8, 16, 24, 32
    assert list(dict.fromkeys(row[0] for row in lengths.rows if row)) == ["1-10", "11-20", "21-30", "31-40"]


def test_a_solver_that_has_not_run_in_a_group_has_a_row_and_a_note() -> None:
    rows = [{"solver": "s", "instance": i, "size": i, "cpu_seconds": 1.0} for i in "ab"]
    rows.append({"solver": "t", "instance": "a", "size": "a", "cpu_seconds": 1.0})
    table = run_table(made_records(rows), {"columns": ["cells", "optimal", "mean"], "by": "size"})
    assert table.rows[-1] == ["b", "t", "", "", ""]
    assert any("Not every solver has tried every instance" in note for note in table.notes)


def test_a_solver_that_is_meant_for_other_sizes_has_no_row() -> None:
    rows = [{"solver": "s", "instance": i, "size": i, "cpu_seconds": 1.0} for i in "ab"]
    rows.append({"solver": "t", "instance": "a", "size": "a", "cpu_seconds": 1.0})
    planned = {"solvers": [{"label": "s"}, {"label": "t", "sizes": ["a"]}]}
    table = run_table(made_records(rows, experiment=planned), {"columns": ["cells"]})
    assert [row[:2] for row in table.rows if row] == [["a", "s"], ["a", "t"], ["b", "s"]]
    assert not any("Not every solver" in note for note in table.notes)


def test_several_tasks_are_never_averaged_together() -> None:
    rows = [{"task": task, "instance": task, "solver": "s", "cpu_seconds": 1.0} for task in ("parsing", "extraction")]
    for by in ("", "none", "task"):
        table = run_table(made_records(rows), {"by": by})
        assert [row[0] if row else "" for row in table.rows] == ["parsing", "", "extraction"]
    rows += [{**row, "instance": f"{row['task']} 9", "size": "9"} for row in rows]
    rows += [{**row, "instance": f"{row['task']} 10", "size": "10"} for row in rows[:2]]
    named = [(task, size) for task in ("parsing", "extraction") for size in ("", "9", "10")]
    table = run_table(made_records(rows))
    assert table.headings[:3] == ["task", "size", "solver"]
    assert [tuple(row[:2]) for row in table.rows if row] == named  # "" is no number: the order of the records


@given(st.lists(st.sampled_from(["40", "9", "10", "7.5", "1e3", "tac", "nan", ""]), max_size=6))
def test_sizes_rise_where_they_are_numbers(names: list[str]) -> None:
    found = in_order(names)
    assert sorted(found) == sorted(set(names))
    numbers = not {"tac", "nan", ""} & set(names)
    assert found == (sorted(set(names), key=float) if numbers else list(dict.fromkeys(names)))


@pytest.mark.parametrize("length", [4, 30, 60, 90, 200])
def test_default_columns_fit_a_terminal(length: int) -> None:
    """A long label takes no more than 30 characters of a terminal; files have all default columns whatever it is."""
    plain, records = run_table(race()), race()
    records["label"] = [label.ljust(length, "x") for label in records["label"]]
    table = run_table(records)
    lines = shown(table, 200).splitlines()[: len(table.rows) + 2]
    assert max(len(line.rstrip()) for line in lines) <= 80
    heading = lines[1].split()
    assert heading[0] == "solver"
    assert {"opt.", "failed", "median"} <= set(heading)
    assert len({line.split()[0] for line in lines[2:]}) == len(table.rows)
    assert table.headings == plain.headings
    assert {"opt.", "failed", "median s", "obj. %", "xbest", "sgm s", "wins", "MB"} < set(table.headings)
    assert [row[0].rstrip("*") for row in table.rows] == list(dict.fromkeys(records["label"]))
    assert [row[1:] for row in table.rows] == [row[1:] for row in plain.rows]
    for text in (table.csv(), table.markdown(), table.latex().replace(r"\allowbreak{}", "")):
        assert "sgm" in text
        assert records["label"].iloc[0] in text


def test_chosen_columns_with_a_long_label() -> None:
    records = race()
    records["label"] = [f"{'long ' * 30}{label}" for label in records["label"]]
    table = run_table(records, {"columns": ["mean"]})
    assert "long " * 30 in table.csv()
    rows = shown(table, 200).splitlines()[2 : len(table.rows) + 2]
    assert all("\N{HORIZONTAL ELLIPSIS}" in row and "long " * 30 not in row for row in rows)


def test_short_names_stay_different() -> None:
    names = ["a" * 40, "a" * 41, "b" * 30, "a" * 19 + "\N{HORIZONTAL ELLIPSIS}" + "a" * 10, "c" + "a" * 100]
    short = short_names(names, 30)
    assert set(short) == set(names)
    assert len(set(short.values())) == len(names)
    assert max(map(len, short.values())) <= 30
    assert [short[name] for name in names[2:4]] == names[2:4]


def test_layout_of_the_experiment_is_the_default() -> None:
    records = race()
    records.experiment["table"] = {"columns": ["cells", "BLEU"], "baseline": "", "time": "cpu", "by": ""}
    table = run_table(records)
    assert table.headings == ["solver", "cells", "BLEU"]  # a measure that no cell reached
    assert cells(table)["fast"]["BLEU"] == ""


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        ({"columns": ["meen"]}, "unknown column 'meen' of a table: did you mean 'mean'?"),
        ({"columns": ["ROUGE-3"]}, "unknown column 'ROUGE-3' of a table: did you mean 'ROUGE-2'?"),
        ({"colums": []}, "unknown key 'colums' of a table: did you mean 'columns'?"),
        ({"columns": "mean"}, "'columns' of a table must be a list of names, not 'mean'."),
        ({"time": "gpu"}, "unknown time 'gpu' of a table: did you mean 'cpu'?"),
        ({"by": "sizes"}, "unknown by 'sizes' of a table: did you mean 'size'?"),
        ({"baseline": "slw"}, "unknown baseline 'slw' of a table: did you mean 'slow'?"),
        ({"baseline": 3}, "'baseline' of a table must be a solver's label or a pattern, or several, not 3."),
        ({"baseline": ["fast", "ilp-*"]}, "unknown baseline 'ilp-*' of a table: valid names are dead, fast, slow."),
        ({"target": 1}, "'target' of a table must be 'auto', 'optimal', 'any' or a share between 0 and 1, not 1."),
        (
            {"target": "opt"},
            "'target' of a table must be 'auto', 'optimal', 'any' or a share between 0 and 1, not 'opt'.",
        ),
        ({"mix_nodes": 1}, "'mix_nodes' of a table must be true or false, not 1."),
        ({"columns": ["xbaseline"]}, "the column 'xbaseline' of a table needs a 'baseline' (a solver's label)."),
    ],
)
def test_bad_layouts_are_refused(layout: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        run_table(race(), layout)
    assert str(caught.value) == sentence


def test_layouts_are_checked_without_records() -> None:
    check_layout({"columns": ["mean", "ROUGE-2"], "baseline": "any"}, ("ROUGE-2",))
    with pytest.raises(InputError, match="unknown column 'ROUGE-2'"):
        check_layout({"columns": ["ROUGE-2"]})


def test_times_of_several_machines_are_not_put_side_by_side() -> None:
    rows = [{"solver": node, "node": node, "cpu_seconds": 1.0} for node in ("one", "two")]
    with pytest.raises(InputError, match=r"several machines \(one, two\)"):
        run_table(made_records(rows), {})
    run_table(made_records(rows), {}, mix_nodes=True)
    table = run_table(made_records(rows), {"mix_nodes": True})
    assert any("several machines are mixed: one, two" in note for note in table.notes)


def test_no_records() -> None:
    with pytest.raises(InputError, match="needs records"):
        run_table(made_records([]))


@pytest.mark.parametrize("what", LISTS)
@pytest.mark.parametrize("terminal", [False, True])
def test_lists_cut_no_word_and_wrap_nothing_in_a_pipe(what: str, terminal: bool) -> None:
    text = io.StringIO()
    console = Console(file=text, width=80, force_terminal=terminal, color_system=None)
    made = LISTS[what]()
    print_whole(made, console)
    assert "…" not in text.getvalue()
    words = {word for column in made.columns for cell in column.cells for word in str(cell).split()}
    assert words <= set(text.getvalue().split())
    lines = [line for line in text.getvalue().splitlines() if line]
    assert len(lines) == made.row_count + 1 or terminal
    assert console.width == 80


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 60)), min_size=1, max_size=6), st.integers(0, 200))
def test_columns_share_the_room_that_is_left(sizes: list[tuple[int, int]], room: int) -> None:
    least, longest = [low for low, _ in sizes], [low + more for low, more in sizes]
    widths = shared_width(least, longest, room)
    assert all(low <= width <= most for low, width, most in zip(least, widths, longest, strict=True))
    assert sum(widths) == min(max(room, sum(least)), sum(longest))
