"""Experiments: TOML files that say what is run. Every complaint names the file, the line and the nearest valid name."""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from problems.errors import InputError, nearest
from problems.formats import read_text
from solvers import make_solver

from .sources import Source, read_source, task_named
from .toml_lines import Key, line_numbers, line_of

FOLDER = Path(__file__).parent / "experiments"
KEYS = (
    "name",
    "title",
    "task",
    "repetitions",
    "trace",
    "metrics",
    "instances",
    "solvers",
    "limits",
    "table",
    "plots",
    "plugins",
)
SOLVER_KEYS = ("name", "label")


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
    """One solver with one set of options; `options` are those that the experiment sets."""

    name: str
    label: str
    options: dict[str, Any]


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    task: str
    repetitions: int
    trace: bool
    metrics: tuple[str, ...]
    source: Source
    solvers: tuple[SolverSpec, ...]
    limits: Limits
    table: dict[str, Any] = field(default_factory=dict)
    plots: tuple[dict[str, Any], ...] = ()
    plugins: tuple[Path, ...] = ()
    text: str = ""

    def document(self) -> dict[str, Any]:
        """The experiment as understood, for the run's folder."""
        return {
            "name": self.name,
            "title": self.title,
            "task": self.task,
            "repetitions": self.repetitions,
            "trace": self.trace,
            "metrics": list(self.metrics),
            "instances": self.source.document(),
            "solvers": [{"name": s.name, "label": s.label, "options": s.options} for s in self.solvers],
            "limits": vars(self.limits),
            "table": self.table,
            "plots": list(self.plots),
            "plugins": [str(path) for path in self.plugins],
        }


class Section:
    """A table of the file. What is asked for is checked; what nobody asked for is refused by `no_others`."""

    def __init__(self, values: Any, where: str, lines: dict[Key, int], key: Key = ()) -> None:
        self.where, self.lines, self.key = where, lines, key
        if not isinstance(values, dict):
            raise self.error("", f"must be a table, not {values!r}")
        self.values = values

    def error(self, name: str, problem: str) -> InputError:
        key = (*self.key, name) if name else self.key
        line = line_of(self.lines, key)
        said = ".".join(str(part) for part in key if not isinstance(part, int))
        end = "" if problem.endswith(("?", ".")) else "."
        return InputError(f"{self.where}{'' if line is None else f', line {line}'}: {said!r} {problem}{end}")

    def unknown(self, name: str, valid: Iterable[str], what: str = "key") -> InputError:
        line = line_of(self.lines, (*self.key, name))
        place = f"{self.where}{'' if line is None else f', line {line}'}"
        return InputError(f"{place}: unknown {what} {name!r}: {nearest(name, valid)}")

    def no_others(self, valid: Iterable[str]) -> None:
        valid = tuple(valid)
        for name in self.values:
            if name not in valid:
                raise self.unknown(name, valid)

    def get(self, name: str, accept: Callable[[Any], bool], expected: str, default: Any = None) -> Any:
        if name not in self.values:
            if default is None:
                raise self.error(name, f"is missing; expected {expected}")
            return default
        if not accept(self.values[name]):
            raise self.error(name, f"must be {expected}, not {self.values[name]!r}")
        return self.values[name]

    def text(self, name: str, default: str | None = None) -> str:
        return self.get(name, lambda value: isinstance(value, str), "a text", default)

    def whole(self, name: str, least: int, default: int | None = None) -> int:
        return self.get(name, lambda v: is_whole(v) and v >= least, f"a whole number of at least {least}", default)

    def positive(self, name: str, default: float | None) -> float | None:
        if name not in self.values and default is None:
            return None
        return float(self.get(name, is_positive, "a finite number above 0", default))

    def texts(self, name: str) -> tuple[str, ...]:
        found = self.get(
            name, lambda v: isinstance(v, list) and all(isinstance(t, str) for t in v), "a list of texts", []
        )
        return tuple(found)

    def part(self, name: str, default: dict[str, Any] | None = None) -> Section:
        if name not in self.values and default is None:
            raise self.error(name, "is missing; expected a table")
        return Section(self.values.get(name, default), self.where, self.lines, (*self.key, name))

    def parts(self, name: str) -> list[Section]:
        found = self.get(name, lambda value: isinstance(value, list), f"tables [[{name}]]", [])
        return [Section(value, self.where, self.lines, (*self.key, name, i)) for i, value in enumerate(found)]


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_positive(value: Any) -> bool:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return 0 < float(value) < math.inf
    except OverflowError:
        return False


