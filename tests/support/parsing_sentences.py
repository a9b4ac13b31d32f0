"""Random factors and sentences of dependency parsing, larger than hypothesis would make them."""

from __future__ import annotations

import itertools

import numpy as np

from problems.factor_graph import FactorGraph

ORDERS = ("1", "2", "2+", "3")


def random_parsing_factor(kind: str, rng: np.random.Generator) -> FactorGraph:
    """A graph with one factor; all unary scores are 0."""
    graph = FactorGraph()
    if kind in ("arborescence", "projective_tree"):
        words = int(rng.integers(1, 12))
        heads, modifiers = candidate_arcs(words, int(rng.integers(1, words + 1)), rng)
        arcs, single = graph.add_variables(np.zeros(len(heads))), bool(rng.integers(2))
        if kind == "arborescence":
            graph.add_arborescence(arcs, heads, modifiers, words, single)
        else:
            graph.add_projective_tree(arcs, heads, modifiers, words, single)
    elif kind == "grand_siblings":
        incoming, outgoing = int(rng.integers(0, 11)), int(rng.integers(1, 15))
        links = graph.add_variables(np.zeros(incoming + outgoing))
        graph.add_grand_siblings(
            links[:incoming],
            links[incoming:],
            rng.permutation(30)[:incoming],
            1 + rng.permutation(29)[:outgoing],
            rng.normal(size=(outgoing + 1, outgoing + 1)),
            rng.normal(size=(incoming, outgoing)),
            rng.normal(size=(incoming, outgoing + 1, outgoing + 1)),
        )
    elif kind == "tri_siblings":
        count = int(rng.integers(3, 15))
        graph.add_tri_siblings(graph.add_variables(np.zeros(count)), rng.normal(size=(count, count, count + 1)))
    elif kind == "head_bigrams":
        sizes = rng.integers(1, 7, rng.integers(1, 12))
        groups = np.split(graph.add_variables(np.zeros(sizes.sum())), np.cumsum(sizes)[:-1])
        tables = [rng.normal(size=shape) for shape in itertools.pairwise(sizes)]
        graph.add_head_bigrams(groups, tables)
    return graph


def candidate_arcs(words: int, heads_per_word: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Heads and modifiers, ordered by modifier, then head; the chain, a projective tree, is among them."""
    wanted = rng.random((words + 1, words + 1)) < heads_per_word / words
    wanted[np.arange(words), np.arange(1, words + 1)] = True
    np.fill_diagonal(wanted, False)
    wanted[:, 0] = False
    modifiers, heads = np.nonzero(wanted.T)
    return heads, modifiers


def random_sentence(
    words: int,
    rng: np.random.Generator,
    order: str = "3",
    heads_per_word: float = 4.0,
    single_root: bool = False,
    noise: float = 1.0,
    flow: str = "multi",
    projective: bool = False,
) -> FactorGraph:
    """All parts of a model order with random scores; arcs of a hidden tree have an advantage in every part."""
    gold = _random_tree(words, rng)
    heads, modifiers = _near_arcs(gold, heads_per_word, rng)
    good = heads == gold[modifiers]
    graph = FactorGraph()
    arcs = graph.add_variables(2.0 * good + noise * rng.normal(size=len(heads)))
    if projective:
        graph.add_projective_tree(arcs, heads, modifiers, words, single_root)
    else:
        graph.add_arborescence(arcs, heads, modifiers, words, single_root, flow)
    if order == "1":
        return graph
    for head in range(words + 1):
        for right in (True, False):
            side = np.flatnonzero((heads == head) & ((modifiers > head) == right))
            outward = side if right else side[::-1]
            incoming = np.flatnonzero(modifiers == head)
            i, j = len(incoming), len(outward)
            if not j:
                continue
            third = noise * 0.5 * rng.normal(size=(i, j + 1, j + 1)) if order == "3" else None
            graph.add_grand_siblings(
                incoming,
                outward,
                heads[incoming],
                modifiers[outward],
                noise * 0.7 * rng.normal(size=(j + 1, j + 1)),
                noise * 0.7 * rng.normal(size=(i, j)) + 0.7 * good[incoming][:, None] * good[outward][None, :],
                third,
            )
            if order == "3":
                graph.add_tri_siblings(outward, noise * 0.5 * rng.normal(size=(j, j, j + 1)))
            if order in ("2+", "3"):
                first, second = np.triu_indices(j, 1)
                pairs = np.stack([outward[first], outward[second]], axis=1).ravel()
                graph.add_pair_block(pairs, noise * 0.4 * rng.normal(size=len(first)))
    if order in ("2+", "3"):
        groups = [np.flatnonzero(modifiers == word) for word in range(1, words + 1)]
        shapes = itertools.pairwise(groups)
        graph.add_head_bigrams(groups, [noise * 0.4 * rng.normal(size=(len(a), len(b))) for a, b in shapes])
    return graph


def _random_tree(words: int, rng: np.random.Generator) -> np.ndarray:
    """Heads of a random projective tree; entry 0 is not used."""
    heads = np.zeros(words + 1, dtype=np.int64)

    def attach(head: int, first: int, last: int) -> None:
        while first <= last:
            size = min(last - first + 1, 1 + int(rng.geometric(0.35)))
            end = first + size - 1
            word = int(rng.integers(first, end + 1))
            heads[word] = head
            attach(word, first, word - 1)
            attach(word, word + 1, end)
            first = end + 1

    top = int(rng.integers(1, words + 1))
    attach(top, 1, top - 1)
    attach(top, top + 1, words)
    return heads


def _near_arcs(gold: np.ndarray, heads_per_word: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The gold arcs and as many others as asked for, near ones more likely."""
    words = len(gold) - 1
    h, m = np.indices((words + 1, words + 1))
    weight = 1.0 / (1.0 + np.abs(h - m))
    rate = np.clip((heads_per_word - 1.0) * weight / weight.sum(axis=0), 0.0, 1.0)
    wanted = rng.random(rate.shape) < rate
    wanted[gold[1:], np.arange(1, words + 1)] = True
    np.fill_diagonal(wanted, False)
    wanted[:, 0] = False
    modifiers, heads = np.nonzero(wanted.T)
    return heads, modifiers
