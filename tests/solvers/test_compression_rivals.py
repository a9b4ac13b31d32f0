"""The rivals of the dynamic programs on sentence compression: ILP by every backend, dual decomposition, subtrees, CRF."""

from __future__ import annotations

import itertools
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from compression_oracle import KINDS, best_by_length, random_instance

from bench.runner.answer_check import check_answer
from problems import get_task
from problems.compression.corpora import generated_pairs
from problems.compression.generate import generate_hard, generate_planted
from problems.compression.instance import FORMULATIONS, CompressionInstance
from problems.compression.labeller import Labeller, train_labeller
from problems.compression.model import LengthRule
from problems.errors import InputError
from solvers import crf, get_solver

TASK = get_task("compression")
EXACT = ("ilp-cbc", "ilp-cpsat", "ilp-glpk", "ilp-gurobi", "ilp-highs", "ilp-pulp", "ilp-scip", "ilp-xpress")
RELAXED = ("lp-clp", "lp-glop", "lp-glpk", "lp-gurobi", "lp-highs", "lp-highs-ipm", "lp-xpress")
BY_WORDS = ("factors", "chart")
QUICK = [  # a formulation, or two, with which the backend ends 30 words
    ("ilp-highs", "factors"),
    ("ilp-highs", "chart"),
    ("ilp-scip", "factors"),
    ("ilp-cbc", "flow"),
    ("ilp-glpk", "flow"),
    ("ilp-cpsat", "flow"),
    ("ilp-pulp", "flow"),
]
LONG = [
    *((*pair, words) for pair in QUICK for words in (20, 25, 30)),
    *((solver, form, 20) for solver in ("ilp-cbc", "ilp-glpk") for form in BY_WORDS),
    *(("ilp-scip", form, 20) for form in ("chart", "flow")),
]


def instances(seed: int, words: int, count: int) -> list[CompressionInstance]:
    rng = np.random.default_rng([seed, words, 14])
    return [random_instance(rng, words, KINDS[k % len(KINDS)], k % 2 == 0) for k in range(count)]


def check_optimal(solution: object, instance: CompressionInstance, optimum: float, what: object = "") -> None:
    assert solution.status == "optimal", (what, solution.message)  # type: ignore[attr-defined]
    assert TASK.broken(instance, solution.structure) is None  # type: ignore[attr-defined]
    assert solution.objective == pytest.approx(optimum, rel=1e-6, abs=1e-6), what  # type: ignore[attr-defined]