def read_experiment(given: str | Path | dict[str, Any], plugins: Iterable[Path] = ()) -> Experiment:
    """An experiment from a TOML file, the name of one of ours, or a dictionary."""
    if isinstance(given, dict):
        return _understand(Section(given, "experiment", {}), "experiment", Path.cwd(), "", plugins)
    path = find_experiment(given)
    text = read_text(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not valid TOML ({error}).") from None
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
        f"unknown experiment {str(given)!r}: {nearest(given, built_in())} A file of your own ends in .toml."
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
        source=read_source(top.part("instances"), task, folder),
        solvers=tuple(_solvers(top, task.name)),
        limits=_limits(top.part("limits", {})),
        table=_table(top.part("table", {}), task),
        plots=tuple(_plot(section) for section in top.parts("plots")),
        plugins=loaded,
        text=text,
    )
    if not experiment.solvers:
        raise top.error("solvers", "is missing; expected at least one table [[solvers]]")
    if not re.fullmatch(r"[^\s./\\\0][^/\\\0\n]*", experiment.name):
        raise top.error("name", f"must be usable as the name of a folder, not {experiment.name!r}")
    baseline, labels = experiment.table.get("baseline"), [spec.label for spec in experiment.solvers]
    if baseline and baseline not in labels:
        raise top.part("table").error("baseline", f"is {baseline!r}: {nearest(baseline, labels)}")
    return experiment


def _load_plugins(top: Section, folder: Path, plugins: Iterable[Path]) -> tuple[Path, ...]:
    from .plugins import load_plugin

    paths = [*(folder / name for name in top.texts("plugins")), *plugins]
    for path in dict.fromkeys(path.resolve() for path in paths):
        load_plugin(path)
    return tuple(dict.fromkeys(path.resolve() for path in paths))


def _metrics(top: Section, task: Any) -> tuple[str, ...]:
    metrics = top.texts("metrics")
    for metric in metrics:
        if task.metrics and metric not in task.metrics:
            raise top.error(
                "metrics", f"names the unknown metric {metric!r}: {nearest(metric, task.metrics)}".rstrip(".")
            )
    return metrics


def _limits(section: Section) -> Limits:
    defaults = Limits()
    section.no_others(vars(defaults))
    found: dict[str, Any] = {name: section.positive(name, default) for name, default in vars(defaults).items()}
    return Limits(**found)


def _table(section: Section, task: Any) -> dict[str, Any]:
    if not section.values:
        return {}
    from .run_tables import check_layout

    try:
        check_layout(section.values, task.metrics)
    except InputError as error:
        raise InputError(f"{_place(section)}: {error}") from None
    return section.values


def _plot(section: Section) -> dict[str, Any]:
    from .plots.registry import check_plot

    try:
        check_plot(section.values)
    except InputError as error:
        raise InputError(f"{_place(section)}: {error}") from None
    return section.values


def _place(section: Section) -> str:
    line = line_of(section.lines, section.key)
    return section.where if line is None else f"{section.where}, line {line}"


def _solvers(top: Section, task: str) -> Iterable[SolverSpec]:
    """Every combination of the options' values; those that vary make the label unless the experiment gives a pattern."""
    found: list[SolverSpec] = []
    for section in top.parts("solvers"):
        name, pattern = section.text("name"), section.text("label", "")
        options = {key: value for key, value in section.values.items() if key not in SOLVER_KEYS}
        grids = {key: value if isinstance(value, list) else [value] for key, value in options.items()}
        for key, values in grids.items():
            if not values:
                raise section.error(key, "must have at least one value")
        for combination in itertools.product(*grids.values()):
            chosen = dict(zip(grids, combination, strict=True))
            _check_solver(section, name, task, chosen)
            varying = {key: chosen[key] for key in grids if len(grids[key]) > 1}
            found.append(SolverSpec(name, _label(section, name, pattern, chosen, varying), chosen))
    return _distinct(top, found)


def _check_solver(section: Section, name: str, task: str, options: dict[str, Any]) -> None:
    try:
        make_solver(name, None if task == "graph" else task, options)
    except InputError as error:
        guilty = next((key for key in options if repr(key) in str(error)), "name")
        line = line_of(section.lines, (*section.key, guilty))
        raise InputError(f"{section.where}{'' if line is None else f', line {line}'}: {error}") from None


def _label(section: Section, name: str, pattern: str, options: dict[str, Any], varying: dict[str, Any]) -> str:
    if "label" in section.values:
        if not pattern.strip() or not pattern.isprintable():
            raise section.error("label", f"must be one line of text, not {pattern!r}")
        try:
            return pattern.format(**options)
        except (KeyError, IndexError, ValueError, AttributeError, TypeError):
            raise section.error(
                "label", f"must use options in braces ({', '.join(options) or 'there are none'})"
            ) from None
    return " ".join([name, *(f"{key}={value}" for key, value in varying.items())])


def _distinct(top: Section, specs: list[SolverSpec]) -> list[SolverSpec]:
    """Labels told apart by all options where they are the same; the same solver twice is refused."""
    result: list[SolverSpec] = []
    for spec in specs:
        if any((spec.name, spec.options) == (other.name, other.options) for other in result):
            raise top.error("solvers", f"has {spec.label!r} twice")
        alone = [other.label for other in specs].count(spec.label) == 1
        options = " ".join(f"{key}={value}" for key, value in spec.options.items())
        result.append(spec if alone else SolverSpec(spec.name, f"{spec.label} {options}".strip(), spec.options))
    if len({spec.label for spec in result}) < len(result):
        raise top.error("solvers", "has two entries with the same label; give each a label of its own")
    return result
