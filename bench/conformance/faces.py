"""The checks of a factor: each face against the factor's own definition, by enumeration of small examples."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.compiled import CompiledFactor
from problems.factors.foreign import Factor, checked
from problems.kernels.active_set import ActiveSet
from problems.linear_program import Floats
from solvers import get_solver
from solvers.base import Solver

from .factor_subject import Example, FactorSubject, alone, point_draws, score_draws
from .subject import Failed, NotApplicable

CLOSE = 1e-9  # of values that are sums of the same numbers
OPTIMAL = 1e-5  # of the optimality gap of a projection, and of optima of solvers with tolerances of their own


def _differ(first: float, second: float, size: float, share: float = CLOSE) -> bool:
    return not abs(first - second) <= share * (1.0 + size)


def examples(subject: FactorSubject) -> None:
    """there are small examples, and a graph takes them"""
    for example in subject.examples():
        if len(example.block) != 1:
            raise Failed(f"{example.name}: a graph of it alone has {len(example.block)} factors.")


def definition(subject: FactorSubject) -> None:
    """`score` is written out, and says of each 0/1 configuration what it is worth or that it is not allowed"""
    if subject.factor is not None and subject.factor.score is Factor.score:
        raise Failed("`score` must be written out: it is the definition that all other faces are held against.")
    for example in subject.examples():
        allowed = 0
        for bits in itertools.product((0.0, 1.0), repeat=example.degree):
            literals = np.array(bits)
            given = literals.copy()
            score, again = (float(example.block.literal_score(literals)[0]) for _ in range(2))
            if np.isnan(score) or score == np.inf:
                raise Failed(f"{example.name}: `score` of {_text(given)} is {score}; expected a number or -inf.")
            if score != again:
                raise Failed(f"{example.name}: `score` of {_text(given)} is {score:g}, then {again:g}.")
            if not np.array_equal(literals, given):
                raise Failed(f"{example.name}: `score` alters the configuration that it is given.")
            allowed += score > -np.inf
        if not allowed:
            raise Failed(f"{example.name}: `score` allows no configuration.")


def maximize(subject: FactorSubject) -> None:
    """`maximize` returns an allowed configuration of the highest value, with its own score"""
    for example in subject.examples():
        for scores in score_draws(subject.rng("maximize"), example.degree):
            value, point = _best(example, scores)
            size = float(np.abs(scores).sum()) + abs(value)
            best = example.polytope.best(scores)
            own = _own_score(example, point)
            if own is None:
                raise Failed(f"{example.name}: for scores {_text(scores)} it returns {_text(point)}, not allowed.")
            if _differ(float(scores @ point) + own, value, size, 1e-7 if example.relaxed else CLOSE):
                raise Failed(
                    f"{example.name}: it says that {_text(point)} scores {value - scores @ point:g}, not {own:g}."
                )
            if _differ(value, best, size, 1e-7 if example.relaxed else CLOSE):
                raise Failed(f"{example.name}: for scores {_text(scores)} it finds {value:g}; the best is {best:g}.")


def _own_score(example: Example, point: Floats) -> float | None:
    if example.relaxed:
        return example.rows.own(point)
    if not np.isin(point, (0.0, 1.0)).all():
        return None
    same = (example.hull.configurations == point).all(axis=1)
    return float(example.hull.scores[same][0]) if same.any() else None


def _best(example: Example, scores: Floats) -> tuple[float, Floats]:
    values, points = example.block.maximize(scores)
    return float(values[0]), points


def manners(subject: FactorSubject) -> None:
    """`maximize` leaves its arguments alone, and says the same when it is asked again, whatever came between"""
    for example in subject.examples():
        given = list(score_draws(subject.rng("manners"), example.degree))
        first = []
        for scores in given:
            before = scores.copy()
            first.append(_asked(example, scores))
            if not np.array_equal(scores, before):
                raise Failed(f"{example.name}: `maximize` alters the scores that it is given.")
        for scores, (configuration, own) in reversed(list(zip(given, first, strict=True))):
            again, score = _asked(example, scores)
            if not np.array_equal(again, configuration) or own != score:
                raise Failed(f"{example.name}: for scores {_text(scores)} it answers differently the second time.")


def _asked(example: Example, scores: Floats) -> tuple[Floats, float]:
    """The answer, kept apart from what a factor may go on writing to."""
    if example.factor is None:
        value, point = _best(example, scores)
        return point.copy(), value
    configuration, own = checked(example.factor, scores)
    return configuration.copy(), own


def project(subject: FactorSubject) -> None:
    """the projection lies in the polytope and is the nearest point to its input, own scores included"""
    for example in subject.examples():
        for point, scale in point_draws(subject.rng("project"), example.degree):
            z = example.project(point.copy(), scale)
            where = f"{example.name}: the projection of {_text(point)}"
            own = example.polytope.own(z) if np.isfinite(z).all() else None
            if own is None:
                raise Failed(f"{where}, {_text(z)}, lies outside of the polytope.")
            scores = (point - z) / scale
            gap = example.polytope.best(scores) - float(scores @ z) - own
            if _differ(gap, 0.0, float(np.abs(scores).sum()) + abs(own), OPTIMAL):
                raise Failed(f"{where}, {_text(z)}, is not the nearest point (optimality gap {gap:.2g}).")


def rows(subject: FactorSubject) -> None:
    """the 0/1 points of `constrain` are the allowed configurations, with their own scores"""
    for example in _with_rows(subject):
        negated = example.block.negated
        for bits in itertools.product((0.0, 1.0), repeat=example.degree):
            point = np.array(bits)
            literals = np.where(negated, 1.0 - point, point)
            own, found = float(example.block.literal_score(literals)[0]), example.rows.own(point, exact=True)
            if (own > -np.inf) != (found is not None):
                said = "forbids" if found is None else "allows"
                raise Failed(f"{example.name}: `constrain` {said} {_text(point)}, which `score` does not.")
            if found is not None and _differ(found, own, abs(own), 1e-6):
                raise Failed(f"{example.name}: {_text(point)} scores {own:g}, but {found:g} by `constrain`.")


def hull(subject: FactorSubject) -> None:
    """the relaxation of `constrain` has the optimum of enumeration: it describes the hull"""
    for example in _with_rows(subject):
        for scores in itertools.islice(score_draws(subject.rng("hull"), example.degree), 0, None, 3):
            best, found = example.hull.best(scores), example.rows.best(scores)
            size = float(np.abs(scores).sum()) + abs(best)
            if found < best - 1e-6 * (1.0 + size):
                raise Failed(f"{example.name}: for scores {_text(scores)} the relaxation ends at {found:g} < {best:g}.")
            if example.tight and _differ(best, found, size, 1e-6):
                raise Failed(
                    f"{example.name}: for scores {_text(scores)} the relaxation reaches {found:g}, enumeration {best:g}; "
                    "if `constrain` is meant to be larger than the hull, say `tight = False`."
                )


def _with_rows(subject: FactorSubject) -> list[Example]:
    if not all(example.has_rows for example in subject.examples()):
        raise NotApplicable("it has no `constrain`: LP and ILP solvers cannot use it.")
    return subject.examples()


def twins(subject: FactorSubject) -> None:
    """compiled kernels and the same code in plain Python agree"""
    if subject.factor is None or not issubclass(subject.factor, CompiledFactor):
        raise NotApplicable("it brings no kernels.")
    kernel, closed = subject.factor.maximize_kernel, subject.factor.project_kernel
    for example in subject.examples():
        assert isinstance(example.factor, CompiledFactor)
        rng = subject.rng("twins")
        for scores in score_draws(rng, example.degree):
            configuration = np.full(example.degree, np.nan)
            own = kernel.py_func(scores.copy(), *example.factor.parameters(), configuration)  # type: ignore[attr-defined]
            compiled, score = checked(example.factor, scores)
            if not np.array_equal(configuration, compiled) or _differ(float(own), score, abs(score)):
                raise Failed(f"{example.name}: for scores {_text(scores)} compiled and Python code differ.")
        plain = Example("", alone(example.factor, example.degree), example.factor)
        for point, scale in point_draws(rng, example.degree) if closed is not None else ():
            z = np.full(example.degree, np.nan)
            closed.py_func(point.copy(), scale, *example.factor.parameters(), z)  # type: ignore[union-attr]
            generic = ActiveSet(example.degree).project(point, scale, partial(checked, example.factor))
            for other, what in ((plain.project(point, scale), "compiled code"), (generic, "the active set method")):
                if not np.allclose(z, other, atol=1e-6):
                    raise Failed(f"{example.name}: {what} projects {_text(point)} to {_text(other)}, not {_text(z)}.")


def bounds(subject: FactorSubject) -> None:
    """with other factors around it, bounds hold and exact solvers find the optimum of brute force"""
    rng = subject.rng("bounds")
    for example in subject.examples():
        for _ in range(2):
            graph = _in_company(example, rng)
            best = get_solver("brute-force").solve(graph)
            for solver in _judged_solvers(example):
                name, found = solver.name, solver.solve(graph)
                size = graph.magnitude + abs(best.objective) if best.structure is not None else graph.magnitude
                if best.structure is not None and not found.bound >= best.objective - 1e-6 * (1.0 + size):
                    raise Failed(
                        f"{example.name}, with other factors: {name} proves {found.bound:g}, below the optimum {best.objective:g}."
                    )
                settled = found.status in ("optimal", "infeasible")
                other = best.structure is not None and _differ(found.objective, best.objective, size, OPTIMAL)
                if settled and (found.status != best.status or other):
                    raise Failed(
                        f"{example.name}, with other factors: {name} says {found.status} {found.objective:g}, "
                        f"brute force {best.status} {best.objective:g}."
                    )


def _judged_solvers(example: Example) -> list[Solver]:
    few = [get_solver(name, max_iterations=200) for name in ("ad3", "subgradient")]
    return [*few, get_solver("ad3-exact", max_nodes=500), *([get_solver("ilp-highs")] if example.has_rows else [])]


def _in_company(example: Example, rng: np.random.Generator) -> FactorGraph:
    """The factor in a graph with scores, two more variables, pairs and a budget."""
    graph = example.make()
    graph.add_scores(np.arange(example.degree), rng.normal(size=example.degree))
    variables = np.concatenate([np.arange(example.degree), graph.add_variables(rng.normal(size=2))])
    for _ in range(3):
        first, second = rng.choice(variables, 2, replace=False)
        graph.add_pair(int(first), int(second), float(rng.normal()))
    graph.add_budget(variables, int(rng.integers(1, len(variables) + 1)))
    return graph


def _text(values: Floats) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in values) + ")"


CHECKS: dict[str, Callable[[FactorSubject], None]] = {
    "examples": examples,
    "definition": definition,
    "maximize": maximize,
    "manners": manners,
    "projections": project,
    "rows": rows,
    "hull": hull,
    "compiled and Python": twins,
    "bounds": bounds,
}
"""Every check by name; the docstring says what must hold."""
