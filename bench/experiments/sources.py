"""Where an experiment's instances come from: generators, saved files, corpora. All are read again when needed."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from problems import get_task, library
from problems.bare_graph import BareGraphTask
from problems.errors import InputError, nearest, quoted

from ..data.folder import data_folder
from .instances import load_instance, matching

if TYPE_CHECKING:
    from ..records.frame import Records
    from .sections import Section

KINDS = ("generate", "load", "corpus")
MOST_INSTANCES = 1_000_000
LONGEST_NAME = 60  # characters


class Item(NamedTuple):
    """One instance that can be made when it is needed."""

    size: str  # the generator's name of it, or the corpus; empty for files
    make: Callable[[], Any]
    name: str = ""  # of a graph, which has none itself


@dataclass(frozen=True)
class Source:
    """One table [[instances]]. `values` is what the experiment says, with paths made absolute; `name` is that of its sizes."""

    task: str
    kind: str
    values: Any
    name: str = ""

    def document(self) -> dict[str, Any]:
        return {"task": self.task, self.kind: self.values, **({"name": self.name} if self.name else {})}

    @property
    def sizes(self) -> list[str]:
        """What records call the sizes of its instances."""
        if self.kind == "generate":
            return [self.size(own) for own in self.values["sizes"]]
        return [self.name if self.kind == "load" else self.size(self.values["name"])]

    def size(self, own: str) -> str:
        """What records call the size of an instance that the generator or corpus calls `own`."""
        several = self.kind == "generate" and len(self.values["sizes"]) > 1
        return f"{self.name} {own}" if self.name and several else self.name or own

    def shortened(self, count: int, sizes: Iterable[str] = ()) -> Source:
        """The first instances of each size only; with `sizes`, of these."""
        if self.kind == "generate":
            kept = [size for size in self.values["sizes"] if not sizes or size in sizes]
            return replace(self, values={"sizes": kept, "seeds": self.values["seeds"][:count]})
        if self.kind == "load":
            return replace(self, values=self.values[:count])
        return replace(self, values={**self.values, "limit": min(count, self.values.get("limit", count))})

    @property
    def seeds(self) -> list[int]:
        return list(self.values["seeds"]) if self.kind == "generate" else []

    @property
    def count(self) -> int | None:
        """How many instances there are at most; None where only reading a corpus tells."""
        if self.kind == "generate":
            return len(self.values["sizes"]) * len(self.values["seeds"])
        return len(self.values) if self.kind == "load" else None

    def items(self) -> Iterator[Item]:
        """The instances in order; sizes take turns, so that drift of the machine hits all alike and all are seen early."""
        task = task_named(self.task)
        if self.kind == "generate":
            for seed in self.values["seeds"]:
                for size in self.values["sizes"]:
                    make = lambda size=size, seed=seed: task.generate(seed, size)  # noqa: E731
                    yield Item(self.size(size), make, f"{size}-{seed}" if self.task == BareGraphTask.name else "")
        elif self.kind == "load":
            for path in self.values:
                name = Path(path).stem if self.task == BareGraphTask.name else ""
                yield Item(self.name, lambda path=path: self._load(Path(path)), name)  # type: ignore[misc]
        else:
            name, folder = self.values["name"], data_folder()
            options = {key: value for key, value in self.values.items() if key != "name"}
            for instance in task.read_corpus(name, folder, **options):
                yield Item(self.size(name), lambda instance=instance: instance)  # type: ignore[misc]

    def _load(self, path: Path) -> Any:
        instance = load_instance(path)
        found = getattr(instance, "task", "graph")
        if found != self.task:
            raise InputError(f"{path}: an instance of task {found!r}, expected {self.task!r}.")
        return instance


@dataclass(frozen=True)
class Sources:
    """All instances of an experiment; with `only`, those whose names match a pattern of it."""

    parts: tuple[Source, ...]
    only: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """That of the source, or of all where there are several."""
        found = [part.document() for part in self.parts]
        return found[0] if len(found) == 1 else {"task": self.parts[0].task, "sources": found}

    @property
    def seeds(self) -> list[int]:
        return sorted({seed for part in self.parts for seed in part.seeds})

    @property
    def sizes(self) -> list[str]:
        return list(dict.fromkeys(size for part in self.parts for size in part.sizes))

    @property
    def count(self) -> int | None:
        counts = [part.count for part in self.parts]
        return None if self.only or None in counts else sum(count for count in counts if count is not None)

    def items(self) -> Iterator[Item]:
        """What `only` leaves; an instance must be made to know its name, and is made once."""
        if not self.only:
            yield from self._all()
            return
        task, seen = task_named(self.parts[0].task), ""
        found = False
        for item in self._all():
            instance = item.make()
            seen = item.name or instance_name(task, instance, digest(task, instance))
            if any(fnmatchcase(seen, pattern) for pattern in self.only):
                found = True
                yield item._replace(make=lambda instance=instance: instance)  # type: ignore[misc]
        if not found:
            given = " or ".join(map(quoted, self.only))
            raise InputError(f"option '--instance': no instance is called {given}; one of them is {quoted(seen)}.")

    def _all(self) -> Iterator[Item]:
        """The sources take turns, as their sizes do."""
        running = [part.items() for part in self.parts]
        while running:
            for items in list(running):
                item = next(items, None)
                if item is None:
                    running.remove(items)
                else:
                    yield item

    def shortened(self, count: int, sizes: Iterable[str] = ()) -> Sources:
        """The first instances of each size of each source; with `sizes`, of these only."""
        wanted = tuple(sizes)
        found = (part.shortened(count, wanted) for part in self.parts)
        return replace(self, parts=tuple(part for part in found if part.kind != "generate" or part.values["sizes"]))


def task_named(name: str) -> Any:
    """A task by name; `graph` is the task of bare factor graphs."""
    return BareGraphTask() if name == BareGraphTask.name else get_task(name)


def read_sources(top: Section, task: Any, folder: Path) -> Sources:
    """What the table [instances], or the tables [[instances]], describe."""
    if isinstance(top.values.get("instances"), list):
        sections = top.parts("instances")
        if not sections:
            raise top.error("instances", "must have at least one table")
        return Sources(tuple(_source(section, task, folder) for section in sections))
    return Sources((_source(top.part("instances"), task, folder),))


def _source(section: Section, task: Any, folder: Path) -> Source:
    section.no_others((*KINDS, "name"))
    kinds = [kind for kind in KINDS if kind in section.values]
    if len(kinds) != 1:
        raise section.error("", f"must have exactly one of {', '.join(KINDS)}")
    (kind,) = kinds
    name = section.text("name", "")
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise section.error("name", f"must be one line of at most {LONGEST_NAME} characters, not {quoted(name)}")
    if kind == "generate":
        return Source(task.name, kind, _generator(section.part(kind), task), name)
    if kind == "load":
        return Source(task.name, kind, _paths(section, folder), name)
    return Source(task.name, kind, _corpus(section.part(kind), task, folder), name)


def _generator(section: Section, task: Any) -> dict[str, Any]:
    section.no_others(("size", "count", "seed", "seeds"))
    if not task.sizes:
        raise section.error("", f"cannot be used: task {task.name!r} has no generator")
    given = section.values.get("size", task.default_size)
    sizes = given if isinstance(given, list) else [given]
    if not sizes:
        raise section.error("size", "must have at least one value")
    for size in sizes:
        if size not in task.sizes:
            raise section.error("size", f"is {quoted(size)}: {nearest(size, task.sizes)}".rstrip("."))
    if "seeds" in section.values:
        if "count" in section.values or "seed" in section.values:
            raise section.error("seeds", "cannot stand beside 'seed' or 'count'")
        seeds = section.get("seeds", _are_seeds, "a list of whole numbers of at least 0")
    else:
        first, count = section.whole("seed", 0, 1), section.whole("count", 1, 1)
        if count > MOST_INSTANCES:
            raise section.error("count", f"must be at most {MOST_INSTANCES}, not {count}")
        seeds = list(range(first, first + count))
    if len(set(seeds)) < len(seeds) or len(set(sizes)) < len(sizes):
        raise section.error("", "names an instance twice")
    return {"sizes": sizes, "seeds": seeds}


def _are_seeds(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(type(seed) is int and 0 <= seed < 2**63 for seed in value)


def _paths(section: Section, folder: Path) -> list[str]:
    given = section.values["load"]
    patterns = given if isinstance(given, list) else [given]
    found: list[str] = []
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise section.error("load", f"must be a path or a list of paths, not {quoted(pattern)}")
        if pattern.startswith(library.PREFIX):
            named = library.matching(pattern)
            if not named:
                raise section.error("load", f"finds no instance {quoted(pattern)}; see `dualbench list library`")
            found += named
            continue
        matches = matching(pattern, folder)
        if not matches:
            raise section.error("load", f"finds no file {quoted(str(folder / pattern))}")
        found += [str(Path(match).resolve()) for match in matches]
    if not found:
        raise section.error("load", "must name at least one file")
    return list(dict.fromkeys(found))


def _corpus(section: Section, task: Any, folder: Path) -> dict[str, Any]:
    section.no_others(("name", "split", "model", "limit"))
    name = section.text("name")
    if name not in task.corpora and not task.own_corpus(name, data_folder()):
        known = nearest(name, task.corpora) if task.corpora else f"task {task.name!r} reads no corpora."
        raise section.error("name", f"is {quoted(name)}: {known}".rstrip("."))
    chosen: dict[str, Any] = {"name": name}
    if "split" in section.values:
        chosen["split"] = section.text("split")
    if "model" in section.values:
        chosen["model"] = str((folder / section.text("model")).resolve())
    if "limit" in section.values:
        chosen["limit"] = section.whole("limit", 1)
    return chosen


def digest(task: Any, instance: Any) -> str:
    """A hash of everything that an instance is."""
    if isinstance(task, BareGraphTask):
        return graph_digest(instance)
    text = json.dumps(task.document(instance), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(f"{task.name}\n{text}".encode()).hexdigest()[:20]


def graph_digest(graph: Any) -> str:
    """The same for a bare factor graph: its variables and blocks."""
    state = hashlib.sha256(graph.scores.tobytes())
    for block in graph.blocks:
        state.update(block.kind.encode())
        for array in (block.starts, block.variables, block.negated, block.int_starts, block.ints, block.floats):
            state.update(array.tobytes())
    return state.hexdigest()[:20]


def instance_name(task: Any, instance: Any, item_digest: str) -> str:
    return getattr(instance, "name", "") or f"{task.name}-{item_digest[:8]}"


def instances_of(records: Records, experiments: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """The instances of a run by digest, made again from its experiments; those that cannot be had are left out."""
    wanted = set(records["instance_digest"])
    found: dict[str, Any] = {}
    for experiment in experiments or [records.experiment]:
        described = experiment.get("instances", {})
        for source in described_sources(described):
            with contextlib.suppress(Exception):
                task, items = task_named(source.task), source.items()
                while wanted - found.keys() and (item := next(items, None)) is not None:
                    with contextlib.suppress(Exception):  # a file that has gone or was changed
                        instance = item.make()
                        if (name := digest(task, instance)) in wanted:
                            found[name] = instance
    return found


def described_sources(document: Any) -> Iterator[Source]:
    """The sources that a run's folder describes; whatever else stands there is passed over."""
    parts = document.get("sources", [document]) if isinstance(document, Mapping) else []
    for part in parts if isinstance(parts, list) else []:
        if isinstance(part, Mapping):
            for kind in KINDS:
                if kind in part:
                    yield Source(part.get("task", ""), kind, part[kind])