@pytest.mark.parametrize("solver", ["ilp-highs", "lp-highs", "ad3", "ad3-exact", "subgradient"])
def test_a_solver_may_choose_its_formulation(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    graph = type(TASK).graph
    monkeypatch.setattr(type(TASK), "graph", lambda self, one: asked.append(one.formulation) or graph(self, one))
    instance = generate_planted(4, 8)
    for formulation in (None, *(FORMULATIONS if solver in (*EXACT, *RELAXED) else BY_WORDS)):
        found = get_solver(solver, formulation=formulation).solve(instance)
        same = get_solver(solver).solve(replace(instance, formulation=formulation or "factors"))
        assert asked[-2:] == [formulation or "factors"] * 2
        assert (found.structure, found.bound) == (same.structure, same.bound)
    with pytest.raises(InputError, match="must be one of flow, factors, chart"):
        get_solver(solver, formulation="chain").solve(instance)
    with pytest.raises(InputError, match="such an instance has one graph only"):
        get_solver(solver, formulation="chart").solve(get_task("parsing").generate(1, "short"))


# -- integer programs --------------------------------------------------------------------------------------------------


def check_every_length(words: int, count: int, solver: str) -> None:
    made = instances(1, words, count)
    for instance, best in zip(made, best_by_length(made), strict=True):
        for length in range(1, words + 1):
            for formulation in FORMULATIONS:
                problem = replace(instance, length=length, formulation=formulation)
                check_optimal(get_solver(solver).solve(problem), problem, best[length - 1], (formulation, length))


@pytest.mark.parametrize(("words", "count"), [(1, 6), (2, 12), (3, 12), (4, 12), (5, 6), (6, 2)])
def test_every_formulation_has_the_optimum_of_brute_force(words: int, count: int) -> None:
    check_every_length(words, count, "ilp-highs")


@pytest.mark.slow
@pytest.mark.parametrize(("words", "count"), [(4, 120), (5, 90), (6, 60), (7, 18), (8, 12)])
def test_every_formulation_has_the_optimum_of_brute_force_on_many(words: int, count: int) -> None:
    check_every_length(words, count, "ilp-highs")


@pytest.mark.parametrize("solver", EXACT)
def test_every_backend_has_the_optimum_of_brute_force(solver: str) -> None:
    check_every_length(3, 6, solver)


@pytest.mark.parametrize("solver", EXACT)
def test_every_backend_has_the_optimum_of_the_dynamic_program(solver: str) -> None:
    problems = [generate_planted(3, 14), generate_hard(4, 8)]
    for instance in problems:
        optimum = get_solver("dp-exact").solve(instance).objective
        for formulation in FORMULATIONS:
            problem = replace(instance, formulation=formulation)
            check_optimal(get_solver(solver).solve(problem), problem, optimum, (formulation, instance.name))


@pytest.mark.parametrize("solver", EXACT)
@pytest.mark.parametrize("words", [7, 8, 9, 10, 11, 12, 13, 14])
def test_every_backend_has_the_optimum_of_the_dynamic_program_up_to_14_words(words: int, solver: str) -> None:
    """Planted sentences, and random scores (with ties, zero or negative ones, by turns) of random lengths."""
    rng = np.random.default_rng([words, 5])
    kind = KINDS[words % len(KINDS)]
    random = random_instance(rng, words, kind, words % 2 == 0, length=int(rng.integers(1, words)))
    other = ("flow", "factors")[(words + EXACT.index(solver)) % 2]
    charted = generate_planted(words, words) if words % 2 == 0 else random
    for instance, formulation in ((charted, "chart"), (random, other)):
        optima = {get_solver("dp-exact", algorithm=a).solve(instance).objective for a in ("fast", "paper")}
        assert max(optima) == pytest.approx(min(optima), abs=1e-9)
        problem = replace(instance, formulation=formulation)
        check_optimal(get_solver(solver).solve(problem), problem, min(optima), (formulation, instance.name))


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "formulation", "words"), LONG)
def test_long_sentences_have_the_optimum_of_the_dynamic_program(solver: str, formulation: str, words: int) -> None:
    instance = replace(generate_planted(words, words), formulation=formulation)
    optimum = get_solver("dp-exact").solve(instance).objective
    check_optimal(get_solver(solver, time_limit=900.0).solve(instance), instance, optimum)


@pytest.mark.parametrize("words", [2, 3, 4, 5])
def test_trees_that_need_not_be_projective(words: int) -> None:
    differs = 0
    for instance in instances(2, words, 6):
        for length in range(1, words + 1):
            problem = replace(instance, length=length, projective=False, formulation="flow")
            optimum = max(TASK.objective(problem, structure) for structure in TASK.structures(problem))
            check_optimal(get_solver("ilp-highs").solve(problem), problem, optimum)
            projective = get_solver("dp-exact").solve(replace(problem, projective=True)).objective
            assert projective <= optimum + 1e-9
            differs += projective < optimum - 1e-6
    assert bool(differs) == (words >= 3)  # an arc over the word below the root symbol


# -- relaxations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_linear_backend_has_the_same_bound(formulation: str) -> None:
    for seed in range(2):
        problem = replace(generate_planted(seed, 10), formulation=formulation)
        optimum = get_solver("dp-exact").solve(problem).objective
        bounds = []
        for name in RELAXED:
            solution = get_solver(name).solve(problem)
            assert TASK.broken(problem, solution.structure) is None
            assert solution.objective <= optimum + 1e-7 <= solution.bound + 2e-6
            bounds.append(solution.bound)
        assert bounds == pytest.approx([bounds[0]] * len(bounds), rel=1e-6)


@pytest.mark.parametrize("formulation", BY_WORDS)
def test_the_dual_of_ad3_is_that_of_the_linear_program(formulation: str) -> None:
    fractional = 0
    for instance in [*instances(3, 6, 6), *(generate_planted(s, 12) for s in range(6)), generate_hard(1, 15)]:
        problem = replace(instance, length=max(1, round(0.6 * instance.number_of_words)), formulation=formulation)
        bound = get_solver("lp-highs").solve(problem).bound
        relaxed = get_solver("ad3", max_iterations=5000, residual_tolerance=1e-9).solve(problem)
        assert relaxed.bound == pytest.approx(bound, abs=1e-4)
        assert get_solver("subgradient", max_iterations=300).solve(problem).bound >= bound - 1e-6
        fractional += relaxed.status != "optimal"
    assert fractional  # else the two would be equal for a dull reason


