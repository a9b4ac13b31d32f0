"""Experiments: TOML files that say what is run. Every complaint names the file, the line and the nearest valid name."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import Formatter
from typing import Any

from problems.errors import InputError, nearest, quoted, shortened
from problems.formats import read_text
from solvers import make_solver

from .plugins import load_plugin
from .presentation import baselines, check_layout, check_plot, named_by
from .sections import Section, line_numbers, parse
from .sections import is_positive as is_positive  # part of what others read experiments with
from .sources import Sources, read_sources, task_named
from .targets import TARGET

FOLDER = Path(__file__).parent
KEYS = (
    *("name", "title", "question", "task", "repetitions", "trace", "metrics"),
    *("instances", "solvers", "limits", "table", "plots", "plugins"),
)
SOLVER_KEYS = ("name", "label", "sizes", "bound_within")
WIDE = re.compile(r"\d{3}")  # a width or precision of a label's option
MOST_SOLVERS = 1000  # combinations of options
MOST_CELLS = 1_000_000
MOST_SECONDS, MOST_MEMORY_GB = 1e7, 1e6  # what clocks and systems can hold
LONGEST_LABEL, LONGEST_NAME = 200, 200  # characters; bytes that a file system takes


@dataclass(frozen=True)
class Limits:
    """What one cell may use. Solvers with an option `time_limit` are told `seconds`; all are killed `grace_seconds` later."""

    seconds: float = 300.0
    memory_gb: float | None = None  # None: 80 % of the machine's memory, shared among jobs
    grace_seconds: float = 0.5
    warmup_seconds: float | None = None  # None: `seconds`, but at least what a cold library needs to load
    check_seconds: float = 10.0  # for judging one answer


@dataclass(frozen=True)
class SolverSpec:
    """One solver with one set of options; `options` are those that the experiment sets. `sizes` are all where it names none.

    With `bound_within`, each instance's plan adds the option `bound_target` (`targets.py`).
    """

    name: str
    label: str
    options: dict[str, Any]
    sizes: tuple[str, ...] = ()
    bound_within: float | None = None

    def runs_on(self, size: str) -> bool:
        return not self.sizes or size in self.sizes

    def repeats(self, other: SolverSpec) -> bool:
        """Would it solve an instance that the other one solves with the same options?"""
        shared = not self.sizes or not other.sizes or set(self.sizes) & set(other.sizes)
        own, others = ((spec.name, spec.options, spec.bound_within) for spec in (self, other))
        return bool(shared) and own == others

    def document(self) -> dict[str, Any]:
        sizes = {"sizes": list(self.sizes)} if self.sizes else {}
        within = {} if self.bound_within is None else {"bound_within": self.bound_within}
        return {"name": self.name, "label": self.label, "options": self.options, **sizes, **within}


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    task: str
    repetitions: int
    trace: bool
    metrics: tuple[str, ...]
    source: Sources
    solvers: tuple[SolverSpec, ...]
    limits: Limits
    table: dict[str, Any] = field(default_factory=dict)
    plots: tuple[dict[str, Any], ...] = ()
    plugins: tuple[Path, ...] = ()
    text: str = ""
    question: str = ""  # that its records answer
    part: dict[str, list[str]] = field(default_factory=dict)  # patterns, where not all of it is run (`selection.py`)

    def document(self) -> dict[str, Any]:
        """The experiment as understood, for the run's folder."""
        return {
            **{name: getattr(self, name) for name in ("name", "title", "question", "task", "repetitions", "trace")},
            "metrics": list(self.metrics),
            "instances": self.source.document(),
            "solvers": [spec.document() for spec in self.solvers],
            "limits": vars(self.limits),
            "table": self.table,
            "plots": list(self.plots),
            "plugins": [str(path) for path in self.plugins],
            **({"part": self.part} if self.part else {}),
        }


def read_experiment(given: str | Path | dict[str, Any], plugins: Iterable[Path] = ()) -> Experiment:
    """An experiment from a TOML file, the name of one of ours, or a dictionary."""
    if isinstance(given, dict):
        return _understand(Section(given, "experiment", {}), "experiment", Path.cwd(), "", plugins)
    path = find_experiment(given)
    text = read_text(path)
    values = parse(text, path)
    return _understand(Section(values, str(path), line_numbers(text)), path.stem, path.parent, text, plugins)


