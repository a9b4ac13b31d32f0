"""The task under test: its small instances, and the checks of where instances come from and how they are stored."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from problems import get_task, task_of
from problems.errors import InputError
from problems.task import Task
from solvers.base import tolerance

from .subject import Failed, NotApplicable, fingerprint

MOST_STRUCTURES = 20_000  # of a small instance
SEEDS, SMALL = range(30), 4


@dataclass
class TaskSubject:
    """A task by name, and its small instances."""

    name: str

    @cached_property
    def task(self) -> Task:
        return get_task(self.name)

    @property
    def size(self) -> str:
        """The size whose instances are small: `tiny`, or the default."""
        return "tiny" if "tiny" in self.task.sizes else self.task.default_size or next(iter(self.task.sizes), "")

    @cached_property
    def small(self) -> list[tuple[str, Any, list[Any]]]:
        """Instances that brute force can go through, with all their structures."""
        found: list[tuple[str, Any, list[Any]]] = []
        for seed in SEEDS:
            instance = self.task.generate(seed, self.size)
            if self.task.count_structures(instance) <= MOST_STRUCTURES:
                where = f"instance {self.size} {seed}"
                found.append((where, instance, list(self.task.structures(instance))))
            if len(found) == SMALL:
                break
        if not found:
            raise Failed(
                f"size {self.size!r} has no instance of at most {MOST_STRUCTURES} structures; add a size 'tiny'."
            )
        return found

    def slack(self, instance: Any, *values: float) -> float:
        return tolerance(values[0], values[-1], self.task.graph(instance).magnitude)


def names(subject: TaskSubject) -> None:
    """sizes, roundings and instances carry the names that commands use"""
    task = subject.task
    if not task.sizes:
        raise NotApplicable("it generates no instances; no other check can look at any.")
    if task.default_size and task.default_size not in task.sizes:
        raise Failed(f"its default size {task.default_size!r} is none of its sizes.")
    if not task.roundings:
        raise Failed("it names no `roundings`.")
    instance = task.generate(1, subject.size)
    if task_of(instance).name != task.name:
        raise Failed(f"its instances belong to task {task_of(instance).name!r}.")


def generator(subject: TaskSubject) -> None:
    """a seed gives one instance, whatever else draws random numbers; seeds differ"""
    task = subject.task
    for size in dict.fromkeys((subject.size, task.default_size or subject.size)):
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002 (a generator must not depend on it)
        first = [_document(task, task.generate(seed, size)) for seed in range(4)]
        random.seed(2)
        np.random.seed(2)  # noqa: NPY002
        second = [_document(task, task.generate(seed, size)) for seed in reversed(range(4))][::-1]
        for seed, (one, two) in enumerate(zip(first, second, strict=True)):
            if one != two:
                raise Failed(f"size {size!r}, seed {seed}: a second call gives another instance.")
        contents = {json.dumps({**json.loads(one), "name": ""}, sort_keys=True) for one in first}
        if len(contents) == 1:
            raise Failed(f"size {size!r}: four seeds give one and the same instance.")


def _document(task: Task, instance: Any) -> str:
    return json.dumps(task.document(instance), sort_keys=True, allow_nan=False)


def documents(subject: TaskSubject) -> None:
    """an instance that was saved and loaded is the same, and a wrong file gets a sentence"""
    task = subject.task
    with TemporaryDirectory() as folder:
        path = Path(folder) / "instance.json"
        for where, instance, found in subject.small:
            task.save(instance, path)
            loaded = task.load(path)
            if fingerprint(loaded) != fingerprint(instance):
                raise Failed(f"{where}: saved and loaded, it is another one.")
            for structure in found[:20]:
                if task.objective(loaded, structure) != task.objective(instance, structure):
                    raise Failed(f"{where}: saved and loaded, {structure} has another objective.")
        document = json.loads(path.read_text(encoding="utf-8"))
        for name in document:
            for wrong in (
                {key: value for key, value in document.items() if key != name},
                {**document, name: {"x": []}},
            ):
                path.write_text(json.dumps(wrong), encoding="utf-8")
                try:
                    task.load(path)
                except InputError:
                    continue
                except Exception as error:
                    said = "is missing" if name not in wrong else "is wrong"
                    raise Failed(
                        f"where field {name!r} {said}, it raises {type(error).__name__}, not InputError."
                    ) from None
