"""Dynamic programs of sentence compression against brute force, against each other, and at the edges."""

from __future__ import annotations

import dataclasses
import itertools
import math
import tracemalloc
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from compression_oracle import KINDS, all_structures, best_by_length, random_instance

from bench.runner.answer_check import check_answer
from problems import get_task
from problems.compression.generate import generate_hard, generate_planted
from problems.compression.instance import CompressionInstance
from problems.compression.trees import projective_trees
from problems.errors import InputError
from solvers import get_solver
from solvers.dynamic.compression import arc_table, best_tree, bigram_table, compression_of
from solvers.dynamic.relaxation import Relaxation
from solvers.dynamic.repair import best_of_length
from solvers.dynamic.tables import bytes_needed

TASK = get_task("compression")
ALGORITHMS = ("fast", "paper")
SEARCHES = ("cutting-plane", "subgradient")
COUNTS = {1: 10, 2: 30, 3: 60, 4: 60, 5: 40, 6: 20, 7: 5, 8: 2}  # random instances per kind of score


def of_length(instance: CompressionInstance, length: int) -> CompressionInstance:
    return dataclasses.replace(instance, length=length)


def exact_values(instance: CompressionInstance, algorithm: str) -> list[float]:
    """What `dp-exact` says of every length from 1 on."""
    info = get_solver("dp-exact", algorithm=algorithm).solve(instance).info
    return [info[f"objective at length {length}"] for length in range(1, instance.number_of_words + 1)]


def check_optimal(solution: Any, instance: CompressionInstance, optimum: float) -> None:
    assert solution.status == "optimal", solution.message
    assert TASK.broken(instance, solution.structure) is None
    assert solution.objective == pytest.approx(optimum, abs=1e-9)
    assert solution.bound == pytest.approx(optimum, abs=1e-9)


@pytest.mark.parametrize("words", sorted(COUNTS))
def test_exact_programs_equal_brute_force_for_every_length(words: int) -> None:
    rng = np.random.default_rng([words, 6])
    for kind, boundary in itertools.product(KINDS, (False, True)):
        instances = [random_instance(rng, words, kind, boundary) for _ in range(COUNTS[words])]
        for instance, best in zip(instances, best_by_length(instances), strict=True):
            for algorithm in ALGORITHMS:
                assert exact_values(instance, algorithm) == pytest.approx(best, abs=1e-9), (kind, boundary, algorithm)
            length = int(rng.integers(1, words + 1))
            for algorithm, lengths in itertools.product(ALGORITHMS, ("all", "given")):
                solver = get_solver("dp-exact", algorithm=algorithm, lengths=lengths)
                check_optimal(solver.solve(of_length(instance, length)), of_length(instance, length), best[length - 1])


@pytest.mark.slow
def test_exact_programs_equal_brute_force_on_many_more() -> None:
    rng = np.random.default_rng(66)
    for words, kind, boundary in itertools.product((4, 5, 6, 7, 8), KINDS, (False, True)):
        instances = [random_instance(rng, words, kind, boundary) for _ in range(150 if words < 7 else 25)]
        for instance, best in zip(instances, best_by_length(instances), strict=True):
            for algorithm in ALGORITHMS:
                assert exact_values(instance, algorithm) == pytest.approx(best, abs=1e-9), (kind, boundary, algorithm)


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5, 6])
def test_lagrangian_program_equals_brute_force(words: int) -> None:
    """Bound >= optimum, equal when the length is hit; repaired otherwise."""
    rng = np.random.default_rng([words, 7])
    repaired = 0.0
    for kind, boundary, algorithm, search in itertools.product(KINDS, (False, True), ALGORITHMS, SEARCHES):
        solver = get_solver("dp-lagrangian", algorithm=algorithm, search=search)
        instances = [random_instance(rng, words, kind, boundary) for _ in range(3)]
        for instance, best in zip(instances, best_by_length(instances), strict=True):
            for length in range(1, words + 1):
                chosen = of_length(instance, length)
                found = solver.solve(chosen)
                check_optimal(found, chosen, best[length - 1])
                assert found.info["dual"] >= best[length - 1] - 1e-9
                if not found.info["repaired"]:
                    assert found.info["dual"] == pytest.approx(best[length - 1], abs=1e-9)
                repaired += found.info["repaired"]
    assert repaired > 0 or words < 3


