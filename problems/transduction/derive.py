"""All derivations of a source tree by a grammar, packed into a forest.

Items are nodes of the source tree with a label of the target, words, and what joins the parts of a rule two at a time. The
fallback at a node is one item per child: the children up to it, of which some are kept, the last one or not. An edge is worth
the log-probability of what it does and the learnt weights of its features: its rule, and each constituent that it keeps or
deletes, with its parent, and with its head word or not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..factors.derivation import NONE, Forest
from .grammar import Feature, Grammar, actions, match, production_of
from .rules import Rule
from .trees import Tree, fresh, head_child

AXIOM = 0


class Edge(NamedTuple):
    """How an item is derived, and what it does."""

    first: int
    second: int
    score: float  # without learnt weights
    rule: str = ""
    features: tuple[Feature, ...] = ()


class Packer:
    """Items and edges of a forest while it is built, bottom up."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.word: list[int] = [NONE]  # of each item
        self.edges: list[list[Edge]] = [[]]  # of each item
        self.items: dict[tuple[int, str], int] = {}  # by (identity of the node, target label)
        self.keep: dict[int, tuple[Feature, ...]] = {}  # features of keeping a node, by its identity
        self.delete: dict[int, tuple[Feature, ...]] = {}
        self.evidence: dict[int, tuple[float, float]] = {}  # of keeping and deleting a node, by its identity
        self.joined: dict[tuple[int, int], int] = {}
        self.count = 0

    def item(self, word: int, edges: list[Edge]) -> int:
        self.word.append(word)
        self.edges.append(edges)
        return len(self.word) - 1

    def add(self, node: Tree) -> None:
        """The items of a node, after those of its children."""
        if node.word is not None:
            self.items[id(node), node.label] = self.item(self.count, [Edge(AXIOM, AXIOM, 0.0)])
            self.count += 1
            return
        head = head_child(node)
        for index, child in enumerate(node.children):
            self.add(child)
            self.keep[id(child)] = self.grammar.child_features("keep", node, child, index == head)
            self.delete[id(child)] = self.grammar.child_features("delete", node, child, index == head)
            self.evidence[id(child)] = self.grammar.evidence(node, child, index == head)
        found: dict[str, list[Edge]] = {node.label: [self.fallback(node, head)]}
        for rule, score in self.grammar.rules.get(production_of(node), ()):
            nodes = match(rule.source, node)
            if nodes is None:
                continue
            pairs = list(zip(nodes, rule.target, strict=True))
            parts = [self.part(each, kept) for each, kept in pairs if kept is not None]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                continue
            one, two = self.join(known)
            features = list(self.grammar.rule_features(rule, score))
            for each, stays in self.actions(rule, node, pairs):
                features += (self.keep if stays else self.delete)[id(each)]
                score += self.evidence[id(each)][0 if stays else 1]
            found.setdefault(rule.label, []).append(Edge(one, two, score, str(rule), tuple(features)))
        for label, edges in found.items():
            self.items[id(node), label] = self.item(NONE, edges)

    def actions(self, rule: Rule, node: Tree, pairs: list[tuple[Tree, str | None]]) -> list[tuple[Tree, bool]]:
        """The constituents that a rule keeps or deletes: all, or those at its frontier."""
        if self.grammar.whole_rules:
            return actions(rule, node)
        return [(each, kept is not None) for each, kept in pairs]

    def part(self, node: Tree, kept: str) -> int | None:
        """The item of a variable or a kept word; a word can take another tag at no cost."""
        if node.word is not None:
            return self.items[id(node), node.label]
        return self.items.get((id(node), kept))

    def join(self, parts: list[int]) -> tuple[int, int]:
        """Two tails that stand for all parts, in order."""
        if len(parts) == 1:
            return parts[0], AXIOM
        left = parts[0]
        for right in parts[1:-1]:
            if (left, right) not in self.joined:
                self.joined[left, right] = self.item(NONE, [Edge(left, right, 0.0)])
            left = self.joined[left, right]
        return left, parts[-1]

    def fallback(self, node: Tree, head: int) -> Edge:
        deleted, some = 0.0, AXIOM
        gone: tuple[Feature, ...] = ()
        for index, child in enumerate(node.children):
            keep, delete = self.grammar.child_score(node, child, index == head)
            part = self.items[id(child), child.label]
            stays, goes = self.keep[id(child)], self.delete[id(child)]
            edges = [Edge(part, AXIOM, deleted + keep, "", gone + stays)]
            if some != AXIOM:
                edges += [Edge(some, part, keep, "", stays), Edge(some, AXIOM, delete, "", goes)]
            some = self.item(NONE, edges)
            deleted += delete
            gone += goes
        return Edge(some, AXIOM, self.grammar.fallback_score(node), f"{node.label} child by child")


def pack(grammar: Grammar, tree: Tree, name: str = "the sentence") -> tuple[Forest, list[Edge]]:
    """The forest of a tree, without learnt weights, and its edges in order."""
    if not tree.words():
        raise InputError(f"{name}: the source tree has no words, and so no derivation.")
    tree = fresh(tree)
    packer = Packer(grammar)
    packer.add(tree)
    roots = [item for (node, _), item in packer.items.items() if node == id(tree)]
    packer.item(NONE, [Edge(root, AXIOM, 0.0) for root in roots])
    counts = np.array([len(edges) for edges in packer.edges], dtype=np.int64)
    flat = [edge for edges in packer.edges for edge in edges]
    links = np.full((len(counts), 2), NONE, dtype=np.int64)
    links[:, 0] = packer.word
    tails = np.array([edge[:2] for edge in flat], dtype=np.int64)
    return Forest(counts, links, tails, np.array([edge.score for edge in flat])), flat


def derivation_forest(grammar: Grammar, tree: Tree, name: str = "the sentence") -> tuple[Forest, tuple[str, ...]]:
    """The forest of a tree, and the rule that each edge applies ("" where it only joins parts)."""
    forest, edges = pack(grammar, tree, name)
    learnt = grammar.learnt
    if learnt:
        scores = [edge.score + sum(learnt.get(feature, 0.0) for feature in edge.features) for edge in edges]
        forest = forest._replace(scores=np.array(scores))
    return forest, tuple(edge.rule for edge in edges)
