"""Experiments: what a TOML file means, and complaints that name the file, the line and the nearest valid name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.experiments.experiment import Limits, built_in, read_experiment
from bench.experiments.plan import Plan
from bench.experiments.sections import line_numbers, line_of
from bench.runner.solver_versions import planned
from problems import get_task
from problems.errors import InputError

GOOD = """\
name = "demo"
task = "extraction"
repetitions = 3
trace = true
metrics = ["ROUGE-2"]

[instances]
generate = { size = "tiny", count = 2, seed = 5 }

[[solvers]]
name = "ad3"
max_iterations = [200, 1000]
rounding = ["search", "paper"]

[[solvers]]
name = "ilp-highs"

[[solvers]]
name = "subgradient"
label = "subgradient-{max_iterations}"
max_iterations = 50

[limits]
seconds = 20
memory_gb = 2.5
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_a_list_of_values_is_a_grid(tmp_path: Path) -> None:
    experiment = read_experiment(written(tmp_path, GOOD))
    assert [spec.label for spec in experiment.solvers] == [
        "ad3 max_iterations=200 rounding=search",
        "ad3 max_iterations=200 rounding=paper",
        "ad3 max_iterations=1000 rounding=search",
        "ad3 max_iterations=1000 rounding=paper",
        "ilp-highs",
        "subgradient-50",
    ]
    assert experiment.solvers[1].options == {"max_iterations": 200, "rounding": "paper"}
    assert experiment.limits == Limits(seconds=20.0, memory_gb=2.5)
    assert (experiment.repetitions, experiment.trace, experiment.metrics) == (3, True, ("ROUGE-2",))
    assert experiment.source.seeds == [5, 6]


def test_instances_of_a_generator(tmp_path: Path) -> None:
    task = get_task("extraction")
    text = GOOD.replace('size = "tiny", count = 2, seed = 5', 'size = ["tiny", "zipf"], seeds = [9, 4]')
    items = list(read_experiment(written(tmp_path, text)).source.items())
    assert [item.size for item in items] == ["tiny", "zipf", "tiny", "zipf"]  # sizes take turns
    assert items[2].make() == task.generate(4, "tiny")


def test_instances_of_files_are_found_beside_the_experiment(tmp_path: Path) -> None:
    task = get_task("extraction")
    for seed in (1, 2):
        task.save(task.generate(seed, "tiny"), tmp_path / "saved" / f"{seed}.json")
    text = GOOD.replace('generate = { size = "tiny", count = 2, seed = 5 }', 'load = "saved/*.json"')
    items = list(read_experiment(written(tmp_path, text)).source.items())
    assert [item.make() for item in items] == [task.generate(1, "tiny"), task.generate(2, "tiny")]


def test_graph_files_are_a_task_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "model.fg").write_text("2\n1\n0.5\n0.25\nXOR 2 1 2\n")
    given = {"task": "graph", "instances": {"load": str(tmp_path / "*.fg")}, "solvers": [{"name": "ilp-highs"}]}
    (item,) = read_experiment(given).source.items()
    assert item.make().number_of_variables == 2


