"""`dualbench advise`: tables from real run folders, the command, the choice here, and the regret of `auto`."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from made_records import made_records
from typer.testing import CliRunner

import bench
from bench.analysis.advice_cases import cases_of, table_of_runs
from bench.analysis.advice_scaling import machine_ratio, scaled
from bench.analysis.choices import choices
from bench.analysis.regret import regrets
from bench.cli import app
from bench.experiments.experiment import built_in, read_experiment
from bench.output.advice_table import advice_table, sentence
from bench.output.regret_table import regret_table
from problems import get_task
from problems.bare_graph import BareGraphTask
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.profile import Profile, graph_profile
from solvers.advice import Advisor, Candidate, Case, Cell, Table, read_table

PLUGIN = """
from dataclasses import dataclass
from solvers.base import Solver
from solvers import get_solver


@dataclass(kw_only=True)
class FirstFound(Solver):
    name = "first-found"
    tasks = frozenset({"extraction"})
    depth: int = 1

    def solve(self, instance):
        return get_solver("greedy").solve(instance)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three solvers, one of them a plug-in with an option, and `auto`."""
    folder = tmp_path_factory.mktemp("advise")
    (folder / "first_found.py").write_text(PLUGIN)
    experiment = {
        "name": "small",
        "task": "extraction",
        "plugins": [str(folder / "first_found.py")],
        "instances": {"generate": {"size": ["tiny"], "count": 4, "seed": 11}},
        "solvers": [
            {"name": "greedy"},
            {"name": "ilp-highs", "label": "highs, reduced", "reduced": True},
            {"name": "first-found", "depth": 3},
            {"name": "auto", "label": "auto, {target}", "target": ["exact", "fastest"]},
        ],
        "limits": {"seconds": 20},
    }
    bench.run(experiment, out=folder / "run")
    return folder / "run"


def test_cases_of_a_run(run: Path) -> None:
    found = table_of_runs([run])
    assert found.left_out == 0
    assert len(found.table.cases) == 4
    reduced, own = Candidate.of("ilp-highs", {"reduced": True}), Candidate.of("first-found", {"depth": 3})
    for case in found.table.cases:
        assert set(case.cells) == {Candidate("greedy"), reduced, own}  # what asks is no candidate
        assert case.cells[reduced].outcome == "optimal"
        assert case.cells[reduced].loss == 0.0
        assert case.cells[own].outcome == "feasible"
        assert case.profile == get_task("extraction").profile(_instance(case.instance))
    (facts,) = found.table.provenance
    assert facts["experiment"] == "small"
    assert facts["processor"]
    assert facts["load_start"]


def _instance(name: str) -> Any:
    seed = int(name.split()[0].rpartition("-")[2])
    return get_task("extraction").generate(seed, "tiny")


def test_losses_are_relative_to_the_best_known(run: Path) -> None:
    records = bench.load_run(run)
    best = records[records["label"] == "highs, reduced"].set_index("instance")["objective"]
    greedy = records[records["label"] == "greedy"].set_index("instance")["objective"]
    for case in table_of_runs([run]).table.cases:
        name = case.instance.split()[0]
        expected = (best[name] - greedy[name]) / best[name]
        assert case.cells[Candidate("greedy")].loss == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda folder: shutil.rmtree(folder), "no such run"),
        (lambda folder: (folder / "records.jsonl").unlink(), "no run here"),
        (lambda folder: (folder / "records.jsonl").write_text("no JSON\n"), "none of its 1 lines is a record"),
        (lambda folder: (folder / "experiment.json").unlink(), "names no solvers"),
        (lambda folder: (folder / "records.jsonl").write_text(""), "no cell of this run"),
        (lambda folder: _rename_task(folder), "its task 'mine'; name the task's file with --plugin"),
    ],
)
def test_folders_that_are_no_runs(run: Path, tmp_path: Path, break_it: Any, said: str) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(run, folder)
    break_it(folder)
    with pytest.raises(InputError, match=said):
        table_of_runs([folder])
    result = CliRunner().invoke(app, ["advise", "--runs", str(folder), "--record", str(tmp_path / "t.json")])
    assert isinstance(result.exception, InputError)
    assert not (tmp_path / "t.json").exists()


def _rename_task(folder: Path) -> None:
    file = folder / "experiment.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"task": "mine"}))


def test_cells_at_a_limit_failures_and_wrong_answers() -> None:
    """Records of one instance, made by hand: what ended, what hit its limit, what crashed, what claims too much."""
    task = get_task("extraction")
    instance = task.generate(11, "tiny")
    specs = [{"name": name, "label": name, "options": {}} for name in ("a", "late", "crashed", "skipped")]
    records = [
        _record("a", "optimal", 2.0),
        _record("late", "timeout", None, cpu_seconds=7.5, limit_hit="time"),
        _record("crashed", "crash", None),
        _record("skipped", "skipped", None),
    ]
    frame = made_records(records, experiment={"solvers": specs, "task": "extraction", "limits": {"seconds": 8.0}})
    assert cases_of(frame).left_out == 1  # nobody can make an instance of which only a digest is known
    import bench.analysis.advice_cases as module

    known = {"i": instance}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "instances_for", lambda records: known)
        (case,) = cases_of(frame).table.cases
    outcomes = {str(candidate): (cell.outcome, cell.seconds) for candidate, cell in case.cells.items()}
    assert outcomes == {
        "a": ("optimal", 2.0),
        "late": ("stopped", 7.5),
        "crashed": ("refused", 0.0),
        "skipped": ("refused", 0.0),
    }


def _record(label: str, status: str, seconds: float | None, **more: Any) -> dict[str, Any]:
    answer = {"objective": 4.0, "bound": 4.0, "audit": "ok"} if seconds is not None else {}
    times = {"cpu_seconds": seconds, "wall_seconds": seconds}
    return {"label": label, "solver": label, "status": status, "instance": "i", **times, **answer, **more}


# -- the command -------------------------------------------------------------------------------------------------------------


def invoke(*arguments: object) -> Any:
    result = CliRunner().invoke(app, ["advise", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0
    return result


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    task = get_task("extraction")
    task.save(task.generate(77, "tiny"), tmp_path / "instance.json")
    return tmp_path / "instance.json"


def test_advice_in_the_terminal(instance: Path) -> None:
    said = " ".join(invoke(instance).output.split())
    assert "extraction: 12 sentences" in said
    assert "exact: " in said
    assert "fastest: greedy" in said
    assert "recorded instances of extraction" in said


def test_advice_as_json_names_a_usable_solver_for_every_target(instance: Path) -> None:
    advice = json.loads(invoke(instance, "--json").output)
    assert advice["measures"]["sentences"] == 12
    assert set(advice["choices"]) == {"exact", "within-1%", "fastest"}
    exact = advice["choices"]["exact"]
    low, high = exact["interval"]
    assert 0 < low < high
    assert 0.0 <= exact["surely_faster"] <= 1.0
    assert all(facts["task"] == "extraction" and facts["commit"] for facts in advice["provenance"])
    forecast = {each["solver"]: each for each in advice["forecasts"]}["greedy"]
    assert forecast["cells"] > 0
    assert not forecast["proves"]


def test_runs_of_ones_own_replace_or_extend_the_table(run: Path, instance: Path, tmp_path: Path) -> None:
    alone = json.loads(
        invoke(instance, "--runs", run, "--replace", "--json", "--plugin", run.parent / "first_found.py").output
    )
    assert {each["solver"] for each in alone["forecasts"]} == {"greedy", "ilp-highs", "first-found"}
    assert alone["choices"]["exact"]["solver"] == "ilp-highs"
    assert alone["choices"]["exact"]["options"] == {"reduced": True}
    assert alone["basis"].startswith("4 recorded instances")
    table = tmp_path / "own.json"
    both = invoke(instance, "--runs", run, "--record", table, "--plugin", run.parent / "first_found.py")
    assert "first-found depth=3" in both.output
    assert len(read_table(table).cases) > 4
    again = json.loads(invoke(instance, "--table", table, "--json").output)
    assert "first-found" in {each["solver"] for each in again["forecasts"]}
    solved = CliRunner().invoke(app, ["solve", str(instance), "--solver", "auto", "--option", f"table={table}"])
    assert solved.exit_code == 0
    assert "took " in solved.output


def test_a_plug_in_that_is_not_loaded_is_passed_over(tmp_path: Path, instance: Path) -> None:
    profile = get_task("extraction").profile(get_task("extraction").generate(77, "tiny"))
    cells = {Candidate("never-loaded"): Cell(1e-5, "optimal", 0.0), Candidate("ilp-highs"): Cell(1e-2, "optimal", 0.0)}
    Table((Case(profile, "x", "tiny", cells),)).write(tmp_path / "table.json")
    result = invoke(instance, "--table", tmp_path / "table.json")
    assert "exact: ilp-highs" in result.output
    assert "never-loaded cannot be used here: unknown solver" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "needs an instance, or --record"),
        (["x.json", "--replace"], "'--replace' needs runs"),
        (["x.json", "--runs", "nowhere"], "no such run"),
        (["x.json", "--table", "nowhere.json"], "nowhere.json"),
        (["nowhere.json"], "nowhere.json"),
    ],
)
def test_bad_arguments(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["advise", *arguments])
    assert isinstance(result.exception, InputError)
    assert said in str(result.exception)


def test_advice_says_what_is_extrapolated_and_how_sure_it_is() -> None:
    def sized(words: float) -> Profile:
        return Profile("extraction", "", {"sentences": words, "concepts": words, "occurrences": words, "budget": 100.0})

    cells = {Candidate("greedy"): Cell(1e-4, "feasible", 0.3), Candidate("ilp-highs"): Cell(1e-2, "optimal", 0.0)}
    advisor = Advisor(Table(tuple(Case(sized(words), str(words), "", cells) for words in (10.0, 20.0, 40.0))))
    advice = advisor.advise(get_task("extraction").generate(1, "tac"))
    chosen = choices(advice, lambda candidate: None)
    text = advice_table(advice, chosen, "recorded here", ["lp-clp"]).markdown()
    assert "Extrapolated: 200 sentences, recorded 10 to 40 sentences" in text
    assert sentence(chosen[0]).startswith("exact: ilp-highs")
    assert chosen[0].sure is None  # there is no other
    assert "sure to be faster than ilp-highs" in sentence(chosen[2])
    assert "Nothing is recorded of lp-clp." in text
    assert "guesses" not in text
    nothing = choices(advice, lambda candidate: "gone")
    assert sentence(nothing[0]) == "exact: no recorded solver meets it."


def test_nothing_is_sure_about_a_kind_that_is_not_recorded() -> None:
    """Bare graphs are all that is known of a task of one's own, and its scores are its own."""
    instance = get_task("extraction").generate(1, "tiny")
    profile = get_task("extraction").graph(instance)
    cells = {Candidate("ad3"): Cell(1e-4, "optimal", 0.0), Candidate("ilp-highs"): Cell(1e-2, "optimal", 0.0)}
    advisor = Advisor(Table((Case(graph_profile("graph", profile), "x", "", cells),)))
    for advice in (advisor.advise(instance), advisor.advise(FactorGraph())):
        chosen = choices(advice, lambda candidate: None)
        assert [choice.sure for choice in chosen] == [None] * 3
        assert "sure to be faster" not in sentence(chosen[0])
        text = advice_table(advice, chosen, "recorded here", []).markdown()
        assert "times are guesses" in text
        assert "Nothing is recorded of" not in text
    assert choices(advisor.advise(get_task("extraction").graph(instance)), lambda candidate: None)[0].sure is not None


