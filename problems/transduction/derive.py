"""All derivations of a source tree by a grammar, packed into a forest.

Items are nodes of the source tree with a label of the target, words, and what joins the parts of a rule two at a time. The
fallback at a node is one item per child: the children up to it, of which some are kept, the last one or not.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..factors.derivation import NONE, Forest
from .grammar import Grammar, match, production_of
from .trees import Tree, fresh, head_child

AXIOM = 0


class _Packer:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.word: list[int] = [NONE]  # of each item
        self.edges: list[list[tuple[int, int, float, str]]] = [[]]  # of each item
        self.items: dict[tuple[int, str], int] = {}  # by (identity of the node, target label)
        self.joined: dict[tuple[int, int], int] = {}
        self.count = 0

    def item(self, word: int, edges: list[tuple[int, int, float, str]]) -> int:
        self.word.append(word)
        self.edges.append(edges)
        return len(self.word) - 1

    def add(self, node: Tree) -> None:
        """The items of a node, after those of its children."""
        if node.word is not None:
            self.items[id(node), node.label] = self.item(self.count, [(AXIOM, AXIOM, 0.0, "")])
            self.count += 1
            return
        for child in node.children:
            self.add(child)
        found: dict[str, list[tuple[int, int, float, str]]] = {node.label: [self.fallback(node)]}
        for rule, score in self.grammar.rules.get(production_of(node), ()):
            nodes = match(rule.source, node)
            if nodes is not None:
                parts = [
                    self.part(each, kept) for each, kept in zip(nodes, rule.target, strict=True) if kept is not None
                ]
                if parts and all(part is not None for part in parts):
                    one, two = self.join([part for part in parts if part is not None])
                    found.setdefault(rule.label, []).append((one, two, score, str(rule)))
        for label, edges in found.items():
            self.items[id(node), label] = self.item(NONE, edges)

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
                self.joined[left, right] = self.item(NONE, [(left, right, 0.0, "")])
            left = self.joined[left, right]
        return left, parts[-1]

    def fallback(self, node: Tree) -> tuple[int, int, float, str]:
        head = head_child(node)
        deleted, some = 0.0, AXIOM
        for index, child in enumerate(node.children):
            keep, delete = self.grammar.child_score(node, child, index == head)
            part = self.items[id(child), child.label]
            edges = [(part, AXIOM, deleted + keep, "")]
            if some != AXIOM:
                edges += [(some, part, keep, ""), (some, AXIOM, delete, "")]
            some = self.item(NONE, edges)
            deleted += delete
        return some, AXIOM, self.grammar.fallback_score(node), f"{node.label} child by child"


def derivation_forest(grammar: Grammar, tree: Tree, name: str = "the sentence") -> tuple[Forest, tuple[str, ...]]:
    """The forest of a tree, and the rule that each edge applies ("" where it only joins parts)."""
    if not any(True for _ in tree.leaves()):
        raise InputError(f"{name}: the source tree has no words, and so no derivation.")
    tree = fresh(tree)
    packer = _Packer(grammar)
    packer.add(tree)
    roots = [item for (node, _), item in packer.items.items() if node == id(tree)]
    packer.item(NONE, [(root, AXIOM, 0.0, "") for root in roots])
    counts = np.array([len(edges) for edges in packer.edges], dtype=np.int64)
    flat = [edge for edges in packer.edges for edge in edges]
    links = np.full((len(counts), 2), NONE, dtype=np.int64)
    links[:, 0] = packer.word
    tails = np.array([edge[:2] for edge in flat], dtype=np.int64)
    forest = Forest(counts, links, tails, np.array([edge[2] for edge in flat]))
    return forest, tuple(edge[3] for edge in flat)