def built_in() -> dict[str, Path]:
    """The experiments that come with dualbench, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def find_experiment(given: str | Path) -> Path:
    path = Path(given)
    if path.suffix == ".toml" or path.exists():
        return path
    if str(given) in built_in():
        return built_in()[str(given)]
    raise InputError(
        f"unknown experiment {quoted(str(given))}: {nearest(given, built_in())} A file of your own ends in .toml."
    )


def _understand(top: Section, name: str, folder: Path, text: str, plugins: Iterable[Path]) -> Experiment:
    top.no_others(KEYS)
    loaded = _load_plugins(top, folder, plugins)
    wanted = top.text("task")
    try:
        task = task_named(wanted)
    except InputError as error:
        raise top.error("task", str(error)) from None
    experiment = Experiment(
        name=top.text("name", name),
        title=top.text("title", ""),
        task=task.name,
        repetitions=top.whole("repetitions", 1, 1),
        trace=top.get("trace", lambda value: isinstance(value, bool), "true or false", False),
        metrics=_metrics(top, task),
        source=read_sources(top, task, folder),
        solvers=tuple(_solvers(top, task.name)),
        limits=_limits(top.part("limits", {})),
        table=_shown(top.part("table", {}), check_layout, task.metrics),
        plots=tuple(_shown(section, check_plot) for section in top.parts("plots")),
        plugins=loaded,
        text=text,
        question=top.text("question", ""),
    )
    if not experiment.solvers:
        raise top.error("solvers", "is missing; expected at least one table [[solvers]]")
    if not re.fullmatch(r"[^\s./\\\0][^/\\\0\n]*", experiment.name):
        raise top.error("name", f"must be usable as the name of a folder, not {quoted(experiment.name)}")
    if len(experiment.name.encode("utf-8", "surrogatepass")) > LONGEST_NAME:
        raise top.error("name", f"must be short enough for the name of a folder, not {quoted(experiment.name)}")
    _check_sizes(top, experiment)
    check_cells(experiment, experiment.source.count or 1, top.where)
    _check_baselines(top, experiment)
    return experiment


def _check_baselines(top: Section, experiment: Experiment) -> None:
    """Refuse a table against solvers that the experiment does not have."""
    known = {spec.label: spec.name for spec in experiment.solvers}
    for pattern in baselines(experiment.table):
        if not named_by(pattern, known):
            raise top.part("table").error("baseline", f"is {quoted(pattern)}: {nearest(pattern, known)}")


def _check_sizes(top: Section, experiment: Experiment) -> None:
    """Refuse solvers for sizes that no source has."""
    known = experiment.source.sizes
    for section in top.parts("solvers"):
        for size in section.texts("sizes"):
            if size not in known:
                raise section.error("sizes", f"names {quoted(size)}: {nearest(size, known)}")


def check_cells(experiment: Experiment, instances: int, where: str) -> None:
    """Refuse more cells than a run can hold; of corpora the plan knows the number of instances only."""
    cells = instances * len(experiment.solvers) * (experiment.repetitions + experiment.trace)
    if cells > MOST_CELLS:
        raise InputError(
            f"{where}: {instances} instances, {len(experiment.solvers)} solvers and {experiment.repetitions} repetitions "
            f"make {cells} cells; a run can have {MOST_CELLS}."
        )


def _load_plugins(top: Section, folder: Path, plugins: Iterable[Path]) -> tuple[Path, ...]:
    paths = [*(folder / name for name in top.texts("plugins")), *plugins]
    for path in dict.fromkeys(path.resolve() for path in paths):
        load_plugin(path)
    return tuple(dict.fromkeys(path.resolve() for path in paths))


def _metrics(top: Section, task: Any) -> tuple[str, ...]:
    metrics = top.texts("metrics")
    for metric in metrics:
        if task.metrics and metric not in task.metrics:
            problem = f"names the unknown metric {quoted(metric)}: {nearest(metric, task.metrics)}"
            raise top.error("metrics", problem.rstrip("."))
    return metrics


def _limits(section: Section) -> Limits:
    defaults = Limits()
    section.no_others(vars(defaults))
    most = dict.fromkeys(vars(defaults), MOST_SECONDS) | {"memory_gb": MOST_MEMORY_GB}
    found: dict[str, Any] = {name: section.positive(name, value, most[name]) for name, value in vars(defaults).items()}
    return Limits(**found)


def _shown(section: Section, check: Callable[..., None], *known: Any) -> dict[str, Any]:
    """A table or a plot, which must be one that records can be shown by."""
    try:
        check(section.values, *known)
    except InputError as error:
        raise InputError(f"{section.place()}: {error}") from None
    return section.values


def _solvers(top: Section, task: str) -> Iterable[SolverSpec]:
    """Every combination of the options' values; those that vary make the label unless the experiment gives a pattern."""
    found: list[SolverSpec] = []
    for section in top.parts("solvers"):
        name, pattern, sizes = section.text("name"), section.text("label", ""), section.texts("sizes")
        options = {key: value for key, value in section.values.items() if key not in SOLVER_KEYS}
        grids = {key: value if isinstance(value, list) else [value] for key, value in options.items()}
        for key, values in grids.items():
            if not values:
                raise section.error(key, "must have at least one value")
        if math.prod(map(len, grids.values())) > MOST_SOLVERS - len(found):
            raise section.error("", f"makes more than {MOST_SOLVERS} combinations of options")
        for combination in itertools.product(*grids.values()):
            chosen = dict(zip(grids, combination, strict=True))
            _check_solver(section, name, task, chosen)
            varying = {key: chosen[key] for key in grids if len(grids[key]) > 1}
            label = _label(section, name, pattern, chosen, varying)
            found.append(SolverSpec(name, label, chosen, sizes, _within(section, name, task, chosen)))
    return _distinct(top, found)