def envelope(values: list[float], length: int) -> float:
    """The lowest bound that any multiplier can give: the upper concave envelope of the optima of all lengths."""
    best = values[length - 1]
    for a in range(1, length):
        for b in range(length + 1, len(values) + 1):
            best = max(best, values[a - 1] + (values[b - 1] - values[a - 1]) * (length - a) / (b - a))
    return best


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("words", [9, 14, 25])
def test_cutting_planes_reach_the_lowest_dual_value(words: int, algorithm: str) -> None:
    for seed in range(6):
        for instance in (generate_planted(seed, words), generate_hard(seed, words)):
            values = exact_values(instance, "fast")
            for length in range(1, words + 1):
                found = get_solver("dp-lagrangian", algorithm=algorithm).solve(of_length(instance, length))
                if found.info["repaired"]:
                    assert found.info["dual"] == pytest.approx(envelope(values, length), abs=1e-9)
                    assert found.info["dual"] > values[length - 1] + 1e-9
                assert found.objective == pytest.approx(values[length - 1], abs=1e-9)
                assert found.iterations <= words + 2


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("words", [6, 12, 20])
def test_a_search_ends_when_it_hits_the_length_or_certifies_the_gap(words: int, search: str) -> None:
    """The certificate against the optima of all lengths: no multiplier is lower than the envelope, and a miss has a real gap."""
    solver = get_solver("dp-lagrangian", search=search, repair=False, max_iterations=10_000)
    hits = misses = 0
    for seed, make in itertools.product(range(8), (generate_planted, generate_hard)):
        instance = make(seed, words)
        values = exact_values(instance, "fast")
        for length in range(1, words):
            found = solver.solve(of_length(instance, length))
            assert found.info["hit"] + found.info["certified"] == 1.0
            assert found.info["dual"] == pytest.approx(envelope(values, length), abs=1e-9)
            if found.status == "optimal":
                hits += 1
                assert values[length - 1] == pytest.approx(envelope(values, length), abs=1e-9)
            else:
                misses += 1
                assert values[length - 1] < envelope(values, length) - 1e-9
    assert hits > 20
    assert misses > 10


def test_published_steps_certify_a_gap_within_a_few_iterations() -> None:
    """On these sentences steps were halved down to 1e-9 before, about a hundred times, wherever there is a gap."""
    solver = get_solver("dp-lagrangian", algorithm="paper", search="subgradient", repair=False)
    found = [solver.solve(generate_planted(seed, 40)) for seed in range(30)]
    missed = [each for each in found if each.status == "infeasible"]
    assert len(missed) >= 5
    assert all(each.info["certified"] for each in missed)
    assert np.mean([each.iterations for each in missed]) < 20
    capped = get_solver("dp-lagrangian", search="subgradient", repair=False, max_iterations=2)
    for seed in range(30):
        short = capped.solve(generate_planted(seed, 40))
        assert short.iterations <= 2


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("words", [3, 5, 6])
def test_the_length_is_found_among_maximizers_that_tie(words: int, algorithm: str) -> None:
    """Without repair L is missed exactly where brute force has a duality gap, also where scores are small whole numbers."""
    rng = np.random.default_rng([words, 8])
    seen = {"tied": 0.0, "gap": 0, "hit": 0}
    solvers = [get_solver("dp-lagrangian", algorithm=algorithm, repair=repair) for repair in (False, True)]
    for kind, boundary in itertools.product(KINDS, (False, True)):
        instances = [random_instance(rng, words, kind, boundary) for _ in range(5)]
        for instance, best in zip(instances, best_by_length(instances), strict=True):
            for length in range(1, words + 1):
                chosen = of_length(instance, length)
                gap = envelope(list(best), length) > best[length - 1] + 1e-9
                found, repaired = (solver.solve(chosen) for solver in solvers)
                assert (found.status == "infeasible") == gap
                assert bool(repaired.info["repaired"]) == gap
                assert found.info["tied"] == repaired.info["tied"]
                assert found.info["repaired"] == 0.0
                if not gap:
                    check_optimal(found, chosen, best[length - 1])
                seen["tied"] += found.info["tied"]
                seen["gap"] += gap
                seen["hit"] += not gap and not found.info["tied"]
    assert min(seen.values()) > 0 or words == 3


