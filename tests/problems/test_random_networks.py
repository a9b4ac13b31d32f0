"""Random .wcsp and .cfn files, and those that toulbar2 wrote: the optimum of plain loops and of toulbar2."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from network_files import with_toulbar2, write
from toulbar2_oracle import optima

from problems.factor_graph import FactorGraph
from solvers import get_solver


def random_wcsp(rng: np.random.Generator) -> tuple[str, float]:
    """A file, and its least cost by trying all assignments (infinite if there is none)."""
    bound = 50
    domains = [int(rng.integers(1, 4)) for _ in range(rng.integers(1, 5))]
    functions, lines = [], []
    for _ in range(rng.integers(1, 6)):
        arity = int(rng.integers(0, min(4, len(domains)) + 1))
        scope = [int(v) for v in rng.permutation(len(domains))[:arity]]
        default = int(rng.choice([0, 0, 3, bound]))
        cells = list(itertools.product(*(range(domains[v]) for v in scope))) if scope else []
        chosen = [cell for cell in cells if rng.random() < 0.5]
        costs = {cell: int(rng.choice([0, 1, 2, 7, bound, 3 * bound])) for cell in chosen}
        functions.append((scope, default, costs))
        lines.append(" ".join(map(str, [arity, *scope, default, len(costs)])))
        lines += [" ".join(map(str, [*cell, cost])) for cell, cost in costs.items()]
    weighted = []
    for _ in range(rng.integers(0, 3)):
        scope = [int(v) for v in rng.permutation(len(domains))[: rng.integers(1, len(domains) + 1)]]
        weights = {v: {a: int(rng.integers(-3, 4)) for a in range(domains[v]) if rng.random() < 0.7} for v in scope}
        least = int(rng.integers(-4, 3))
        weighted.append((weights, least))
        fields = [field for v in scope for field in (len(weights[v]), *itertools.chain(*weights[v].items()))]
        lines.append(" ".join(map(str, [len(scope), *scope, -1, "knapsackp", least, *fields])))
    best = math.inf
    for values in itertools.product(*map(range, domains)):
        parts = [costs.get(tuple(values[v] for v in scope), default) for scope, default, costs in functions]
        sums = [sum(row.get(values[v], 0) for v, row in weights.items()) >= least for weights, least in weighted]
        if max(parts) < bound and all(sums):
            best = min(best, sum(parts))
    header = f"random {len(domains)} {max(domains)} {len(functions) + len(weighted)} {bound}"
    return "\n".join([header, " ".join(map(str, domains)), *lines]) + "\n", best


def as_cfn(text: str) -> str:
    """The same problem as a .cfn file."""
    tokens = iter(text.split())
    name, count, _, functions, bound = (next(tokens) for _ in range(5))
    domains = [int(next(tokens)) for _ in range(int(count))]
    found: dict[str, object] = {}
    for number in range(int(functions)):
        scope = [int(next(tokens)) for _ in range(int(next(tokens)))]
        default, word = next(tokens), next(tokens)
        made: dict[str, object] = {"scope": [f"v{v}" for v in scope]}
        if default == "-1":
            least, triples = int(next(tokens)), []
            for v in scope:
                triples += [[v, int(next(tokens)), int(next(tokens))] for _ in range(int(next(tokens)))]
            made |= {"type": "knapsackv", "params": {"capacity": least, "weightedvalues": triples}}
        elif not scope:
            made["costs"] = [int(default)]
        else:
            costs = [int(next(tokens)) for _ in range(int(word) * (len(scope) + 1))]
            made |= {"defaultcost": int(default), "costs": costs}
        found[f"f{number}"] = made
    variables = {f"v{v}": domain for v, domain in enumerate(domains)}
    problem = {"name": name, "mustbe": f"<{bound}"}
    return json.dumps({"problem": problem, "variables": variables, "functions": found})


def test_random_files_have_the_optimum_of_plain_loops(tmp_path: Path) -> None:
    infeasible = 0
    for seed in range(150):
        text, best = random_wcsp(np.random.default_rng(seed))
        for path in (write(tmp_path, "some.wcsp", text), write(tmp_path, "some.cfn", as_cfn(text))):
            found = get_solver("ilp-highs").solve(FactorGraph.read(path))
            assert (found.status == "infeasible") == math.isinf(best), (seed, text)
            infeasible += math.isinf(best)
            if found.status != "infeasible":
                assert found.objective == pytest.approx(-best, abs=1e-6), (seed, text)
    assert 20 < infeasible < 200


@with_toulbar2
def test_random_files_have_the_optimum_of_toulbar2(tmp_path: Path) -> None:
    made = [random_wcsp(np.random.default_rng(seed)) for seed in range(100)]
    paths = [write(tmp_path, f"{seed}.wcsp", text) for seed, (text, _) in enumerate(made)]
    expected = [None if math.isinf(best) else best for _, best in made]
    assert max(best for best in expected if best is not None) < 50  # more in total is no solution for toulbar2
    assert optima(paths) == expected


@with_toulbar2
def test_files_that_toulbar2_wrote(tmp_path: Path) -> None:
    import pytoulbar2

    rng = np.random.default_rng(5)
    for number in range(10):
        problem = pytoulbar2.CFN(1000, resolution=2)
        domains = [int(rng.integers(2, 4)) for _ in range(5)]
        for v, domain in enumerate(domains):
            problem.AddVariable(f"v{v}", [f"a{value}" for value in range(domain)])
        for arity in (1, 2, 2, 3, 4):
            scope = [int(v) for v in rng.permutation(5)[:arity]]
            size = math.prod(domains[v] for v in scope)
            problem.AddFunction([f"v{v}" for v in scope], np.round(rng.normal(size=size) * 5, 2).tolist())
        problem.AddLinearConstraint([1, 2, 3, 1], ["v0", "v1", "v2", "v3"], "<=", int(rng.integers(3, 7)))
        problem.Dump(str(tmp_path / f"{number}.cfn"))
        solution = problem.Solve()
        found = get_solver("ilp-highs").solve(FactorGraph.read(tmp_path / f"{number}.cfn"))
        assert found.objective == pytest.approx(-solution[1], abs=1e-6)
