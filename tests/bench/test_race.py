"""`dualbench race`: what it runs, what it says, and that its records are a run like any other."""

from __future__ import annotations

import io
import itertools
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records
from rich.console import Console

from bench.analysis.statistics.repetitions import repetition_ratio
from bench.experiments.experiment import SolverSpec, read_experiment
from bench.experiments.plan import Cell, Instance
from bench.experiments.race import File, free_folder, grouped, named_solvers, race_experiment, usual_solvers
from bench.output.live_race import LiveRace
from bench.output.race_verdict import FEW, OVER_INSTANCES, OVER_REPETITIONS, verdicts
from bench.records.log import load_run
from bench.runner.estimate import Estimator
from problems import TASKS, get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.formats.fg_writer import write_fg


@given(st.lists(st.integers(1, 10_000), max_size=30))
def test_files_that_share_a_number_differ_by_a_factor_of_two_at_most(variables: list[int]) -> None:
    files = [File("graph", f"{place}.fg", size) for place, size in enumerate(variables)]
    sizes = {file.path: file.variables for file in files}
    groups = grouped(files)
    assert sorted(path for _, paths in groups for path in paths) == sorted(sizes)
    for _, paths in groups:
        assert max(map(sizes.get, paths)) <= 2 * min(map(sizes.get, paths))  # type: ignore[type-var, operator]
    assert len({name for name, _ in groups}) == len(groups)
    for (_, left), (_, right) in itertools.pairwise(groups):
        assert max(map(sizes.get, left)) < min(map(sizes.get, right))  # type: ignore[type-var]
        assert min(map(sizes.get, right)) > 2 * min(map(sizes.get, left))  # type: ignore[type-var, operator]


@pytest.mark.parametrize("task", sorted(TASKS))
def test_usual_solvers_are_those_that_were_compared(task: str) -> None:
    """Solvers restricted to sizes take part on these only, and every experiment of a race can be read."""
    sizes = list(get_task(task).sizes)[:2]
    experiment = read_experiment(race_experiment([f"{task}:{size}" for size in sizes]))
    assert experiment.source.sizes == sizes
    compared = {(spec.label, *spec.sizes) for spec in read_experiment(f"compare-{task}").solvers}
    for spec in experiment.solvers:
        (found,) = [sizes for label, *sizes in compared if label == spec.label]
        assert set(spec.sizes) <= set(found)
        assert bool(spec.sizes) == bool(found)
    kinds = {spec.name.split("-")[0] for spec in experiment.solvers}
    assert {"ilp", "lp", "ad3"} <= kinds
    assert "brute-force" not in {spec.name for spec in experiment.solvers}


def test_solvers_that_cannot_be_used_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers import solver_class

    monkeypatch.setattr(solver_class("ilp-highs"), "unavailable", classmethod(lambda cls: "highspy is not installed."))
    names = {section["name"] for section in usual_solvers("parsing", ["short"])}
    assert "ad3" in names
    assert "ilp-highs" not in names
    assert "ilp-highs" not in {section["name"] for section in named_solvers("ilp-*", "parsing")}
    with pytest.raises(InputError, match=r"solver 'ilp-highs' cannot be used here: highspy is not installed\."):
        named_solvers("ilp-highs", "parsing")
    with pytest.raises(InputError, match=r"no solver like .ilp-hi.hs. can be used here"):
        named_solvers("ilp-hi?hs", "parsing")


def test_patterns_take_options() -> None:
    described = race_experiment(
        ["parsing:short"], ["ad3:max_iterations=[50,500],rounding=search", "ilp-highs", "ilp-h*"], count=2, seed=5
    )
    experiment = read_experiment(described)
    labels = {spec.label: spec.options for spec in experiment.solvers}
    assert labels == {
        "ad3 max_iterations=50 rounding=search": {"max_iterations": 50, "rounding": "search"},
        "ad3 max_iterations=500 rounding=search": {"max_iterations": 500, "rounding": "search"},
        "ilp-highs": {},
    }
    assert experiment.source.seeds == [5, 6]