def test_solvers_without_records_are_named(tmp_path: Path, instance: Path) -> None:
    profile = get_task("extraction").profile(get_task("extraction").generate(77, "tiny"))
    Table((Case(profile, "x", "tiny", {Candidate("ilp-highs"): Cell(1e-2, "optimal", 0.0)}),)).write(
        tmp_path / "t.json"
    )
    missing = json.loads(invoke(instance, "--table", tmp_path / "t.json", "--json").output)["unrecorded"]
    assert {"ad3", "ad3-exact", "greedy", "lp-highs"} <= set(missing)
    assert not {"ilp-highs", "auto", "dp-mst", "beam"} & set(missing)  # recorded, asking, of other tasks
    said = " ".join(invoke(instance, "--table", tmp_path / "t.json").output.split())
    assert f"Nothing is recorded of {', '.join(missing)}." in said


def test_the_advice_on_graphs_knows_every_kind_and_is_judged_on_other_sizes() -> None:
    """Every generated kind is recorded, and `auto` is judged on other sizes of it than its table knows."""
    known, judged = (_sizes(f"{name}-graph") for name in ("advice", "auto"))
    kinds = {size.split("-")[0] for size in BareGraphTask.sizes}
    assert {size.split("-")[0] for size in known} == kinds
    assert {size.split("-")[0] for size in judged - known} == kinds
    names = {spec.name for spec in read_experiment("advice-graph").solvers}
    assert {"ad3-exact", "ad3-ilp", "wcsp-toulbar2"} <= names


