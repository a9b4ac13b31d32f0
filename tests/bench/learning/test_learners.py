"""Weights, updates and the loop: against plain recomputation, finite differences and toy problems that can be fitted."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hinge import hinge_objective
from hypothesis import given
from hypothesis import strategies as st

from bench.learning.learners import Decoder, Learner, Mira, StructuredSvm, mira_step, most_violated
from bench.learning.loop import train
from bench.learning.multitask import SHARED, MultiTaskSvm, even_weights
from bench.learning.weights import AveragedWeights
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.models.sparse import RowBuilder, SparseRows

BITS = 6
SIZE = 1 << BITS
EXACT = Decoder("ilp-highs")


@dataclass
class Pick:
    """Choose exactly `count` of some things, each with features; the cost is the number of wrong things."""

    name: str
    features: SparseRows
    gold: np.ndarray
    count: int
    task: str = "pick"

    @property
    def cost(self) -> np.ndarray:
        return 1.0 - 2.0 * self.gold

    @property
    def cost_constant(self) -> float:
        return float(self.gold.sum())

    def decode(self, decoder: Decoder, scores: np.ndarray) -> np.ndarray:
        graph = FactorGraph()
        things = graph.add_variables(scores)
        graph.add_budget(things, self.count)
        graph.add_budget(things, len(things) - self.count, negated=np.ones(len(things), dtype=bool))
        return np.array(decoder.solve(graph, "graph").structure, dtype=float)


class Enumerated(Pick):
    """The same by brute force: an oracle, and quicker."""

    def decode(self, decoder: Decoder, scores: np.ndarray) -> np.ndarray:
        best = max(itertools.combinations(range(len(scores)), self.count), key=lambda some: scores[list(some)].sum())
        return np.isin(np.arange(len(scores)), best).astype(float)


def picks(seed: int, count: int, kind: type[Pick] = Enumerated, task: str = "pick", flip: float = 1.0) -> list[Pick]:
    """Things with an attribute; the gold picks those with the largest attributes (or the smallest, if flip is -1)."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        builder = RowBuilder(BITS)
        values = rng.permutation(6)
        for value in values:
            builder.add({"size": float(value), f"value {value}": 1.0, "bias": 1.0})
        gold = (flip * values > np.sort(flip * values)[3]).astype(float)
        made.append(kind(f"{task} {number}", builder.build(), gold, 2, task))
    return made


steps = st.lists(
    st.tuples(st.dictionaries(st.integers(0, 4), st.integers(-3, 3)), st.sampled_from([1.0, 0.5, 1e-4, 0.0, -1.0])),
    max_size=12,
)


@given(steps)
def test_weights_and_their_average(history: list[tuple[dict[int, int], float]]) -> None:
    weights, plain, seen = AveragedWeights(5), np.zeros(5), []
    for change, factor in history:
        weights.shrink(factor)
        plain *= max(factor, 0.0)
        weights.add(np.array(list(change), dtype=np.int64), np.array(list(change.values()), dtype=float))
        for index, value in change.items():
            plain[index] += value
        weights.tick()
        seen.append(plain.copy())
        np.testing.assert_allclose(weights.current(), plain, rtol=1e-9, atol=1e-12)
    if seen:
        np.testing.assert_allclose(weights.averaged(), np.mean(seen, axis=0), rtol=1e-6, atol=1e-7)


def test_the_most_violated_output_by_any_solver() -> None:
    scores = np.random.default_rng(3).normal(size=6)
    for one, other in zip(picks(1, 3, Pick), picks(1, 3), strict=True):
        expected = most_violated(other, EXACT, scores)
        for solver in ("ilp-highs", "ilp-glpk", "brute-force"):
            found = most_violated(one, Decoder(solver), scores)
            assert found.loss == pytest.approx(expected.loss)
            np.testing.assert_allclose(found.values, expected.values)


@given(st.integers(0, 100))
def test_the_subgradient_is_one(seed: int) -> None:
    """Hinge(w') >= hinge(w) + g.(w' - w) everywhere, and with equality for small changes almost everywhere."""
    rng = np.random.default_rng(seed)
    example = picks(seed, 1)[0]
    weights = rng.normal(size=SIZE)
    violation = most_violated(example, EXACT, example.features.scores(weights))
    gradient = np.zeros(SIZE)
    gradient[violation.indices] = -violation.values

    def hinge(values: np.ndarray) -> float:
        return most_violated(example, EXACT, example.features.scores(values)).loss

    for size in (1e-6, 0.1, 3.0):
        change = size * rng.normal(size=SIZE)
        assert hinge(weights + change) >= violation.loss + gradient @ change - 1e-9
    change = 1e-7 * rng.normal(size=SIZE)
    assert hinge(weights + change) - violation.loss == pytest.approx(gradient @ change, abs=1e-12)