@pytest.mark.parametrize("words", [10, 17, 26])
def test_the_papers_algorithms_and_the_fast_ones_agree(words: int) -> None:
    rng = np.random.default_rng(words)
    for kind, boundary in itertools.product(KINDS, (False, True)):
        instance = random_instance(rng, words, kind, boundary, length=int(rng.integers(1, words + 1)))
        values = exact_values(instance, "fast")
        assert exact_values(instance, "paper") == pytest.approx(values, abs=1e-9)
        for algorithm, lengths in itertools.product(ALGORITHMS, ("all", "given")):
            found = get_solver("dp-exact", algorithm=algorithm, lengths=lengths).solve(instance)
            check_optimal(found, instance, values[instance.length - 1])
        relaxed = [get_solver("dp-lagrangian", algorithm=a, repair=False).solve(instance) for a in ALGORITHMS]
        assert relaxed[0].info["dual"] == pytest.approx(relaxed[1].info["dual"], abs=1e-9)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_run_returns_the_best_compression_of_every_length(algorithm: str) -> None:
    instance = generate_planted(3, 13, boundary=True)
    solver = get_solver("dp-exact", "compression", algorithm=algorithm)
    found = solver.compressions(instance)  # type: ignore[attr-defined]
    assert [len(kept) for kept, _ in found] == list(range(14))
    for length, structure in enumerate(found):
        chosen = of_length(instance, length)
        assert TASK.broken(chosen, structure) is None
        assert TASK.objective(chosen, structure) == pytest.approx(solver.solve(chosen).objective, abs=1e-9)


def test_exactly_one_word_hangs_from_the_root_symbol() -> None:
    """Several real root modifiers would be worth 10 each here."""
    arcs = np.full((4, 3), -1.0)
    arcs[0] = 10.0
    instance = CompressionInstance("roots", np.zeros(3), np.zeros((3, 3)), arcs, 3)
    for name, algorithm in itertools.product(("dp-exact", "dp-lagrangian"), ALGORITHMS):
        assert get_solver(name, algorithm=algorithm).solve(instance).objective == 8.0


def test_words_before_the_first_kept_one_can_be_deleted() -> None:
    """The root symbol needs its virtual arc beside the real one."""
    instance = CompressionInstance("late", [-9.0, -9.0, 1.0, -9.0], np.zeros((4, 4)), np.zeros((5, 4)), 1)
    for name, algorithm in itertools.product(("dp-exact", "dp-lagrangian"), ALGORITHMS):
        assert get_solver(name, algorithm=algorithm).solve(instance).structure == ((3,), (0,))