def _sizes(experiment: str) -> set[str]:
    """Of the generated instances of a built-in experiment."""
    found: set[str] = set()
    for source in tomllib.loads(built_in()[experiment].read_text(encoding="utf-8"))["instances"]:
        sizes = source["generate"]["size"]
        found |= set([sizes] if isinstance(sizes, str) else sizes)
    return found


def test_times_of_another_machine_are_scaled_by_what_both_know() -> None:
    def table(speed: float, sizes: tuple[int, ...]) -> Table:
        profiles = [Profile("t", "", {"words": float(words)}) for words in sizes]
        cells = [{Candidate("a"): Cell(speed * 1e-3 * words, "optimal", 0.0)} for words in sizes]
        return Table(tuple(Case(p, str(p.measures), "", c) for p, c in zip(profiles, cells, strict=True)))

    old, new = table(1.0, (10, 20, 40, 80)), table(3.0, (12, 15, 25, 50, 60))
    ratio, shared = machine_ratio(old, new)
    assert ratio == pytest.approx(3.0, rel=0.1)
    assert shared == 5
    assert scaled(old, 2.0).cases[0].cells[Candidate("a")].seconds == pytest.approx(0.02)
    assert machine_ratio(old, table(3.0, (12,))) == (1.0, 1)  # too little to tell


