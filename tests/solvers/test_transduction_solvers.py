"""Solvers of tree transduction: against all derivations of small forests, against each other, and against Algorithm 1."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from licences import covered
from transduction_forests import derivations, optimum, random_instance

from problems import get_task
from problems.errors import InputError
from problems.transduction.instance import TransductionInstance, objective, path_score
from solvers import Solution, get_solver
from solvers.deletion_model import DeletionModel, candidates
from solvers.subgradient import ALGORITHM_1

TASK = get_task("transduction")
OTHER_LP = ("lp-glop", "lp-clp", "lp-glpk", "lp-gurobi", "lp-highs-ipm", "lp-pdlp", "lp-xpress")
ILP = ["ilp-highs", "ilp-cbc", "ilp-cpsat", "ilp-scip", "ilp-glpk", "ilp-gurobi", "ilp-xpress"]
EXACT = ["dp-exact", *ILP, "ad3-exact"]


def small(count: int, order: int = 2) -> Iterator[TransductionInstance]:
    """Random forests with real and with whole-numbered scores (ties), of free and of every fixed length."""
    for seed in range(count):
        words = 1 + seed % 6
        for length in (None, 1 + seed // 6 % words, words):
            yield random_instance(seed, words, order, length, whole_scores=seed % 3 == 0)


def check(solution: Solution, instance: TransductionInstance, best: float) -> None:
    """A feasible structure that is worth what it says, not above the optimum; a valid bound."""
    assert solution.bound >= best - 1e-6 * (1 + abs(best))
    if solution.structure is None:
        return
    assert TASK.broken(instance, solution.structure) is None
    assert solution.objective == pytest.approx(objective(instance, solution.structure))
    assert solution.objective <= best + 1e-9
    if solution.status == "optimal":
        assert solution.objective == pytest.approx(best, rel=1e-6, abs=1e-6)


def check_optimal(solution: Solution, instance: TransductionInstance, best: float) -> None:
    if best == -math.inf:
        assert (solution.status, solution.structure) == ("infeasible", None)
        return
    check(solution, instance, best)
    assert solution.status == "optimal"


def test_exact_program_is_brute_force() -> None:
    solver, infeasible = get_solver("dp-exact", "transduction"), 0
    for instance in small(240):
        best = optimum(instance)
        infeasible += best == -math.inf
        check_optimal(solver.solve(instance), instance, best)
    assert infeasible > 10


@pytest.mark.parametrize("order", [2, 3])
def test_wide_beam_is_brute_force(order: int) -> None:
    solver = get_solver("beam", width=100_000)
    for instance in small(150, order):
        check_optimal(solver.solve(instance), instance, optimum(instance))


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("estimate", ["mean", "best", "none"])
@pytest.mark.parametrize("width", [1, 2, 5])
def test_narrow_beam_never_beats_the_optimum(order: int, estimate: str, width: int) -> None:
    solver, short = get_solver("beam", width=width, estimate=estimate), 0
    for instance in small(80, order):
        best = optimum(instance)
        solution = solver.solve(instance)
        if best == -math.inf:
            assert solution.status == "infeasible"
            continue
        assert solution.structure is not None
        check(solution, instance, best)
        short += solution.objective < best - 1e-9
    if width == 1:
        assert short > 0  # else this test sees no search errors


@pytest.mark.parametrize("name", EXACT[1:])
@pytest.mark.parametrize("order", [2, 3])
def test_integer_programs_are_brute_force(name: str, order: int) -> None:
    solver = get_solver(name)
    for seed in range(12):
        words = 3 + seed % 4
        for length in (None, 1 + seed % words):
            instance = random_instance(seed, words, order, length)
            check_optimal(solver.solve(instance), instance, optimum(instance))


@pytest.mark.parametrize("size", ["tiny", "tiny-fixed", "10", "10-fixed", "tiny-discriminative"])
def test_exact_solvers_agree_on_generated_sentences(size: str) -> None:
    for seed in range(4):
        instance = TASK.generate(seed, size)
        found = [get_solver(name, "transduction").solve(instance) for name in covered(EXACT, instance)]
        if size.startswith("tiny"):
            found.append(get_solver("brute-force", max_structures=10**6).solve(instance))
        assert {solution.status for solution in found} == {"optimal"}
        for solution in found[1:]:
            assert solution.objective == pytest.approx(found[0].objective, rel=1e-6)


@pytest.mark.parametrize("size", ["20", "20-fixed"])
def test_beam_comes_to_the_optimum_of_generated_sentences(size: str) -> None:
    for seed in range(5):
        instance = TASK.generate(seed, size)
        best = get_solver("dp-exact", "transduction").solve(instance).objective
        values = [get_solver("beam", width=width).solve(instance).objective for width in (1, 20, 3000)]
        assert max(values) <= best + 1e-9
        assert values[-1] == pytest.approx(best)


@pytest.mark.parametrize("size", ["10", "10-fixed", "10-trigram"])
def test_linear_relaxation_is_the_dual_of_ad3(size: str) -> None:
    for seed in range(5):
        instance = TASK.generate(seed, size)
        relaxed = get_solver("lp-highs").solve(instance)
        dual = get_solver("ad3", max_iterations=20_000, residual_tolerance=1e-8).solve(instance)
        assert dual.bound == pytest.approx(relaxed.bound, rel=1e-4, abs=1e-4)
        for name in covered(OTHER_LP, instance):
            accuracy = 1e-4 if name == "lp-pdlp" else 1e-6
            assert get_solver(name).solve(instance).bound == pytest.approx(relaxed.bound, rel=accuracy, abs=accuracy)


@pytest.mark.parametrize("options", [{}, ALGORITHM_1])
def test_certified_solutions_are_optimal(options: dict[str, object]) -> None:
    certified = 0
    for seed in range(30):
        instance = TASK.generate(seed, "10-fixed" if seed % 2 else "20")
        best = get_solver("dp-exact", "transduction").solve(instance).objective
        for solution in (get_solver("ad3").solve(instance), get_solver("subgradient", **options).solve(instance)):
            check(solution, instance, best)
            certified += solution.status == "optimal"
    assert certified > 5


def test_pure_transduction_ignores_ngrams() -> None:
    for order in (2, 3):
        for instance in small(80, order):
            rules_only = replace(instance, ngram_weight=0.0)
            best = optimum(rules_only)
            solution = get_solver("dp-transduction").solve(instance)
            if best == -math.inf:
                assert solution.status == "infeasible"
                continue
            assert objective(rules_only, solution.structure) == pytest.approx(best)
            assert solution.info["model_objective"] == pytest.approx(best)
            assert solution.objective == pytest.approx(objective(instance, solution.structure))


def best_words(instance: TransductionInstance, lengths: range) -> float:
    """The best path over all subsets of words, derivable or not."""
    words = range(1, instance.number_of_words + 1)
    return max(
        instance.ngram_weight * path_score(instance, kept) + instance.reward * length
        for length in lengths
        for kept in combinations(words, length)
    )


@pytest.mark.parametrize("order", [2, 3])
def test_pure_ngrams_are_the_best_path(order: int) -> None:
    underivable = 0
    for instance in small(60, order):
        count = instance.number_of_words
        length = instance.length or max(1, round(0.4 * count))
        solution = get_solver("dp-ngram", rate=0.4).solve(instance)
        kept = solution.structure[0]
        assert len(kept) == length
        worth = instance.ngram_weight * path_score(instance, kept) + instance.reward * len(kept)
        assert worth == pytest.approx(best_words(instance, range(length, length + 1)))
        assert solution.info["model_objective"] == pytest.approx(worth)
        derivable = kept in {each[0] for each in derivations(instance.forest)}
        assert solution.status == ("feasible" if derivable else "infeasible")
        underivable += not derivable
    assert underivable > 5


def test_bigrams_alone_choose_their_length() -> None:
    for instance in small(60):
        count = instance.number_of_words
        lengths = range(1, count + 1) if instance.length is None else range(instance.length, instance.length + 1)
        solution = get_solver("dp-bigram", "transduction").solve(instance)
        assert solution.info["model_objective"] == pytest.approx(best_words(instance, lengths))
        derivable = [each for each in derivations(instance.forest) if each[0] == solution.structure[0]]
        if derivable:
            assert solution.objective == pytest.approx(max(objective(instance, each) for each in derivable))
        else:
            assert solution.status == "infeasible"


def algorithm_1(instance: TransductionInstance, most: int = 50) -> tuple[int, bool, float]:
    """As the paper prints it, over lists: iterations, whether y and z agreed, and the best primal y."""
    n, end = instance.number_of_words, instance.number_of_words + 1
    every = [(0, *kept, end) for size in range(1, n + 1) for kept in combinations(range(1, n + 1), size)]
    paths = np.array([instance.ngram_weight * path_score(instance, path[1:-1]) for path in every])
    path_words = np.array([[word in path for word in range(1, end)] for path in every], dtype=float)
    trees = all_derivations(instance)
    tree_scores = np.array([score for _, score in trees])
    tree_words = np.array([[word in kept for word in range(1, end)] for kept, _ in trees], dtype=float)
    u1, u0 = np.zeros(n), np.zeros(n)
    best, increases, last = -math.inf, 0, math.inf
    for iteration in range(1, most + 1):
        for_tree = tree_scores - tree_words @ u1 - (1 - tree_words) @ u0
        for_path = paths + path_words @ u1 + (1 - path_words) @ u0
        y, z = tree_words[for_tree.argmax()], path_words[for_path.argmax()]
        dual = for_tree.max() + for_path.max()
        increases += dual >= last
        last = dual
        kept = tuple((np.flatnonzero(y) + 1).tolist())
        if kept:
            g = max(score for found, score in trees if found == kept)
            best = max(best, g + instance.ngram_weight * path_score(instance, kept))
        if (y == z).all():
            return iteration, True, best
        u1 -= (z - y) / (1 + increases)
        u0 -= (y - z) / (1 + increases)
    return most, False, best


def all_derivations(instance: TransductionInstance) -> list[tuple[tuple[int, ...], float]]:
    """Also the empty one, which the forest alone does not forbid."""
    found = derivations(instance.forest, empty=True)
    return [(kept, instance.rule_weight * sum(map(instance.forest.scores.item, edges))) for kept, edges in found]


def test_subgradient_is_algorithm_1() -> None:
    ends = set()
    for seed in range(60):
        instance = replace(random_instance(seed, 3 + seed % 4), reward=0.0)
        iterations, agreed, best = algorithm_1(instance)
        solution = get_solver("subgradient", **ALGORITHM_1).solve(instance)
        assert (solution.iterations, solution.message == "all factors agree") == (iterations, agreed)
        if best == -math.inf:
            assert solution.structure is None
        else:
            assert solution.objective == pytest.approx(best)
        ends.add(agreed)
    assert ends == {True, False}


def test_candidates_are_the_likeliest_that_can_be_derived() -> None:
    for instance in small(60):
        log_odds = np.random.default_rng(instance.number_of_words).normal(size=instance.number_of_words)
        possible = {kept for kept, _ in derivations(instance.forest) if instance.length in (None, len(kept))}
        ranked = sorted(possible, key=lambda kept: -sum(log_odds[word - 1] for word in kept))
        found = candidates(instance, log_odds, 5)
        if instance.length is None:
            assert found == ranked[:5]
        else:
            assert found[:1] == ranked[:1]
            assert set(found) <= possible


def test_reranking_learns_something() -> None:
    """Better than the deletion model's first candidate by the measure that it was trained for, on new sentences."""
    solver, sure = get_solver("rerank"), get_solver("rerank", candidates=1)
    chosen, first = [], []
    for seed in range(40):
        instance = TASK.generate(seed, "20")
        solution = solver.solve(instance)
        check(solution, instance, get_solver("dp-exact", "transduction").solve(instance).objective)
        chosen.append(TASK.evaluate(instance, solution.structure)["relation F1"])
        first.append(TASK.evaluate(instance, sure.solve(instance).structure)["relation F1"])
    assert np.mean(chosen) > np.mean(first)
    assert np.mean(first) > 0.6


