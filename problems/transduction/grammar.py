"""A weighted synchronous grammar from pairs of trees: relative frequencies, and a fallback that covers every source tree.

P(rule | production of the source node, target label) is a relative frequency, smoothed towards the fallback with the weight of
`FALLBACK_COUNT` observations. The fallback copies a node and keeps or deletes each of its children by itself (at least one is
kept), with the probability of keeping a child given parent, child, whether it is the head, and its head word. So every
choice of words has a derivation. At each node of the training data the minimal rule counts 1, the rules composed from
it 1 in all, and so do its lexicalised deletions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

from .rules import Pattern, Rule, Step, composed, extract, lexicalised, steps_of
from .trees import Tree, head_child

FALLBACK_COUNT = 2.0
CHILD_COUNT = 3.0  # weight of the shorter context of a child's probability
LEAST_COUNT = 2  # occurrences of a rule that is not minimal
Pair = tuple[Tree, Tree, tuple[int, ...]]
"""A source tree, its target tree, and the source word of each target word."""
Production = tuple[str, tuple[str, ...] | str]
Context = tuple[Production, str]
Counts = dict[Context, dict[Rule, float]]
Feature = tuple[str, Rule] | tuple[str, Pattern] | tuple[str | bool, ...]
"""("rule", the rule), ("fragment", its source), or ("keep" or "delete", is it the head?, parent, child) and perhaps the head word."""


def head_word(node: Tree) -> str:
    while node.word is None:
        node = node.children[head_child(node)]
    return node.word.lower()


class Grammar:
    """Rules with log-probabilities; `rules[production]` are those that may match at a node."""

    whole_rules = (
        False  # does what happens to nodes inside of a rule's fragment count, or to those at its frontier alone?
    )

    def __init__(self, pairs: Iterable[Pair], least_minimal: int = 1) -> None:
        """`least_minimal`: occurrences of a minimal rule that is kept; in large corpora most occur once."""
        counts: Counts = defaultdict(lambda: defaultdict(float))
        seen: Counter[Rule] = Counter()
        minimal: set[Rule] = set()
        self._kept: Counter[tuple[str | bool, ...]] = Counter()
        self._children: Counter[tuple[str | bool, ...]] = Counter()
        self.learnt: dict[Feature, float] = {}  # weights that `learn` adds to log-probabilities
        for source, target, kept in pairs:
            for step in steps_of(extract(source, target, kept)):
                self._count(step, counts, seen, minimal)
            self._count_children(source, set(kept))
        self.rules: dict[Production, list[tuple[Rule, float]]] = defaultdict(list)
        self._totals: dict[Context, float] = {}
        for (production, label), rules in counts.items():
            usable = {
                rule: count
                for rule, count in rules.items()
                if seen[rule] >= (least_minimal if rule in minimal else LEAST_COUNT)
            }
            total = sum(usable.values())
            self._totals[production, label] = total
            for rule, count in usable.items():
                self.rules[production].append((rule, math.log(count / (total + FALLBACK_COUNT))))

    def _count(self, step: Step, counts: Counts, seen: Counter[Rule], minimal: set[Rule]) -> None:
        if isinstance(step.rule.source[1], str):
            return  # a word is copied for sure
        minimal.add(step.rule)
        for group in ([step.rule], composed(step), lexicalised(step)):
            for rule in group:
                counts[rule.production(), rule.label][rule] += 1.0 / len(group)
                seen[rule] += 1

    def _count_children(self, tree: Tree, kept: set[int]) -> None:
        """Which children of kept nodes are kept."""

        def walk(node: Tree, start: int) -> tuple[bool, int]:
            if node.word is not None:
                return start in kept, start + 1
            found = []
            for child in node.children:
                alive, start = walk(child, start)
                found.append(alive)
            if any(found):
                head = head_child(node)
                for index, child in enumerate(node.children):
                    for context in _child_contexts(node, child, index == head):
                        self._children[context] += 1
                        self._kept[context] += found[index]
            return any(found), start

        walk(tree, 1)

    def child_score(self, parent: Tree, child: Tree, is_head: bool) -> tuple[float, float]:
        """Log-probabilities of keeping and of deleting a child of a node that is kept."""
        probability = self.child_probabilities(parent, child, is_head)[-1]
        return math.log(probability), math.log1p(-probability)

    def child_probabilities(self, parent: Tree, child: Tree, is_head: bool) -> list[float]:
        """P(keep) given more and more of `_child_contexts`, each smoothed towards the one before."""
        found, probability = [], 0.9 if is_head else 0.7
        for context in _child_contexts(parent, child, is_head):
            total = self._children[context] + CHILD_COUNT
            probability = (self._kept[context] + CHILD_COUNT * probability) / total
            found.append(probability)
        return found

    def evidence(self, parent: Tree, child: Tree, is_head: bool) -> tuple[float, float]:
        """What the child's head word adds to the score of a rule that keeps or deletes it: nothing here."""
        return 0.0, 0.0

    def child_features(self, action: str, parent: Tree, child: Tree, is_head: bool) -> tuple[Feature, ...]:
        return child_features(action, parent, child, is_head)

    def rule_features(self, rule: Rule, score: float) -> tuple[Feature, ...]:
        return (("rule", rule),)

    def fallback_score(self, node: Tree) -> float:
        """The log-probability that the fallback applies to a node that keeps its label."""
        total = self._totals.get((production_of(node), node.label), 0.0)
        return math.log(FALLBACK_COUNT / (total + FALLBACK_COUNT))

    def __len__(self) -> int:
        return sum(map(len, self.rules.values()))


def _child_contexts(parent: Tree, child: Tree, is_head: bool) -> tuple[tuple[str | bool, ...], ...]:
    """What a child's probability depends on, from the shortest context to the longest."""
    labels = (is_head, parent.label, child.label)
    return (is_head,), labels, (*labels, head_word(child))


def child_features(action: str, parent: Tree, child: Tree, is_head: bool) -> tuple[Feature, ...]:
    """What can be learnt about keeping or deleting a child."""
    return tuple((action, *context) for context in _child_contexts(parent, child, is_head)[1:])


def production_of(node: Tree) -> Production:
    return node.label, node.word if node.word is not None else tuple(child.label for child in node.children)


def actions(rule: Rule, node: Tree) -> list[tuple[Tree, bool]]:
    """What a rule that fits does to the constituents below a node: those that it keeps, and the largest that it deletes."""
    marks = iter(rule.target)

    def walk(pattern: Pattern, part: Tree) -> tuple[bool, list[tuple[Tree, bool]]]:
        below = pattern[1]
        if below is None or isinstance(below, str):
            kept = next(marks) is not None
            return kept, [(part, kept)]
        found: list[tuple[Tree, bool]] = []
        for each, child in zip(below, part.children, strict=True):
            found += walk(each, child)[1]
        alive = any(kept for _, kept in found)
        return alive, [(part, True), *found] if alive else [(part, False)]

    return walk(rule.source, node)[1][1:]


def match(pattern: Pattern, node: Tree) -> list[Tree] | None:
    """The nodes at a pattern's frontier (and its words), in order, if it fits a node."""
    label, below = pattern
    if node.label != label:
        return None
    if below is None:
        return [node]
    if isinstance(below, str):
        return [node] if node.word == below else None
    if node.word is not None or len(node.children) != len(below):
        return None
    found: list[Tree] = []
    for part, child in zip(below, node.children, strict=True):
        nodes = match(part, child)
        if nodes is None:
            return None
        found += nodes
    return found