def test_the_linear_program_of_the_chart_is_at_least_as_good_as_the_lagrangian_dual() -> None:
    """The same relaxation but for one thing: no run of deleted words is longer than all that are to be deleted."""
    equal = 0
    for seed in range(8):
        problem = replace(generate_planted(seed, 12), formulation="chart")
        bound = get_solver("lp-highs").solve(problem).bound
        lagrangian = get_solver("dp-lagrangian", repair=False).solve(problem)
        assert bound <= lagrangian.info["dual"] + 1e-6
        assert bound >= get_solver("dp-exact").solve(problem).objective - 1e-6
        equal += bound == pytest.approx(lagrangian.info["dual"], abs=1e-6)
    assert equal >= 6


@pytest.mark.parametrize("formulation", BY_WORDS)
def test_dual_decomposition_with_branch_and_bound_is_exact(formulation: str) -> None:
    made = instances(4, 6, 6)
    for instance, best in zip(made, best_by_length(made), strict=True):
        for length in range(1, 7):
            problem = replace(instance, length=length, formulation=formulation)
            check_optimal(get_solver("ad3-exact").solve(problem), problem, best[length - 1], (formulation, length))
    for seed in range(4):
        problem = replace(generate_planted(seed, 20), formulation=formulation)
        check_optimal(get_solver("ad3-exact").solve(problem), problem, get_solver("dp-exact").solve(problem).objective)


@pytest.mark.parametrize("solver", ["ad3", "ad3-exact", "subgradient"])
def test_dual_decomposition_needs_factors(solver: str) -> None:
    with pytest.raises(InputError, match="use 'factors' or 'chart'"):
        get_solver(solver).solve(replace(generate_planted(0, 6), formulation="flow"))


# -- subtree deletion --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", EXACT)
def test_subtree_deletion_as_an_integer_program(backend: str) -> None:
    for seed in range(4):
        instance = generate_planted(seed, 8, 16)
        for length in (0, 1, instance.length, instance.number_of_words):
            problem = replace(instance, length=length)
            found = get_solver("tree-ilp", backend=backend).solve(problem)
            expected = get_solver("dp-tree").solve(problem)
            assert found.info["model_objective"] == pytest.approx(expected.info["model_objective"], abs=1e-6)
            assert TASK.broken(problem, found.structure) is None
            assert check_answer(TASK, problem, found).status == "feasible"
            kept = set(found.structure[0])
            assert all(problem.source_heads[word - 1] in kept | {0} for word in kept)  # type: ignore[index]


def test_the_whole_subtree_model_equals_brute_force() -> None:
    """Tokens, source arcs, and the bigrams of the source sentence whose words are both kept, its borders included."""
    rng = np.random.default_rng(11)
    for seed in range(12):
        instance = generate_planted(seed, 7, 9)
        words, heads = instance.number_of_words, instance.source_heads
        assert heads is not None
        bigrams = rng.normal(size=(words + 2, words + 2))
        instance = replace(instance, bigram_scores=bigrams, length=int(rng.integers(1, words + 1)))
        best = -np.inf
        for kept in itertools.combinations(range(1, words + 1), instance.length):
            if any(heads[word - 1] and heads[word - 1] not in kept for word in kept):
                continue
            there = {0, *kept, words + 1}
            score = sum(
                instance.token_scores[word - 1] + instance.arc_scores[heads[word - 1], word - 1] for word in kept
            )
            score += sum(bigrams[word, word + 1] for word in range(words + 1) if {word, word + 1} <= there)
            best = max(best, score)
        found = get_solver("tree-ilp", bigrams=True).solve(instance)
        assert found.info["model_objective"] == pytest.approx(best, abs=1e-6)


def test_subtree_deletion_needs_a_source_tree_and_an_exact_backend() -> None:
    with pytest.raises(InputError, match="source_heads"):
        get_solver("tree-ilp").solve(generate_hard(1, 5))
    with pytest.raises(InputError, match="backend"):
        get_solver("tree-ilp", backend="lp-highs")


# -- linear-chain CRF --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("pycrfsuite")
    path = tmp_path_factory.mktemp("crf") / "model.crf"
    crf.train((generate_planted(seed, 8, 20, noise=0.3) for seed in range(1000, 1060)), path)
    return str(path)