def _within(section: Section, name: str, task: str, options: dict[str, Any]) -> float | None:
    """The share of the relaxation's optimum that the solver's bound is to come within."""
    if "bound_within" not in section.values:
        return None
    found = section.positive("bound_within", None, 1.0)
    known = make_solver(name, None if task == "graph" else task, options).options
    if TARGET not in known or TARGET in options:
        raise section.error(
            "bound_within", f"sets the option {TARGET!r}, which {name!r} must have, and nothing else may set"
        )
    return found


def _check_solver(section: Section, name: str, task: str, options: dict[str, Any]) -> None:
    try:
        make_solver(name, None if task == "graph" else task, options)
    except InputError as error:
        guilty = next((key for key in options if repr(key) in str(error)), "name")
        raise InputError(f"{section.place(guilty)}: {error}") from None


def _label(section: Section, name: str, pattern: str, options: dict[str, Any], varying: dict[str, Any]) -> str:
    if "label" not in section.values:
        return " ".join([name, *(f"{key}={shortened(str(value))}" for key, value in varying.items())])
    if not pattern.strip() or not pattern.isprintable():
        raise section.error("label", f"must be one line of text, not {quoted(pattern)}")
    try:
        _check_pattern(pattern, options)
        label = pattern.format(**options)
    except (KeyError, IndexError, ValueError, AttributeError, TypeError):
        known = shortened(", ".join(options)) or "there are none"
        raise section.error("label", f"must use options in braces ({known})") from None
    if len(label) > LONGEST_LABEL:
        raise section.error("label", f"must have at most {LONGEST_LABEL} characters, not {len(label)}")
    return label


def _check_pattern(pattern: str, options: dict[str, Any]) -> None:
    """A KeyError or ValueError for what could reach beyond the options, or make a label of gigabytes."""
    for _, option, form, _ in Formatter().parse(pattern):
        if option is not None and option not in options:
            raise KeyError(option)
        if form and ("{" in form or WIDE.search(form)):
            raise ValueError(form)


def _distinct(top: Section, specs: list[SolverSpec]) -> list[SolverSpec]:
    """Labels told apart by all options where they are the same; the same solver twice on the same sizes is refused."""
    result: list[SolverSpec] = []
    for spec in specs:
        if any(spec.repeats(other) for other in result):
            raise top.error("solvers", f"has {quoted(spec.label)} twice")
        alone = [other.label for other in specs].count(spec.label) == 1
        options = " ".join(f"{key}={shortened(str(value))}" for key, value in spec.options.items())
        result.append(spec if alone else replace(spec, label=f"{spec.label} {options}".strip()))
    if len({spec.label for spec in result}) < len(result):
        raise top.error("solvers", "has two entries with the same label; give each a label of its own")
    return result