def test_bigrams_span_deleted_words_and_reach_the_boundary_symbols() -> None:
    bigrams = np.zeros((5, 5))
    bigrams[0, 1], bigrams[1, 3], bigrams[3, 4] = 1.0, 2.0, 4.0
    instance = CompressionInstance("gap", np.zeros(3), bigrams, np.zeros((4, 3)), 2)
    for name, algorithm in itertools.product(("dp-exact", "dp-lagrangian"), ALGORITHMS):
        found = get_solver(name, algorithm=algorithm).solve(instance)
        assert (found.objective, found.structure[0]) == (7.0, (1, 3))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_without_repair_the_wrong_length_is_kept_and_said(algorithm: str, search: str) -> None:
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(60):
        instance = random_instance(rng, 6, "normal", True, length=4)
        found = get_solver("dp-lagrangian", algorithm=algorithm, search=search, repair=False).solve(instance)
        if found.status == "optimal":
            continue
        seen += 1
        assert found.status == "infeasible"
        assert "4 words are kept, the nearest is" in found.message
        assert len(found.structure[0]) != 4
        assert TASK.broken(of_length(instance, len(found.structure[0])), found.structure) is None
        judged = check_answer(TASK, instance, found)
        assert (judged.status, judged.objective, judged.audit) == ("infeasible", None, "ok")
        assert judged.bound is not None
        assert judged.bound >= get_solver("dp-exact").solve(instance).objective - 1e-9
        repaired = get_solver("dp-lagrangian", algorithm=algorithm, search=search).solve(instance)
        assert (repaired.status, repaired.info["repaired"]) == ("optimal", 1.0)
        assert repaired.solve_seconds >= repaired.info["repair_seconds"] > 0
    assert seen >= 5


@pytest.mark.parametrize("words", [2, 4, 6])
def test_max_marginals_equal_brute_force(words: int) -> None:
    """The best rewarded score of all compressions that have an arc, or a word with its modifiers ending just there."""
    rng = np.random.default_rng(words)
    structures, _, _ = all_structures(words)
    for reward, boundary in itertools.product((-1.0, 0.3), (False, True)):
        instance = random_instance(rng, words, "normal", boundary)
        program = Relaxation(arc_table(instance), bigram_table(instance), "fast")
        best = program.maximize(reward)
        right, left, arcs = program.max_marginals()
        expected = {"right": np.full(right.shape, -np.inf), "left": np.full(left.shape, -np.inf)}
        expected["arcs"] = np.full(arcs.shape, -np.inf)
        worth = [TASK.objective(instance, each) + reward * len(each[0]) for each in structures]
        assert best == pytest.approx(max(worth))
        for (kept, heads), score in zip(structures, worth, strict=True):
            following = dict(pairwise((*kept, words + 1)))
            below = {word: {word} for word in kept}
            for word in kept:
                above = word
                while (above := heads[kept.index(above)]) != 0:
                    below[above].add(word)
            spans = [("right", word, following[max(below[word])] - 1) for word in kept]
            spans += [("left", min(below[word]), word) for word in kept]
            spans += [("arcs", head, word) for word, head in zip(kept, heads, strict=True) if head]
            for kind, i, j in spans:
                expected[kind][i, j] = max(expected[kind][i, j], score)
        for found, kind in ((arcs, "arcs"), (right, "right"), (left, "left")):
            seen = expected[kind] > -np.inf
            if kind == "arcs":
                assert found[seen] == pytest.approx(expected[kind][seen])
            else:  # smaller spans of the same word count too: the whole ones are among them
                assert (found[seen] >= expected[kind][seen] - 1e-9).all()
            assert found[seen].max() == pytest.approx(best) or kind == "arcs"


@pytest.mark.parametrize("kind", KINDS)
def test_repair_finds_the_optimum_whatever_the_multiplier(kind: str) -> None:
    rng = np.random.default_rng(8)
    runs = set()
    for _ in range(40):
        words = int(rng.integers(2, 16))
        instance = random_instance(rng, words, kind, True, length=int(rng.integers(1, words + 1)))
        arcs, bigrams = arc_table(instance), bigram_table(instance)
        optimum = get_solver("dp-exact").solve(instance).objective
        for multiplier, unit in itertools.product(rng.normal(0, 2, 2), (1e-6, 0.1, 10.0)):
            score, heads, count = best_of_length(arcs, bigrams, instance.length, multiplier, unit, instance.magnitude)
            assert score == pytest.approx(optimum, abs=1e-9)
            structure = compression_of(heads)
            assert TASK.broken(instance, structure) is None
            assert TASK.objective(instance, structure) == pytest.approx(optimum, abs=1e-9)
            runs.add(count)
    assert max(runs) > 1