def test_a_trained_crf_beats_keeping_everything(model: str) -> None:
    scores, everything = [], []
    for seed in range(20):
        instance = generate_planted(seed, 8, 20, noise=0.3)
        solution = get_solver("crf", model=model, length="free").solve(instance)
        scores.append(TASK.evaluate(instance, solution.structure)["unigram F1"])
        words = tuple(range(1, instance.number_of_words + 1))
        everything.append(TASK.evaluate(instance, (words, (0, *words[:-1])))["unigram F1"])
    assert np.mean(scores) > np.mean(everything) + 0.05


def test_a_labelling_of_another_length_is_kept_and_said_to_be_infeasible(model: str) -> None:
    seen = set()
    for seed in range(20):
        instance = generate_planted(seed, 8, 20)
        solution = get_solver("crf", model=model, length="free").solve(instance)
        kept, heads = solution.structure
        judged = check_answer(TASK, instance, solution)
        assert judged.status == solution.status == ("feasible" if len(kept) == instance.length else "infeasible")
        assert judged.audit == "ok"
        assert TASK.broken(replace(instance, length=len(kept)), (kept, heads)) is None
        seen.add(solution.status)
    assert seen == {"feasible", "infeasible"}


def test_a_fixed_length_keeps_the_likeliest_words(model: str) -> None:
    import pycrfsuite

    instance = generate_planted(7, 15)
    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    tagger.set(crf.features(instance))
    marginals = np.array([tagger.marginal("1", index) for index in range(15)])
    for length in (0, 1, 7, 15):
        problem = replace(instance, length=length)
        solution = get_solver("crf", model=model).solve(problem)
        assert solution.status == "feasible"
        assert not math.isfinite(solution.bound)
        assert solution.structure[0] == tuple(sorted((np.argsort(-marginals)[:length] + 1).tolist()))


def test_a_trained_labeller_is_a_model_too(tmp_path: Path) -> None:
    pytest.importorskip("pycrfsuite")
    learn, test = generated_pairs(range(60)), generated_pairs(range(100, 110))
    path, rule = tmp_path / "labeller.model", LengthRule.fitted(learn)
    labeller = Labeller(train_labeller(learn, 20, tmp_path), rule, 0.4)
    labeller.write(path)
    assert crf._model(str(path)).content == labeller.crf  # kept, because CRFsuite copies no model in memory
    for pair in test:
        tokens, words = pair.sentence, len(pair.sentence)
        length = rule.length(words)
        scores = np.zeros(words), np.zeros((words, words)), np.zeros((words + 1, words))
        instance = CompressionInstance("one", *scores, length, tokens.words, tokens.tags)
        expected = {
            "fixed": labeller.likeliest(tokens, length),
            "free": labeller.labelled(tokens),
            "rate": labeller.above(tokens),
        }
        for name, kept in expected.items():
            assert get_solver("crf", model=str(path), length=name).solve(instance).structure[0] == kept, name
    with pytest.raises(InputError, match="needs fields 'words' and 'tags'"):
        get_solver("crf", model=str(path)).solve(replace(instance, tags=()))


def test_only_a_labeller_knows_the_gold_rate(model: str) -> None:
    with pytest.raises(InputError, match="has no threshold"):
        get_solver("crf", model=model, length="rate").solve(generate_planted(0, 6))


def test_features_do_without_words_and_tags() -> None:
    instance = generate_hard(1, 3)
    found = crf.features(instance)
    assert [sorted(word) for word in found][1] == sorted(
        ["bias", "bigram in", "bigram out", "bigram over", "token -1", "token 0", "token 1"]
    )
    assert found[1]["bigram over"] == instance.bigram_scores[1, 3]
    assert found[0]["bigram in"] == instance.bigram_scores[0, 1]
    assert found[2]["token -2"] == instance.token_scores[0]


def test_a_model_that_is_none_is_refused(tmp_path: Path, model: str) -> None:
    instance = generate_planted(0, 6)
    with pytest.raises(InputError, match="there is no file"):
        get_solver("crf", model=str(tmp_path / "none.crf")).solve(instance)
    (tmp_path / "wrong.crf").write_text("no model")
    with pytest.raises(InputError, match="is no model of CRFsuite"):
        get_solver("crf", model=str(tmp_path / "wrong.crf")).solve(instance)
    with pytest.raises(InputError, match="no gold"):
        crf.train([generate_hard(1, 5)], tmp_path / "other.crf")


def test_without_the_package_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(InputError, match="python-crfsuite is not installed"):
        get_solver("crf").solve(generate_planted(0, 6))