WRONG: list[tuple[str, str, str]] = [
    ("repetitions = 3", "repetitons = 3", "line 3: unknown key 'repetitons': did you mean 'repetitions'?"),
    ("repetitions = 3", "repetitions = 0", "line 3: 'repetitions' must be a whole number of at least 1, not 0."),
    ("repetitions = 3", "repetitions = true", "line 3: 'repetitions' must be a whole number of at least 1"),
    (
        'task = "extraction"',
        'task = "extracton"',
        "line 2: 'task' unknown task 'extracton': did you mean 'extraction'?",
    ),
    ('task = "extraction"\n', "", "'task' is missing; expected a text."),
    ("trace = true", 'trace = "yes"', "line 4: 'trace' must be true or false, not 'yes'."),
    ('["ROUGE-2"]', '["ROGUE-2"]', "line 5: 'metrics' names the unknown metric 'ROGUE-2': did you mean 'ROUGE-2'?"),
    ('size = "tiny"', 'size = "tinny"', "line 8: 'instances.generate.size' is 'tinny': did you mean 'tiny'?"),
    ("seed = 5", "sed = 5", "line 8: unknown key 'sed': did you mean 'seed'?"),
    ("seed = 5", "seed = -5", "line 8: 'instances.generate.seed' must be a whole number of at least 0, not -5."),
    ("count = 2", "count = 2.5", "line 8: 'instances.generate.count' must be a whole number of at least 1, not 2.5."),
    ("generate =", "genrate =", "line 8: unknown key 'genrate': did you mean 'generate'?"),
    ('name = "ad3"', 'name = "ad33"', "line 11: unknown solver 'ad33': did you mean 'ad3'?"),
    ("max_iterations = [200, 1000]", "max_iteration = 5", "line 12: unknown option 'max_iteration' of solver 'ad3'"),
    (
        "max_iterations = [200, 1000]",
        "max_iterations = 'x'",
        "line 12: option 'max_iterations' of solver 'ad3' must be",
    ),
    (
        "max_iterations = [200, 1000]",
        "max_iterations = []",
        "line 12: 'solvers.max_iterations' must have at least one value.",
    ),
    (
        "max_iterations = [200, 1000]",
        "max_iterations = [200, 200]",
        "has 'ad3 max_iterations=200 rounding=search' twice",
    ),
    ("{max_iterations}", "{iterations}", "line 20: 'solvers.label' must use options in braces"),
    ("seconds = 20", "second = 20", "line 24: unknown key 'second': did you mean 'seconds'?"),
    ("seconds = 20", "seconds = inf", "line 24: 'limits.seconds' must be a number above 0 and at most 1e+07, not inf."),
    (
        "memory_gb = 2.5",
        'memory_gb = "2"',
        "line 25: 'limits.memory_gb' must be a number above 0 and at most 1e+06, not '2'.",
    ),
    ("seconds = 20", "seconds = ", "not valid TOML"),
    ("seconds = 20", "seconds = 1" + 400 * "0", "line 24: 'limits.seconds' must be a number above 0 and at most 1e+07"),
    ('size = "tiny"', "size = []", "line 8: 'instances.generate.size' must have at least one value."),
    ('name = "demo"', 'name = "../demo"', "line 1: 'name' must be usable as the name of a folder, not '../demo'."),
    ('name = "demo"', 'name = ""', "line 1: 'name' must be usable as the name of a folder, not ''."),
    ("{max_iterations}", "{max_iterations.real.x}", "line 20: 'solvers.label' must use options in braces"),
    ('label = "subgradient-{max_iterations}"', 'label = " "', "line 20: 'solvers.label' must be one line of text"),
    (
        "[limits]",
        "[table]\nbaseline = ['ilp-*', 'ilp-hihgs']\n[limits]",
        "line 24: 'table.baseline' is 'ilp-hihgs': did you mean 'ilp-highs'?",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "sentence"), WRONG)
def test_mistakes_are_named_with_their_line(tmp_path: Path, right: str, wrong: str, sentence: str) -> None:
    assert right in GOOD
    with pytest.raises(InputError) as caught:
        read_experiment(written(tmp_path, GOOD.replace(right, wrong)))
    assert sentence in str(caught.value)
    assert str(tmp_path / "mine.toml") in str(caught.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"instances": {}}, "must have exactly one of generate, load, corpus"),
        ({"instances": {"load": "nowhere/*.json"}}, "finds no file"),
        ({"instances": {"generate": {"seeds": [1, 1]}}}, "names an instance twice"),
        ({"instances": {"generate": {"seeds": [1], "count": 2}}}, "cannot stand beside"),
        ({"instances": {"corpus": {"name": "multiling"}}}, "did you mean 'multiling2011'?"),
        ({"solvers": []}, "expected at least one table [[solvers]]"),
        ({"solvers": [{"name": "ilp-highs"}, {"name": "ilp-highs"}]}, "has 'ilp-highs' twice"),
        ({"solvers": "ilp-highs"}, "must be tables [[solvers]]"),
        ({"limits": 3}, "must be a table"),
        ({"table": {"columns": ["solvr"]}}, "solvr"),
        ({"plots": [{"kind": "profil"}]}, "did you mean 'profile'?"),
        ({"plots": [{"kind": ["profile"]}]}, "unknown plot ['profile']"),
        ({"plugins": ["nowhere.py"]}, "no such plug-in file"),
    ],
)
def test_mistakes_in_dictionaries(change: dict[str, Any], sentence: str) -> None:
    good: dict[str, Any] = {
        "task": "extraction",
        "instances": {"generate": {"size": "tiny"}},
        "solvers": [{"name": "ilp-highs"}],
    }
    read_experiment(good)
    with pytest.raises(InputError, match=r".") as caught:
        read_experiment({**good, **change})
    assert sentence in str(caught.value)


