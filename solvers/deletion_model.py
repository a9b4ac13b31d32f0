"""A maximum-entropy model of which words are deleted (the first stage of Galanis & Androutsopoulos 2010), and its candidates.

Each word is kept with a probability of its own, from its tag, its neighbours, its head and the constituents around it. The
candidates of a sentence are the likeliest compressions that the grammar can derive.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from problems.linear_program import Floats
from problems.transduction.instance import TransductionInstance
from problems.transduction.trees import Tree, read_tree

from .dynamic.transduction import Rules, rules_of, transduction_of

PENALTY = 1.0  # of squared weights
SEARCH_STEPS = 40

Kept = tuple[int, ...]


def features(instance: TransductionInstance) -> list[list[str]]:
    """What is true of each word."""
    words = ["<s>", *(word.lower() for word in instance.words), "</s>"]
    found = []
    for place in range(1, len(words) - 1):
        here = ["bias", f"word {words[place]}", f"before {words[place - 1]}", f"behind {words[place + 1]}"]
        if instance.source_heads is not None:
            head = instance.source_heads[place - 1]
            here.append(f"head {words[head]}")
        found.append(here)
    if instance.source_tree:
        _add_constituents(read_tree(instance.source_tree, instance.name), [], found, 0)
    return found


def _add_constituents(node: Tree, above: list[str], found: list[list[str]], place: int) -> int:
    """Each word learns its tag, and of every constituent around it the label alone and with the first word."""
    if node.word is not None:
        found[place] += [f"tag {node.label}", f"tag {node.label} in {above[-2] if above else ''}", *above]
        return place + 1
    first = next(node.leaves()).word or ""
    inside = [*above, f"in {node.label}", f"in {node.label} {first.lower()}"]
    for child in node.children:
        place = _add_constituents(child, inside, found, place)
    return place


@dataclass(frozen=True)
class DeletionModel:
    weights: dict[str, float]

    def log_odds(self, instance: TransductionInstance) -> Floats:
        """log P(kept) - log P(deleted) of each word."""
        known = self.weights
        return np.array([sum(known.get(name, 0.0) for name in names) for names in features(instance)])


def train_deletions(instances: Sequence[TransductionInstance]) -> DeletionModel:
    """Logistic regression on gold compressions."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix

    numbers: dict[str, int] = {}
    columns: list[int] = []
    ends = [0]
    kept: list[bool] = []
    for instance in instances:
        gold = set(instance.gold_kept or ())
        for word, names in enumerate(features(instance), 1):
            columns += [numbers.setdefault(name, len(numbers)) for name in names]
            ends.append(len(columns))
            kept.append(word in gold)
    matrix = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(kept), len(numbers)))
    signs = np.where(kept, 1.0, -1.0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = signs * (matrix @ weights)
        value = np.logaddexp(0.0, -margins).sum() + 0.5 * PENALTY * weights @ weights
        slope = -signs * 0.5 * (1.0 - np.tanh(0.5 * margins))
        return float(value), matrix.T @ slope + PENALTY * weights

    weights = minimize(loss, np.zeros(len(numbers)), jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
    return DeletionModel(dict(zip(numbers, weights.tolist(), strict=True)))


def candidates(instance: TransductionInstance, log_odds: Floats, count: int) -> list[Kept]:
    """The `count` likeliest compressions that have a derivation; of a fixed length, fewer, but the likeliest is there."""
    from problems.kernels.transduction_models import best_transduction

    plain = rules_of(instance)
    derived = np.repeat(plain.word, np.diff(plain.starts))
    rules = plain._replace(scores=np.where(derived >= 0, log_odds[derived], 0.0))

    def likeliest(reward: float, length: int) -> Kept | None:
        edges = np.zeros(len(rules.tails), dtype=bool)
        score = best_transduction(*rules, reward, length, edges)
        return transduction_of(instance, edges)[0] if score > -np.inf else None

    if instance.length is None:
        return _ranked(rules, log_odds, count)
    best = likeliest(0.0, instance.length)
    if best is None:
        return []
    low, high = -2.0 * float(np.abs(log_odds).sum()) - 1.0, 2.0 * float(np.abs(log_odds).sum()) + 1.0
    for _ in range(SEARCH_STEPS):  # a reward with which compressions of the length are among the best of any length
        reward = 0.5 * (low + high)
        size = len(likeliest(reward, 0) or ())
        if size == instance.length:
            break
        low, high = (reward, high) if size < instance.length else (low, reward)
    fitting = [kept for kept in _ranked(rules, log_odds + reward, count) if len(kept) == instance.length]
    return list(dict.fromkeys([best, *fitting]))


def _ranked(rules: Rules, worth: Floats, count: int) -> list[Kept]:
    """The best sets of words that some derivation keeps: per item a list, of which edges combine two (lazily, by a heap)."""
    starts, word = rules.starts.tolist(), rules.word.tolist()
    tails = list(map(tuple, rules.tails.tolist()))
    best: list[list[tuple[float, int]]] = [[(0.0, 0)]]
    for item in range(1, len(word)):
        if word[item] >= 0:
            best.append([(float(worth[word[item]]), 1 << word[item])])
            continue
        pairs = list(
            dict.fromkeys(tails[starts[item] : starts[item + 1]])
        )  # rules do not count, so equal tails are equal
        lone = max(pairs[0]) if len(pairs) == 1 and 0 in pairs[0] else 0
        if lone:
            best.append(best[lone])
            continue
        heap = []
        for pair, (one, two) in enumerate(pairs):
            if best[one] and best[two]:
                heap.append((-best[one][0][0] - best[two][0][0], pair, 0, 0))
        heapq.heapify(heap)
        found: dict[int, float] = {}
        while heap and len(found) <= count:  # one more than asked for: the goal's empty set does not count
            value, pair, i, j = heapq.heappop(heap)
            left, right = best[pairs[pair][0]], best[pairs[pair][1]]
            found.setdefault(left[i][1] | right[j][1], -value)
            if j == 0 and i + 1 < len(left):
                heapq.heappush(heap, (-left[i + 1][0] - right[0][0], pair, i + 1, 0))
            if j + 1 < len(right):
                heapq.heappush(heap, (-left[i][0] - right[j + 1][0], pair, i, j + 1))
        best.append([(value, kept) for kept, value in found.items()])
    sets = [kept for _, kept in best[-1] if kept][:count]
    return [tuple(place + 1 for place in range(len(worth)) if kept >> place & 1) for kept in sets]