@pytest.mark.parametrize(
    ("entries", "solvers", "complaint"),
    [
        (["parsin:short"], [], "'parsin' is no task: did you mean 'parsing'"),
        (["parsing:shor"], [], "unknown size 'shor' of task 'parsing': did you mean 'short'"),
        (["parsing:short", "compression:10"], [], "a race has one task, not parsing and compression"),
        (["nothere.json"], [], "nothere.json: no such file"),
        (["nothere*.json"], [], "no file matches"),
        ([], [], "at least one instance"),
        (["parsing:short"], ["foo-*"], "no solver of task 'parsing' has a name like 'foo-"),
        (["parsing:short"], ["dp-tree"], "solver 'dp-tree' does not solve task 'parsing'"),
        (["parsing:short"], ["ad4"], "did you mean 'ad3'"),
        (["parsing:short"], ["ad3:max"], "NAME:key=value"),
    ],
)
def test_bad_arguments(entries: list[str], solvers: list[str], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        race_experiment(entries, solvers)


def test_solvers_of_plug_ins_take_part_by_default(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from solvers.base import Solution, Solver\n\n\nclass Mine(Solver):\n    name = 'mine'\n\n"
        "    def solve(self, instance):\n        return Solution('feasible')\n"
    )
    described = race_experiment(["extraction:tiny"], plugins=[file])
    assert described["solvers"][-1] == {"name": "mine"}
    assert len(described["solvers"]) > 5


def test_rounds_by_default() -> None:
    """Where no size has two instances, intervals are over repetitions: there are more of them."""
    assert race_experiment(["parsing:short"])["repetitions"] == 3
    assert race_experiment(["parsing:short", "parsing:20"], count=1)["repetitions"] == 6
    assert race_experiment(["parsing:short"], count=1, repetitions=2)["repetitions"] == 2


def rows(label: str, times: list[float], objective: float = 10.0, size: str = "s", **more: Any) -> list[dict[str, Any]]:
    """A cell per instance."""
    facts = {"label": label, "solver": label, "size": size, "objective": objective, "bound": 10.0, **more}
    return [
        {**facts, "instance": f"{size}{number}", "cpu_seconds": seconds, "wall_seconds": seconds}
        for number, seconds in enumerate(times)
    ]


def test_the_winner_is_the_fastest_of_the_best() -> None:
    quick = rows("rough", [0.1] * 6, 5.0, status="feasible")
    near = rows("near", [0.5] * 6, 9.995, status="feasible")
    said = verdicts(made_records([*rows("a", [1.0] * 6), *rows("b", [2.0] * 6), *quick, *near]))
    assert said == [
        "a wins: all 6 instances proved optimal, median 1.00 s [1.00 s, 1.00 s] of CPU time.",
        "  near is 2.00 [2.00, 2.00] times as fast to within 0.1 % of the best known objective",
        "  2.00 [2.00, 2.00] times as fast as b",
        "  no ratio to rough: its answers are worth 50.00 % of the best known objective",
        "Without a proof, near is 2.00 [2.00, 2.00] times as fast to within 1 % of the best known objective.",
        OVER_INSTANCES,
    ]


def test_sizes_have_winners_of_their_own() -> None:
    small = [*rows("a", [1.0] * 6, size="small"), *rows("b", [2.0] * 6, size="small")]
    large = [*rows("a", [9.0] * 6, size="large"), *rows("b", [3.0] * 6, size="large")]
    said = verdicts(made_records([*small, *large]))
    assert said[0].startswith("small: a wins: all 6 instances")
    assert said[1] == "  2.00 [2.00, 2.00] times as fast as b"
    assert said[2].startswith("large: b wins")
    assert said[3] == "  3.00 [3.00, 3.00] times as fast as a"


def test_what_intervals_are_over_is_said() -> None:
    """Over instances, over the rounds of a single one, or both; and that few values make no interval to rely on."""
    many, few, one = (rows("a", [1.0] * count, size=f"of{count}") for count in (6, 5, 1))
    assert verdicts(made_records(many))[-1] == OVER_INSTANCES
    assert verdicts(made_records(few))[-2:] == [OVER_INSTANCES, FEW]
    assert verdicts(made_records([*many, *one]))[-2:] == [OVER_INSTANCES, OVER_REPETITIONS]


def test_no_clear_lead_is_said() -> None:
    said = verdicts(made_records([*rows("a", [1.0, 2.0, 1.0, 2.0]), *rows("b", [2.0, 1.0, 2.0, 1.0])]))
    assert " wins without a clear lead over " in said[0]


def test_failures_are_no_ratio() -> None:
    crashed = [
        {**row, "status": "crash", "objective": None, "bound": None, "audit": ""} for row in rows("c", [1.0] * 3)
    ]
    said = verdicts(made_records([*rows("a", [1.0] * 3), *crashed]))
    assert "  no ratio to c: 3 crash of 3 instances" in said
    assert verdicts(made_records(crashed))[0] == "nobody won: no solver has a valid answer."


def test_a_ratio_over_fewer_instances_names_them() -> None:
    """A licence that allows one of six programs, and a rival that the limit stopped once."""
    skipped = [
        {**row, "status": "skipped", "objective": None, "bound": None, "audit": ""} if place else row
        for place, row in enumerate(rows("x", [3.0] * 6))
    ]
    stopped = rows("y", [2.0] * 6)
    stopped[0] |= {"status": "timeout", "objective": None, "bound": None, "audit": "", "limit_hit": "seconds"}
    said = verdicts(made_records([*rows("a", [1.0] * 6), *skipped, *stopped]))
    assert any(line.endswith(" as x (on 1 of 6 instances)") for line in said)
    assert any(line.endswith(" as y (1 of 6 pairs count a time limit)") for line in said)


def repeated(label: str, times: list[float]) -> list[dict[str, Any]]:
    (row,) = rows(label, [1.0])
    return [{**row, "repetition": number, "cpu_seconds": seconds} for number, seconds in enumerate(times)]


def test_one_instance_has_intervals_over_repetitions() -> None:
    """Paired by round: drift that hits both alike is in neither the ratio nor its interval."""
    drift = [1.0, 2.0, 4.0, 8.0]
    records = made_records([*repeated("a", drift), *repeated("b", [3 * seconds for seconds in drift])])
    assert repetition_ratio(records, "a", "b") == pytest.approx((3.0, 3.0, 3.0))
    assert repetition_ratio(records, "b", "a") == pytest.approx((1 / 3,) * 3)
    said = verdicts(records)
    assert said[1:] == ["  3.00 [3.00, 3.00] times as fast as b", OVER_REPETITIONS, FEW]
    with pytest.raises(ValueError, match="of one instance"):
        repetition_ratio(made_records(rows("a", [1.0, 2.0])), "a", "a")


def test_a_live_table_says_what_is_recorded() -> None:
    cells = [
        Cell(f"{label}{number}", Instance(f"i{number}", f"d{number}", "s", 9, None), SolverSpec(label, label, {}), {}, "1", 0, False)
        for number in range(3)
        for label in ("a", "[b]")
    ]  # fmt: skip
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, width=100, height=30)
    with LiveRace(console, cells, 1, Estimator("demo")) as shown:
        for cell, seconds in zip(cells[:5], (0.1, 2.0, 0.3, 4.0, 0.2), strict=True):
            status = "timeout" if seconds == 4.0 else "optimal"
            made = made_records([{"task": "demo", "status": status, "cpu_seconds": seconds, "wall_seconds": seconds}])
            shown(cell, {**made.iloc[0].to_dict(), "options": {}, "setup_seconds": 0.0, "instance_size": 9})
        last = Console(file=(plain := io.StringIO()), width=100)
        last.print(shown.standings.table())
    lines = [line.split() for line in plain.getvalue().splitlines()]
    assert lines[1] == ["a", "3/3", "3", "200", "ms"]
    assert lines[2] == ["[b]", "2/3", "1", "1", "2.00", "s"]
    assert "3/3" in text.getvalue()
    assert math.isnan(LiveRace(console, cells, 1, Estimator("demo")).standings.median(("s", "a")))