def test_unknown_experiment_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'summarization-runtimes'"):
        read_experiment("summarisation-runtimes")


@pytest.mark.parametrize("name", sorted(built_in()))
def test_our_own_experiments_can_be_read(name: str) -> None:
    experiment = read_experiment(name)
    assert experiment.name == name
    assert experiment.title


def test_lines_of_keys_in_all_shapes() -> None:
    text = 'a = 1\n[b]\nc = { d = 2 }\n[[e]]\nf = 3\n[[e]]\n"f" = 4\n[b.g]\nh.i = 5\n'
    lines = line_numbers(text)
    assert line_of(lines, ("a",)) == 1
    assert line_of(lines, ("b", "c", "d")) == 3
    assert line_of(lines, ("e", 0, "f")) == 5
    assert line_of(lines, ("e", 1, "f")) == 7
    assert line_of(lines, ("b", "g", "h", "i")) == 9
    assert line_of(lines, ("nowhere",)) is None
    long = line_numbers('a = """\n[b]\nc = 1\n"""\n["b"]\nc = 2\n')
    assert line_of(long, ("b", "c")) == 6


ENDLESS = {
    "digits": ("repetitions = 2", f"repetitions = {'9' * 5000}", "too many digits"),
    "hexadecimal": ("repetitions = 2", f"repetitions = 0x{'f' * 5000}", "'repetitions' must be a whole number"),
    "repetitions": ("repetitions = 2", "repetitions = 1000000000", "a run can have 1000000"),
    "deep arrays": ("repetitions = 2", f"repetitions = {'[' * 5000}", "nested too deeply"),
    "deep tables": ("repetitions = 2", f"repetitions = {'{ a = ' * 5000}", "nested too deeply"),
    "dots": ("repetitions = 2", f"{'.'.join('a' * 100_000)} = 1", "more than 1000 dots in a line"),
    "name": ("repetitions = 2", f'name = "{"x" * 300}"', "short enough for the name of a folder"),
    "size": ("repetitions = 2", f'title = "{"x" * 2**21}"', "at most 1 MB"),
}


