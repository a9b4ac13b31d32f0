"""The checks of a task: objective, feasibility, graph, rounding, JSON and generator must tell one story.

Brute force over the task's own structures is the judge, as it looks at `objective` and `broken` alone. What a task gets wrong
would otherwise be said of solvers: a graph whose optimum differs is reported as a failing ILP solver.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from solvers import get_solver

from .subject import Failed, fingerprint
from .task_subject import TaskSubject, documents, generator, names

POINTS = 12  # fractional solutions that are rounded


def structures(subject: TaskSubject) -> None:
    """`structures` lists feasible ones, each once, as plain data, and `count_structures` is no lower"""
    for where, instance, found in subject.small:
        if not found:
            continue
        for structure in found:
            why = subject.task.broken(instance, structure)
            if why is not None:
                raise Failed(f"{where}: `structures` has {structure}, which is broken: {why}")
            try:
                json.dumps(structure, allow_nan=False)
            except (TypeError, ValueError) as error:
                raise Failed(f"{where}: structure {structure} is no plain data ({error}).") from None
        if len({repr(structure) for structure in found}) < len(found):
            raise Failed(f"{where}: `structures` repeats itself.")
        if subject.task.count_structures(instance) < len(found):
            raise Failed(f"{where}: `count_structures` is below the {len(found)} that there are.")


def feasibility(subject: TaskSubject) -> None:
    """`broken` refuses what `structures` does not list, and says why in a sentence"""
    refused = 0
    for where, instance, found in subject.small:
        listed = {_plain(structure) for structure in found}
        for structure in found[:: max(1, len(found) // 40)]:
            for other in _neighbours(structure):
                try:
                    why = subject.task.broken(instance, other)
                except Exception:  # a structure that cannot even be read is refused as well
                    why = "it cannot be read."
                if why is None and _plain(other) not in listed:
                    raise Failed(f"{where}: `broken` takes {other}, which `structures` does not list.")
                if why is not None and not isinstance(why, str):
                    raise Failed(f"{where}: `broken` returns {why!r}, neither None nor a sentence.")
                refused += why is not None
    if not refused:
        raise Failed("`broken` refuses nothing.")


def _plain(structure: Any) -> str:
    return json.dumps(structure)


def _neighbours(structure: Any) -> Iterator[Any]:
    """Structures that differ in one place: a number changed, an item dropped or repeated."""
    if isinstance(structure, bool):
        yield not structure
    elif isinstance(structure, int):
        yield from (structure - 1, structure + 1, -1, structure + 10**6)
    elif isinstance(structure, (tuple, list)):
        kind = type(structure)
        for place, item in enumerate(structure):
            before, after = structure[:place], structure[place + 1 :]
            yield kind((*before, *after))
            yield kind((*before, item, item, *after))
            for other in _neighbours(item):
                yield kind((*before, other, *after))
        if all(isinstance(item, int) for item in structure):
            more = max(structure, default=-1) + 1
            yield kind((*structure, more))
            yield kind((*structure, more, more + 1))


def objectives(subject: TaskSubject) -> None:
    """the objective of a structure is a finite number, and its assignment in the graph has the same score

    Where structures share an assignment, because the graph leaves a part of them open (the heads of kept words), the graph's
    score is that of the best one, which is also the way back.
    """
    for where, instance, found in subject.small:
        graph, task = subject.task.graph(instance), subject.task
        shared: dict[bytes, list[Any]] = {}
        for structure in found:
            worth = task.objective(instance, structure)
            if isinstance(worth, bool) or not isinstance(worth, (int, float)) or not math.isfinite(worth):
                raise Failed(f"{where}: the objective of {structure} is {worth!r}, not a finite number.")
            assignment = np.array(task.assignment(instance, structure), dtype=float)
            shared.setdefault(assignment.tobytes(), []).append((worth, structure))
        for content, sharing in itertools.islice(shared.items(), 0, None, max(1, len(shared) // 300)):
            assignment, (worth, structure) = np.frombuffer(content), max(sharing, key=lambda pair: pair[0])
            value = graph.objective(assignment)
            if not abs(value - worth) <= subject.slack(instance, worth, value):
                raise Failed(f"{where}: {structure} is worth {worth:g}, its assignment in the graph {value:g}.")
            back = task.structure(instance, assignment.copy())
            same = back == structure if len(sharing) == 1 else task.broken(instance, back) is None
            if not same or abs(task.objective(instance, back) - worth) > subject.slack(instance, worth, value):
                raise Failed(f"{where}: {structure} becomes an assignment, and that {back}.")


def optimum(subject: TaskSubject) -> None:
    """the graph has the optimum of brute force, and its best assignment describes a structure worth that"""
    for where, instance, found in subject.small:
        best = max((subject.task.objective(instance, structure) for structure in found), default=None)
        graph = subject.task.graph(instance)
        solution = get_solver("ilp-highs").solve(graph)
        if solution.structure is None or best is None:
            if solution.structure is not None or best is not None:
                has = "no" if best is None else "a"
                raise Failed(f"{where}: the task has {has} feasible structure, but the graph says {solution.status}.")
            continue
        if abs(solution.objective - best) > subject.slack(instance, best, solution.objective):
            raise Failed(f"{where}: brute force finds {best:g}, the graph's optimum is {solution.objective:g}.")
        structure = subject.task.structure(instance, np.array(solution.structure, dtype=float))
        why = subject.task.broken(instance, structure)
        if why is not None:
            raise Failed(f"{where}: the graph's best assignment describes {structure}, which is broken: {why}")
        worth = subject.task.objective(instance, structure)
        if abs(worth - best) > subject.slack(instance, best, worth):
            raise Failed(f"{where}: the graph's best assignment describes {structure}, worth {worth:g}, not {best:g}.")


def bounds(subject: TaskSubject) -> None:
    """AD3's bound lies above the optimum of brute force, and `ad3-exact` finds it"""
    for where, instance, found in subject.small:
        if not found:
            continue
        best = max(subject.task.objective(instance, structure) for structure in found)
        for solver in (get_solver("ad3", max_iterations=300), get_solver("ad3-exact", max_nodes=2000)):
            name, solution = solver.name, solver.solve(instance)
            slack = subject.slack(instance, best, solution.bound)
            if not solution.bound >= best - slack:
                raise Failed(f"{where}: {name} proves {solution.bound:g}, below the optimum {best:g}.")
            if solution.status == "optimal" and abs(solution.objective - best) > slack:
                raise Failed(f"{where}: {name} says optimal {solution.objective:g}, brute force {best:g}.")