def test_reranking_keeps_a_fixed_length() -> None:
    for size in ("10-fixed", "10-trigram-fixed"):
        instance = TASK.generate(1, size)
        assert len(get_solver("rerank").solve(instance).structure[0]) == instance.length


def test_unknown_words_are_worth_nothing_to_the_deletion_model() -> None:
    model = DeletionModel({"bias": 0.5, "word w2": -2.0})
    assert model.log_odds(random_instance(0, 3)).tolist() == [0.5, -1.5, 0.5]


def test_what_cannot_be_solved_is_refused() -> None:
    trigrams = random_instance(0, 4, 3)
    for name in ("dp-exact", "dp-bigram"):
        with pytest.raises(InputError, match=f"'{name}' needs bigram scores, and instance 'random 0' has trigrams"):
            get_solver(name, "transduction").solve(trigrams)
    other = get_task("extraction").generate(0, "tiny")
    for name in ("dp-exact", "dp-bigram", "dp-ngram", "dp-transduction", "beam", "rerank"):
        with pytest.raises(InputError, match="task 'transduction' only"):
            get_solver(name, "transduction").solve(other)
    with pytest.raises(InputError, match="more than memory_gb"):
        get_solver("dp-exact", "transduction", memory_gb=1e-9).solve(random_instance(0, 4))
    with pytest.raises(InputError, match="'width' of solver 'beam' must be from 1"):
        get_solver("beam", width=0)