@pytest.mark.parametrize(("right", "wrong", "said"), ENDLESS.values(), ids=ENDLESS.keys())
def test_what_has_no_end_is_refused_at_once(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    assert right in ENDLESS_BASE
    with pytest.raises(InputError) as caught:
        read_experiment(written(tmp_path, ENDLESS_BASE.replace(right, wrong)))
    assert said in str(caught.value)
    assert len(str(caught.value)) < 500


ENDLESS_BASE = """task = "extraction"
repetitions = 2
[instances]
generate = { size = "tiny", count = 2 }
[[solvers]]
name = "ad3"
max_iterations = 100
"""


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("{max_iterations:>3000000000}", "must use options in braces (max_iterations)"),
        ("{max_iterations:>{max_iterations}}", "must use options in braces"),
        ("{max_iterations.__class__}", "must use options in braces"),
        ("{max_iterations:>99}" * 3, "must have at most 200 characters, not 297"),
    ],
)
def test_labels_stay_short(tmp_path: Path, label: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_experiment(written(tmp_path, f'{ENDLESS_BASE}label = "{label}"\n'))
    assert said in str(caught.value)


def test_formats_of_labels(tmp_path: Path) -> None:
    text = ENDLESS_BASE + 'label = "AD3 {max_iterations:>5}, {max_iterations!r:.2}"\n'
    assert read_experiment(written(tmp_path, text)).solvers[0].label == "AD3   100, 10"


@pytest.mark.parametrize("count", ["1000000000", str(2**62)])
def test_a_billion_instances_are_refused_without_making_them(tmp_path: Path, count: str) -> None:
    with pytest.raises(InputError, match=f"'instances.generate.count' must be at most 1000000, not {count}"):
        read_experiment(written(tmp_path, ENDLESS_BASE.replace("count = 2", f"count = {count}")))


def test_grids_without_end_are_refused(tmp_path: Path) -> None:
    values = [*range(1, 50)]
    text = ENDLESS_BASE.replace("= 100", f"= {values}") + f"eta = {values}\n"
    with pytest.raises(InputError, match="makes more than 1000 combinations of options"):
        read_experiment(written(tmp_path, text))


def test_cells_are_counted_without_making_them(tmp_path: Path) -> None:
    """Also where some solvers cannot trace and some instances are the same."""
    text = ENDLESS_BASE.replace("repetitions = 2", "repetitions = 2\ntrace = true") + '[[solvers]]\nname = "greedy"\n'
    plan = planned(read_experiment(written(tmp_path, text)))
    cells = Counter(cell.solver.label for cell in plan)
    assert plan.counts() == [cells[spec.label] for spec, *_ in plan.solvers]
    assert plan.counts() == [6, 4]


SEVERAL = """
task = "extraction"
[[instances]]
generate = { size = ["tiny", "tac"], seeds = [1, 2] }
[[instances]]
name = "rare words"
generate = { size = "zipf", seeds = [7] }
[[solvers]]
name = "ilp-highs"
[[solvers]]
name = "brute-force"
sizes = ["tiny"]
"""


def test_several_sources_take_turns_and_keep_their_names(tmp_path: Path) -> None:
    source = read_experiment(written(tmp_path, SEVERAL)).source
    assert [item.size for item in source.items()] == ["tiny", "rare words", "tac", "tiny", "tac"]
    assert (source.count, source.seeds, source.sizes) == (5, [1, 2, 7], ["tiny", "tac", "rare words"])
    assert [item.size for item in source.shortened(1).items()] == ["tiny", "rare words", "tac"]
    assert [item.size for item in source.shortened(2, ["tiny"]).items()] == ["tiny", "tiny"]


def test_a_solver_may_be_run_on_some_sizes_only(tmp_path: Path) -> None:
    experiment = read_experiment(written(tmp_path, SEVERAL))
    plan = Plan(experiment, {"ilp-highs": "1", "brute-force": "1"})
    found = [(cell.solver.name, cell.instance.size) for cell in plan]
    assert len(found) == 7
    assert found.count(("brute-force", "tiny")) == 2
    assert plan.counts() == [5, 2]


def test_a_solver_may_have_a_label_for_each_size(tmp_path: Path) -> None:
    solvers = '[[solvers]]\nname = "greedy"\nlabel = "{}"\nsizes = ["{}"]\n'
    two = solvers.format("small", "tiny") + solvers.format("usual", "tac")
    found = read_experiment(written(tmp_path, SEVERAL + two)).solvers
    assert [(spec.label, spec.sizes) for spec in found[2:]] == [("small", ("tiny",)), ("usual", ("tac",))]
    for again in (solvers.format("once more", "tac"), '[[solvers]]\nname = "greedy"\nlabel = "everywhere"\n'):
        with pytest.raises(InputError, match=r"has '(once more|everywhere)' twice"):
            read_experiment(written(tmp_path, SEVERAL + two + again))


def test_a_solver_for_a_size_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 12: 'solvers.sizes' names 'tinny': did you mean 'tiny'\?"):
        read_experiment(written(tmp_path, SEVERAL.replace('sizes = ["tiny"]', 'sizes = ["tinny"]')))


def test_an_instance_table_needs_one_source(tmp_path: Path) -> None:
    text = SEVERAL.replace('generate = { size = "zipf", seeds = [7] }', "")
    with pytest.raises(InputError, match="must have exactly one of generate, load, corpus"):
        read_experiment(written(tmp_path, text))