def test_mira_makes_the_smallest_sufficient_step() -> None:
    example = picks(5, 1)[0]
    learner = Mira(SIZE, EXACT, math.inf)
    weights = np.random.default_rng(5).normal(size=SIZE)
    learner.weights.add(np.arange(SIZE), weights)
    violation = most_violated(example, EXACT, example.features.scores(weights))
    assert violation.loss > 0
    learner.step(example)
    moved = learner.weights.current() - weights
    assert moved[violation.indices] @ violation.values == pytest.approx(violation.loss)  # the margin is now just met
    other = np.random.default_rng(6).normal(size=SIZE)
    other *= violation.loss / (other[violation.indices] @ violation.values)  # any other change that meets it
    assert np.linalg.norm(moved) <= np.linalg.norm(other) + 1e-9
    assert mira_step(violation.loss, violation.squared_norm, 1e-3) == 1e-3
    assert mira_step(-1.0, 1.0, 1.0) == mira_step(1.0, 0.0, 1.0) == 0.0


LEARNERS = {
    "mira": lambda: Mira(SIZE, EXACT, 0.1),
    "svm": lambda: StructuredSvm(SIZE, EXACT, 1e-3, 0.1),
    "multi-task": lambda: MultiTaskSvm(SIZE, {"pick": EXACT}, {"pick": 1.0}, {"pick": 1e-3}, 1e-3, 0.1),
}


@pytest.mark.parametrize("kind", LEARNERS)
def test_a_separable_problem_is_fitted_to_zero_loss(kind: str) -> None:
    learner = LEARNERS[kind]()
    examples = picks(7, 20)
    trained = train(examples, learner, epochs=30, seed=1)
    assert trained.history[0]["loss"] > 0.1
    assert trained.history[-1]["loss"] < 0.01
    (weights,) = trained.weights.values()
    for example in [*examples, *picks(8, 20)]:
        np.testing.assert_array_equal(example.decode(EXACT, example.features.scores(weights)), example.gold)


def test_the_svm_approaches_the_minimum() -> None:
    """On a problem that cannot be fitted, against a general-purpose minimiser of the same objective."""
    from scipy.optimize import minimize

    examples = [*picks(1, 6), *picks(2, 6, flip=-1.0)]
    decoders = {"pick": EXACT}

    def objective(short: np.ndarray) -> float:
        weights = np.zeros(SIZE)
        weights[used] = short
        return hinge_objective(weights, examples, decoders, 0.5)

    used = np.unique(np.concatenate([example.features.indices for example in examples]))
    lowest = minimize(objective, np.zeros(len(used)), method="Powell", options={"maxiter": 60}).fun
    learner = StructuredSvm(SIZE, EXACT, 0.5, 0.5)
    trained = train(examples, learner, epochs=60, seed=1)
    found = hinge_objective(trained.weights["weights"], examples, decoders, 0.5)
    assert lowest * (1 - 1e-9) <= found + 0.02
    assert found <= lowest * 1.02


# -- several tasks -------------------------------------------------------------------------------------------------


def two_tasks(shared: float, own: dict[str, float], importance: dict[str, float]) -> MultiTaskSvm:
    return MultiTaskSvm(SIZE, {"up": EXACT, "down": EXACT}, importance, own, shared, 0.1)


def test_even_weights() -> None:
    examples = [*picks(1, 6, task="up"), *picks(1, 2, task="down")]
    assert even_weights(examples) == {"up": 8 / 6, "down": 4.0}


def test_one_update_of_section_4() -> None:
    learner = two_tasks(0.5, {"up": 0.25, "down": 0.125}, {"up": 3.0, "down": 1.0})
    start = {name: np.random.default_rng(seed).normal(size=SIZE) for seed, name in enumerate((SHARED, "up", "down"))}
    for name, vector in learner.vectors.items():
        vector.add(np.arange(SIZE), start[name])
    example = picks(3, 1, task="up")[0]
    violation = most_violated(example, EXACT, example.features.scores(start[SHARED] + start["up"]))
    assert violation.loss > 0
    gradient = np.zeros(SIZE)
    gradient[violation.indices] = -violation.values
    learner.step(example)
    step = 0.1
    expected = {
        SHARED: (1 - step * 0.5) * start[SHARED] - step * 3.0 * gradient,
        "up": (1 - step * 0.25) * start["up"] - step * 3.0 * gradient,
        "down": (1 - step * 0.125) * start["down"],
    }
    for name, vector in learner.vectors.items():
        np.testing.assert_allclose(vector.current(), expected[name], atol=1e-12)