def test_shared_names_look_at_the_instance() -> None:
    compression, transduction = get_task("compression").generate(0, "tiny"), TASK.generate(0, "tiny")
    for name in ("dp-exact", "dp-bigram"):
        both = get_solver(name)
        for instance in (compression, transduction):
            own = get_solver(name, instance.task)
            assert type(own) is not type(both)
            assert own.options.items() <= both.options.items()
            assert both.solve(instance).structure == own.solve(instance).structure
    with pytest.raises(InputError, match="unknown option 'algorithm' of solver 'dp-exact': valid names"):
        get_solver("dp-exact", "transduction", algorithm="paper")
    with pytest.raises(InputError, match="unknown option 'algorithm' of solver 'dp-exact' for task 'transduction'"):
        get_solver("dp-exact", algorithm="paper").solve(transduction)
    assert get_solver("dp-exact", algorithm="paper").solve(compression).status == "optimal"
    assert get_solver("dp-exact", "transduction").options == {"memory_gb": 4.0}
    with pytest.raises(InputError, match="must be one of 'fast', 'paper', not 'slow'"):
        get_solver("dp-exact", algorithm="slow")
    with pytest.raises(InputError, match="tasks compression and transduction only"):
        get_solver("dp-exact").solve(get_task("extraction").generate(0, "tiny"))
    with pytest.raises(InputError, match="'dp-exact' does not solve task 'parsing', only compression, transduction"):
        get_solver("dp-exact", "parsing")