def dualbench(*arguments: object, where: Path, code: int = 0) -> str:
    command = [sys.executable, "-m", "bench.cli", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=where, env=environment)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two graphs of about the same size, whose names are hard on patterns, and a race of them."""
    folder = tmp_path_factory.mktemp("race")
    for number in range(2):
        graph = FactorGraph()
        graph.add_budget(graph.add_variables([1.0, 0.5, -0.2, 0.1 * number]), 2)
        write_fg(graph, folder / f"mine[{number}].fg")
    said = dualbench(
        "race", "mine[0].fg", "mine[1].fg", "--solver", "ilp-h*", "--solver", "ad3", "--plot", "my.svg", where=folder
    )
    assert " wins" in said
    assert "times as fast as" in said
    assert "my.svg" in said
    return folder


def test_the_records_of_a_race_are_a_run(work: Path) -> None:
    (run,) = (work / "runs").iterdir()
    records = load_run(run)
    assert set(records["solver"]) == {"ilp-highs", "ad3"}
    assert set(records["status"]) == {"optimal"}
    assert records["size"].unique().tolist() == ["4 variables"]
    assert records["repetition"].max() == 3  # three rounds, and one that is traced
    assert (work / "my.svg").read_text().startswith("<?xml")
    assert json.loads((run / "experiment.json").read_text())["plots"] == [{"kind": "convergence"}]
    for command in ("table", "audit", "report"):
        dualbench(command, run, where=work)
    dualbench("plot", run, "--kind", "profile", where=work)
    assert "Nothing got worse." in dualbench("compare", run, run, where=work)


def test_a_race_goes_on_where_it_stopped(work: Path) -> None:
    (run,) = (work / "runs").iterdir()
    arguments = ("mine*.fg", "--solver", "ilp-highs", "--solver", "ad3", "--plot", "my.svg", "--out", run)
    assert "holds a run already" in dualbench("race", *arguments, where=work, code=2)
    (work / "mine[1].fg").touch()
    said = dualbench("race", *arguments, "--resume", where=work, code=2)
    assert "name" in said  # what it is called is part of an experiment
    again = ("mine[0].fg", "mine[1].fg", *arguments[1:], "--resume")
    assert "nothing was left to run" in dualbench("race", *again, where=work)
    assert free_folder(run).name == f"{run.name}-2"