def roundings(subject: TaskSubject) -> None:
    """every rounding gives a feasible structure or None, the same one each time, and something for an optimum"""
    rng, task = np.random.default_rng(5), subject.task
    task.prepare()
    for (where, instance, found), rounding in itertools.product(subject.small, task.roundings):
        count = task.graph(instance).number_of_variables
        points = [rng.random(count) for _ in range(POINTS)] + [np.full(count, value) for value in (0.0, 0.5, 1.0)]
        points += [np.clip(rng.normal(0.5, 1.0, count), 0.0, 1.0) for _ in range(POINTS)]
        best = max(found, key=lambda structure: task.objective(instance, structure), default=None)
        if best is not None:
            points.append(np.array(task.assignment(instance, best), dtype=float))
        for number, point in enumerate(points):
            given = point.copy()
            rounded = task.round(instance, given, rounding)
            if not np.array_equal(given, point):
                raise Failed(f"{where}: rounding {rounding!r} alters the posteriors that it is given.")
            if rounded != task.round(instance, point.copy(), rounding):
                raise Failed(f"{where}: rounding {rounding!r} answers differently the second time.")
            if rounded is None:
                if best is not None and number == len(points) - 1:
                    raise Failed(f"{where}: rounding {rounding!r} finds nothing for the optimum itself.")
                continue
            why = task.broken(instance, rounded)
            if why is not None:
                raise Failed(f"{where}: rounding {rounding!r} returns {rounded}, which is broken: {why}")


def evaluation(subject: TaskSubject) -> None:
    """`evaluate` gives numbers under the names in `metrics`, `render` and `marked` lines of text"""
    task = subject.task
    for where, instance, found in subject.small:
        for structure in found[:: max(1, len(found) // 10)]:
            measured = task.evaluate(instance, structure)
            for name, value in measured.items():
                if name not in task.metrics:
                    raise Failed(f"{where}: `evaluate` gives {name!r}, which `metrics` does not name.")
                if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                    raise Failed(f"{where}: `evaluate` says {name} = {value!r}, not a finite number.")
            lines = task.render(instance, structure)
            if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
                raise Failed(f"{where}: `render` returns {lines!r}, not a list of lines.")
            task.marked(instance, structure)


def untouched(subject: TaskSubject) -> None:
    """no method alters an instance, and `graph` makes the same graph again"""
    for where, instance, found in subject.small:
        task, kept, before = subject.task, copy.deepcopy(instance), fingerprint(instance)
        for structure in found[:5]:
            task.objective(instance, structure)
            task.broken(instance, structure)
            task.evaluate(instance, structure)
            task.render(instance, structure)
            task.assignment(instance, structure)
        if fingerprint(instance) != before or fingerprint(kept) != before:
            raise Failed(f"{where}: it is another one after its methods were called.")


CHECKS: dict[str, Callable[[TaskSubject], None]] = {
    "names": names,
    "generator": generator,
    "documents": documents,
    "structures": structures,
    "feasibility": feasibility,
    "objectives": objectives,
    "optimum": optimum,
    "bounds": bounds,
    "roundings": roundings,
    "evaluation": evaluation,
    "untouched instances": untouched,
}
"""Every check by name; the docstring says what must hold."""