def test_an_infinite_lambda_decouples_the_tasks() -> None:
    up, down = picks(1, 8, task="up"), picks(2, 8, task="down", flip=-1.0)
    together = two_tasks(math.inf, {"up": 0.1, "down": 0.1}, {"up": 1.0, "down": 1.0})
    train([*up, *down], together, epochs=5, seed=1)
    assert not together.vectors[SHARED].current().any()
    alone = two_tasks(math.inf, {"up": 0.1, "down": 0.1}, {"up": 1.0, "down": 0.0})
    train([*up, *down], alone, epochs=5, seed=1)
    np.testing.assert_array_equal(together.vectors["up"].current(), alone.vectors["up"].current())


def test_without_its_data_a_task_is_what_the_others_post_combine_to() -> None:
    learner = two_tasks(0.1, {"up": 0.1, "down": 0.1}, {"up": 0.0, "down": 1.0})
    down = picks(2, 10, task="down", flip=-1.0)
    trained = train([*picks(1, 10, task="up"), *down], learner, epochs=10, seed=1)
    assert not learner.vectors["up"].averaged().any()
    shared = learner.vectors[SHARED].averaged()
    np.testing.assert_array_equal(trained.weights["up"], shared)
    np.testing.assert_allclose(learner.vectors["down"].averaged(), shared)  # equal regularization, same steps: w = v


def test_sharing_helps_a_task_with_little_data() -> None:
    learner = two_tasks(1e-3, {"up": 1e-3, "down": 1e-3}, {"up": 1.0, "down": 1.0})
    trained = train([*picks(1, 20, task="up"), *picks(2, 1, task="down")], learner, epochs=10, seed=1)
    for example in picks(3, 20, task="down"):
        np.testing.assert_array_equal(
            example.decode(EXACT, example.features.scores(trained.weights["down"])), example.gold
        )


# -- the loop ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LEARNERS)
def test_resuming_changes_nothing(kind: str, tmp_path: Path) -> None:
    examples, development = picks(1, 8), lambda weights: -float(sum(abs(w).sum() for w in weights.values()))
    whole = train(examples, LEARNERS[kind](), epochs=4, seed=9, development=development)
    path = tmp_path / "some.checkpoint"
    train(examples, LEARNERS[kind](), epochs=2, seed=9, development=development, checkpoint=path)
    resumed = train(examples, LEARNERS[kind](), epochs=4, seed=9, development=development, checkpoint=path, resume=True)
    assert [record["loss"] for record in resumed.history] == [record["loss"] for record in whole.history]
    for name, weights in whole.weights.items():
        np.testing.assert_array_equal(resumed.weights[name], weights)


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.checkpoint"
    train(picks(1, 4), LEARNERS["mira"](), epochs=1, seed=1, checkpoint=path)
    with pytest.raises(InputError, match=r"some\.checkpoint: a checkpoint of another training"):
        train(picks(1, 4), LEARNERS["mira"](), epochs=2, seed=2, checkpoint=path, resume=True)
    with pytest.raises(InputError, match="a checkpoint of another training"):
        train(
            picks(1, 4), LEARNERS["mira"](), epochs=2, seed=1, checkpoint=path, settings={"templates": "a"}, resume=True
        )
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(InputError, match=r"some\.checkpoint: not a complete model file"):
        train(picks(1, 4), LEARNERS["mira"](), epochs=2, seed=1, checkpoint=path, resume=True)


class Fixed(Learner):
    """Weights that are the number of the epoch."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def step(self, example: Pick) -> float:
        self.seen.append(example.name)
        return 0.0

    def averaged(self) -> dict[str, np.ndarray]:
        return {"weights": np.array([float(len(self.seen) // 3)])}

    def state(self) -> tuple[dict[str, object], dict[str, object]]:
        return {}, {}

    def restore(self, numbers: dict[str, object], arrays: dict[str, object]) -> None: ...

    def settings(self) -> dict[str, object]:
        return {}


def test_the_best_epoch_is_kept_and_training_stops_early() -> None:
    scores = {1: 0.3, 2: 0.5, 3: 0.4, 4: 0.45, 5: 0.9}
    learner = Fixed()
    trained = train(
        picks(1, 3), learner, epochs=5, seed=1, development=lambda found: scores[int(found["weights"][0])], patience=2
    )
    assert [record["development"] for record in trained.history] == [0.3, 0.5, 0.4, 0.45]
    assert trained.weights["weights"].tolist() == [2.0]
    assert trained.best["epoch"] == 2
    orders = [tuple(learner.seen[start : start + 3]) for start in range(0, 12, 3)]
    assert all(sorted(order) == ["pick 0", "pick 1", "pick 2"] for order in orders)
    assert len(set(orders)) > 1


def test_no_examples() -> None:
    with pytest.raises(InputError, match="no training examples"):
        train([], Fixed(), epochs=1, seed=1)
