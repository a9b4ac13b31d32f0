"""A grammar from parses of both sides: P(what is deleted | source fragment), words as evidence, features after Cohn & Lapata (2009).

The parses of a sentence and of its compression say which fragments of the source belong together: those between aligned nodes, and those
composed of two such. What is kept of a fragment is then a relative frequency among all kept nodes that it fits, smoothed towards the
fallback. So fragments of different size compete as equals; `Grammar` shares the probability of a node among its kinds of rules,
so that a node with many rules costs more to keep than one without any.

Target labels are left out. Those that a parser gives to a compression differ from the source's for many reasons; a rule for each
variant would have a share of the probability, and what is deleted costs nothing of the kind.

Fragments have no words. Head words are evidence, independent given what happens to a constituent:
P(rule | production, words) is taken as P(rule | production) times P(action | labels, word) / P(action | labels) of each constituent.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from .grammar import (
    FALLBACK_COUNT,
    LEAST_COUNT,
    Feature,
    Grammar,
    Pair,
    Production,
    child_features,
    head_word,
    match,
    production_of,
)
from .rules import Pattern, Rule, Step, composed, extract, frontier_size, size, steps_of
from .trees import Tree

MOST = 8  # larger counts are one feature
Marks = tuple[bool, ...]
"""Of each frontier node of a fragment: is it kept?"""


class ConditionalGrammar(Grammar):
    """`least`: occurrences of a rule that is used; None uses no rule, and leaves the fallback."""

    whole_rules = True

    def __init__(self, pairs: Iterable[Pair], least: int | None = LEAST_COUNT) -> None:
        super().__init__(())
        self.counts: dict[Rule, int] = {}
        fragments: Counter[Pattern] = Counter()
        kept_nodes: list[Tree] = []
        alive: set[int] = set()  # identities of nodes that keep a word
        for source, target, kept in pairs:
            self._count_children(source, set(kept))
            if least is None:
                continue
            top = extract(source, target, kept)
            for step in steps_of(top):
                fragments.update(_fragments_of(step))
            found = list(_kept_nodes(top.node, set(kept)))
            alive.update(map(id, found))
            kept_nodes += [node for node in found if node.word is None]
        if least is not None:
            fragments.update({_one_level(node) for node in kept_nodes})
            self._estimate({each for each, count in fragments.items() if count >= least}, kept_nodes, alive, least)

    def _estimate(self, fragments: set[Pattern], kept_nodes: list[Tree], alive: set[int], least: int) -> None:
        """Relative frequencies among the kept nodes that a fragment fits."""
        candidates: dict[Production, list[Pattern]] = defaultdict(list)
        for fragment in sorted(fragments, key=repr):
            candidates[_production(fragment)].append(fragment)
        marks: dict[Pattern, Counter[Marks]] = defaultdict(Counter)
        for node in kept_nodes:
            for fragment in candidates.get(production_of(node), ()):
                frontier = match(fragment, node)
                if frontier is not None:
                    marks[fragment][tuple(id(each) in alive for each in frontier)] += 1
        for fragment, found in marks.items():
            fits = sum(found.values())
            if len(fragment[1]) == frontier_size(fragment):
                self._totals[_production(fragment), fragment[0]] = float(fits)
            for kept, count in sorted(found.items()):
                if count >= least and any(kept):
                    rule = _rule(fragment, kept)
                    self.rules[_production(fragment)].append((rule, math.log(count / (fits + FALLBACK_COUNT))))
                    self.counts[rule] = count

    def evidence(self, parent: Tree, child: Tree, is_head: bool) -> tuple[float, float]:
        """What the head word adds to the log-probabilities of keeping and of deleting a child."""
        *_, before, after = self.child_probabilities(parent, child, is_head)
        return math.log(after / before), math.log((1.0 - after) / (1.0 - before))

    def child_features(self, action: str, parent: Tree, child: Tree, is_head: bool) -> tuple[Feature, ...]:
        """Beside labels and head word: how large it is, what it begins with, and where it stands."""
        leaves = list(child.leaves())
        about = (action, child.label)
        return (
            *child_features(action, parent, child, is_head),
            (*about, "leaves", str(min(len(leaves), MOST))),
            (*about, "first", (leaves[0].word or "").lower()),
            (action, "word", head_word(child)),
            (action, "leaves", str(min(len(leaves), MOST))),
        )

    def rule_features(self, rule: Rule, score: float) -> tuple[Feature, ...]:
        """The rule itself; its root, identity, leaves, size, and frequencies (Cohn & Lapata 2009), numbers in classes."""
        leaves, kept = len(rule.target), sum(part is not None for part in rule.target)
        return (
            ("rule", rule),
            ("fragment", rule.source),
            ("root", rule.label),
            ("same yield", kept == leaves),
            ("leaves", str(min(leaves, MOST)), str(min(kept, MOST))),
            ("size", str(size(rule.source))),
            ("count", str(round(math.log2(self.counts[rule])))),
            ("probability", str(round(score / math.log(2.0)))),
        )


def _fragments_of(step: Step) -> set[Pattern]:
    """The source fragments of a step and of what is composed of it, those without words."""
    return {rule.source for rule in (step.rule, *composed(step)) if not _has_words(rule.source)}


def _has_words(pattern: Pattern) -> bool:
    below = pattern[1]
    return isinstance(below, str) or (below is not None and any(map(_has_words, below)))


def _one_level(node: Tree) -> Pattern:
    return node.label, tuple((child.label, None) for child in node.children)


def _production(fragment: Pattern) -> Production:
    return fragment[0], tuple(child[0] for child in fragment[1])


def _rule(fragment: Pattern, kept: Marks) -> Rule:
    """The rule that keeps and deletes these frontier nodes; its target is what is left of the fragment."""
    marks, target = iter(kept), []

    def left(pattern: Pattern) -> Pattern | None:
        label, below = pattern
        if below is None:
            target.append(label if next(marks) else None)
            return None if target[-1] is None else pattern
        children = [child for child in map(left, below) if child is not None]
        return (label, tuple(children)) if children else None

    shape = left(fragment)
    assert shape is not None
    return Rule(fragment, fragment[0], tuple(target), shape)


def _kept_nodes(tree: Tree, kept: set[int]) -> Iterator[Tree]:
    """The nodes that keep a word."""
    found: list[Tree] = []

    def walk(node: Tree, start: int) -> tuple[bool, int]:
        alive, end = node.word is not None and start in kept, start + (node.word is not None)
        for child in node.children:
            one, end = walk(child, end)
            alive = alive or one
        if alive:
            found.append(node)
        return alive, end

    walk(tree, 1)
    yield from found