def test_trace_of_the_multiplier_search() -> None:
    instance = generate_planted(1, 20)
    found = get_solver("dp-lagrangian", search="subgradient", trace=True).solve(instance)
    assert len(found.trace) >= found.iterations
    assert min(point.bound for point in found.trace) == pytest.approx(min(found.info["dual"], found.bound))
    assert all(a.seconds <= b.seconds for a, b in pairwise(found.trace))


SOLVERS = [
    *(("dp-exact", {"algorithm": a, "lengths": b}) for a in ALGORITHMS for b in ("all", "given")),
    *(("dp-lagrangian", {"algorithm": a, "search": b}) for a in ALGORITHMS for b in SEARCHES),
]


@pytest.mark.parametrize(("name", "options"), SOLVERS)
def test_edges(name: str, options: dict[str, Any]) -> None:
    solver = get_solver(name, **options)
    one = CompressionInstance("one", [2.0], [[0, 1, 8], [0, 0, 4], [0, 0, 0]], [[16.0], [0.0]], 1)
    check_optimal(solver.solve(one), one, 23.0)
    none = of_length(one, 0)
    check_optimal(solver.solve(none), none, 8.0)
    assert solver.solve(none).structure == ((), ())
    whole = of_length(generate_hard(1, 12), 12)
    check_optimal(solver.solve(whole), whole, get_solver("dp-exact").solve(whole).objective)
    assert solver.solve(whole).structure[0] == tuple(range(1, 13))
    single = of_length(whole, 1)
    scores = single.token_scores + single.arc_scores[0] + single.bigram_scores[0, 1:-1] + single.bigram_scores[1:-1, -1]
    check_optimal(solver.solve(single), single, scores.max())
    free = dataclasses.replace(generate_hard(2, 8), projective=False)
    found = solver.solve(free)
    assert (found.status, found.bound) == ("feasible", math.inf)
    assert "projective trees only" in found.message


@pytest.mark.parametrize("factor", [1e-30, 1e-9, 1e9, 1e30])
@pytest.mark.parametrize(("name", "options"), SOLVERS)
def test_the_unit_of_scores_does_not_matter(name: str, options: dict[str, Any], factor: float) -> None:
    for seed in range(4):
        instance = generate_hard(seed, 11)
        scaled = dataclasses.replace(
            instance,
            token_scores=factor * instance.token_scores,
            bigram_scores=factor * instance.bigram_scores,
            arc_scores=factor * instance.arc_scores,
        )
        solver = get_solver(name, **options)
        expected = factor * solver.solve(instance).objective
        found = solver.solve(scaled)
        assert found.status == "optimal"
        assert found.objective == pytest.approx(expected, rel=1e-9, abs=0)


def test_the_papers_algorithm_refuses_what_does_not_fit() -> None:
    long = CompressionInstance("long", np.zeros(400), np.zeros((400, 400)), np.zeros((401, 400)), 280)
    with pytest.raises(
        InputError, match=r"algorithm 'paper'\) need 27\.7 GB for 400 words, more than the 4 GB of option"
    ):
        get_solver("dp-exact", algorithm="paper").solve(long)
    with pytest.raises(InputError, match=r"algorithm 'fast'.* more than the 0\.001 GB"):
        get_solver("dp-exact", memory_gb=0.001).solve(generate_hard(0, 40))
    with pytest.raises(InputError, match="'memory_gb' of solver 'dp-exact' must be above 0"):
        get_solver("dp-exact", memory_gb=0)
    assert bytes_needed("fast", 100, 99) < 1e9
    assert bytes_needed("paper", 100, 99) < 1e9