# -- regret ------------------------------------------------------------------------------------------------------------------


def test_regret_against_the_virtual_best() -> None:
    """Two instances, two solvers that are fast on one each; `auto` takes 1.5 times the best on one and misses the other."""
    rows = [
        ("i", "a", "optimal", 1.0, "ok"),
        ("i", "b", "optimal", 4.0, "ok"),
        ("i", "auto", "optimal", 1.5, "ok"),
        ("j", "a", "optimal", 5.0, "ok"),
        ("j", "b", "optimal", 2.0, "ok"),
        ("j", "auto", "feasible", 0.1, "ok"),
    ]
    frame = made_records(_timed(*row) for row in rows)
    found = {each.size: each for each in regrets(frame) if each.target == "exact"}
    total = found["all"]
    assert total.instances == 2
    assert total.missed == 1
    assert total.best == pytest.approx(3.0)
    assert total.seconds == pytest.approx(1.5 + 9.0)  # the limit
    assert total.ratio.value == pytest.approx(3.5)
    assert total.ratio.low <= 3.5 <= total.ratio.high
    assert (total.single, total.single_ratio) == ("a", pytest.approx(2.0))
    assert "auto ms" in regret_table(found.values()).markdown()


def test_answers_that_lose_too_much_are_counted_and_not_timed() -> None:
    """On the second instance `auto` is fast and loses half; on the third it has no answer and is charged the limit."""
    rows = [
        *(_timed(name, "a", "optimal", 2.0, "ok") for name in "ijk"),
        _timed("i", "auto", "feasible", 3.0, "ok"),
        _timed("j", "auto", "feasible", 0.1, "ok") | {"objective": 2.0},
        _timed("k", "auto", "timeout", 9.0, "") | {"objective": None, "bound": None, "limit_hit": "time"},
    ]
    for row in rows:
        row["options"] = {"target": "within-1%"} if row["solver"] == "auto" else {}
    total = regrets(made_records(rows))[-1]
    assert (total.size, total.instances, total.missed) == ("all", 3, 2)
    assert total.seconds == pytest.approx(3.0 + 9.0)
    assert total.best == pytest.approx(4.0)


def test_regret_leaves_out_what_nobody_solved_and_needs_auto() -> None:
    rows = [("i", "a", "feasible", 1.0, "ok"), ("i", "auto", "feasible", 1.0, "ok")]
    assert regrets(made_records(_timed(*row) for row in rows)) == []
    with pytest.raises(InputError, match="no cell of solver 'auto'"):
        regrets(made_records([_timed("i", "a", "optimal", 1.0, "ok")]))


def _timed(instance: str, solver: str, status: str, seconds: float, audit: str) -> dict[str, Any]:
    return {
        "instance": instance,
        "solver": solver,
        "status": status,
        "audit": audit,
        "size": "s",
        "cpu_seconds": seconds,
        "wall_seconds": seconds,
        "objective": 4.0,
        "bound": 4.0 if status == "optimal" else 9.0,
        "limits": {"seconds": 9.0},
        "options": {"target": "exact"} if solver == "auto" else {},
    }


def test_the_regret_of_a_real_run(run: Path) -> None:
    found = {(each.target, each.size): each for each in regrets(bench.load_run(run))}
    assert found["exact", "all"].missed == 0
    assert found["exact", "all"].instances == 4
    assert found["exact", "all"].single == "highs, reduced"
    assert found["fastest", "all"].best > 0