@pytest.mark.parametrize("lengths", ["all", "given"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_memory_that_is_named_is_the_memory_that_is_used(algorithm: str, lengths: str) -> None:
    instance = generate_planted(0, 50)
    solver = get_solver("dp-exact", algorithm=algorithm, lengths=lengths)
    named = 1e6 * solver.solve(instance).info["table_mb"]
    tracemalloc.start()
    try:
        solver.solve(instance)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert named <= peak <= 1.1 * named + 200_000


def test_other_tasks_and_missing_trees_are_refused() -> None:
    other = get_task("extraction").generate(0, "tiny")
    for name in ("dp-exact", "dp-lagrangian", "dp-tree", "dp-bigram"):
        with pytest.raises(InputError, match=f"solver '{name}' solves instances of task 'compression' only"):
            get_solver(name, "compression").solve(other)
    with pytest.raises(InputError, match="needs field 'source_heads'"):
        get_solver("dp-tree").solve(generate_hard(0, 6))


@pytest.mark.parametrize("words", [1, 2, 5, 7])
def test_subtree_deletion_equals_brute_force(words: int) -> None:
    rng = np.random.default_rng(words)
    trees = projective_trees(words)
    for _ in range(25):
        instance = random_instance(rng, words, "normal", False)
        heads = trees[int(rng.integers(len(trees)))]
        for length in range(1, words + 1):
            chosen = dataclasses.replace(instance, length=length, source_heads=heads)
            closed = [
                kept
                for kept in itertools.combinations(range(1, words + 1), length)
                if all(heads[word - 1] == 0 or heads[word - 1] in kept for word in kept)
            ]
            worth = [
                sum(chosen.token_scores[w - 1] + chosen.arc_scores[heads[w - 1], w - 1] for w in k) for k in closed
            ]
            found = get_solver("dp-tree").solve(chosen)
            assert found.status == "feasible"
            assert found.info["model_objective"] == pytest.approx(max(worth))
            assert found.structure[0] == closed[int(np.argmax(worth))]
            assert found.structure[1] == tuple(heads[word - 1] for word in found.structure[0])


def test_subtree_deletion_of_a_crossing_tree_gets_the_best_projective_heads() -> None:
    heads = (3, 4, 0, 3)  # arcs 3 -> 1 and 4 -> 2 cross
    instance = dataclasses.replace(generate_hard(3, 4), source_heads=heads, length=4)
    found = get_solver("dp-tree").solve(instance)
    assert TASK.broken(instance, found.structure) is None
    assert found.structure[1] == best_tree(instance, (1, 2, 3, 4))
    free = dataclasses.replace(instance, projective=False)
    assert get_solver("dp-tree").solve(free).structure[1] == heads


@pytest.mark.parametrize("words", [1, 2, 5, 7])
def test_bigram_path_equals_brute_force(words: int) -> None:
    rng = np.random.default_rng(words)
    for _ in range(15):
        instance = random_instance(rng, words, "normal", True)
        for length in range(words + 1):
            chosen = of_length(instance, length)
            paths = list(itertools.combinations(range(1, words + 1), length))
            worth = [
                sum(chosen.token_scores[w - 1] for w in path)
                + sum(chosen.bigram_scores[a, b] for a, b in pairwise((0, *path, words + 1)))
                for path in paths
            ]
            found = get_solver("dp-bigram").solve(chosen)
            assert found.status == "feasible"
            assert found.info["model_objective"] == pytest.approx(max(worth))
            assert found.structure[0] == paths[int(np.argmax(worth))]


def test_the_heads_of_chosen_words_are_the_best_projective_ones() -> None:
    rng = np.random.default_rng(9)
    structures, _, _ = all_structures(6)
    for _ in range(20):
        instance = random_instance(rng, 6, "normal", False, length=4)
        for kept in ((1, 2, 3, 4), (2, 3, 5, 6)):
            worth = max(TASK.objective(instance, each) for each in structures if each[0] == kept)
            assert TASK.objective(instance, (kept, best_tree(instance, kept))) == pytest.approx(worth)
    assert best_tree(instance, ()) == ()
