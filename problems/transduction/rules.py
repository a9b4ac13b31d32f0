"""Synchronous tree substitution rules, and their extraction from aligned trees (deletion only).

A rule's source is a fragment of a tree: a nested tuple (label, children), where the children of a frontier node are None and
those of a tag with its word are that word. Its target says, for each frontier node and word of the source in order, whether
it is deleted (None), a variable with a target label, or a kept word (`WORD`). Nothing is reordered, so that is enough for
decoding; the target fragment's own shape is kept along with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..errors import InputError
from .trees import Tree, fresh

WORD = "="
MOST_NODES = 9  # of a composed rule's source
Pattern = tuple[str, Any]


class Rule(NamedTuple):
    """A pair of fragments with the same variables."""

    source: Pattern
    label: str  # of the target's root
    target: tuple[str | None, ...]
    shape: Pattern  # the target fragment; its variables are the source's, in order

    def production(self) -> tuple[str, tuple[str, ...] | str]:
        """The source's top level, by which rules are looked up."""
        label, below = self.source
        return label, below if isinstance(below, str) else tuple(child[0] for child in below)

    def __str__(self) -> str:
        kept = iter(range(1, len(self.target) + 1))
        marks = iter([None if part is None else "" if part == WORD else f"#{next(kept)}" for part in self.target])
        numbers = iter([f"#{number}" for number in range(1, len(self.target) + 1)])
        return f"{_show(self.source, marks, True)} -> {_show(self.shape, numbers, False)}"


class Step(NamedTuple):
    """A rule as it was used at a node, with the steps below its variables and what it deletes (by frontier position)."""

    rule: Rule
    below: dict[int, Step]
    deleted: dict[int, Tree]
    node: Tree  # of the source


def _show(pattern: Pattern, marks: Iterator[str | None], mark_words: bool) -> str:
    """A fragment as text: variables are numbered, what is deleted is in parentheses."""
    label, below = pattern
    if isinstance(below, str):
        text = f"{label}[{below}]"
        return f"({text})" if mark_words and next(marks) is None else text
    if below is None:
        mark = next(marks)
        return f"({label})" if mark is None else label + mark
    return f"{label}[{' '.join(_show(child, marks, mark_words) for child in below)}]"


def size(pattern: Pattern) -> int:
    below = pattern[1]
    return 1 if below is None or isinstance(below, str) else 1 + sum(map(size, below))


def frontier_size(pattern: Pattern) -> int:
    """The variables and words of a fragment."""
    below = pattern[1]
    return 1 if below is None or isinstance(below, str) else sum(map(frontier_size, below))


class _Spans:
    """For every node of a tree: the first word, the word after the last, and the node."""

    def __init__(self, tree: Tree) -> None:
        self.span: dict[int, tuple[int, int]] = {}
        self._walk(tree, 1)

    def _walk(self, node: Tree, start: int) -> int:
        end = start
        for child in node.children:
            end = self._walk(child, end)
        end += node.word is not None
        self.span[id(node)] = start, end
        return end


def extract(source: Tree, target: Tree, kept: tuple[int, ...], name: str = "the sentence") -> Step:
    """The minimal rules of a pair of trees whose words are aligned (`kept`: the source word of each target word).

    From a pair of aligned nodes both sides are walked down to the first nodes that are linked to each other alone; these are
    the variables. Of a unary chain the highest node is taken, on both sides. Words are variables (their tags) too.
    """
    if len(kept) != len(target.words()):
        raise InputError(f"{name}: {len(kept)} words are aligned, but the target tree has {len(target.words())}.")
    place = {word: index for index, word in enumerate(kept, 1)}
    source, target = fresh(source), fresh(target)  # so that no two places share a node
    spans, target_spans = _Spans(source), _Spans(target)

    def linked(node: Tree) -> tuple[int, int]:
        """The target words that a source node is linked to, as a span; links never cross."""
        start, end = spans.span[id(node)]
        inside = [place[word] for word in range(start, end) if word in place]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def highest(node: Tree, span: tuple[int, int]) -> Tree | None:
        """The highest node strictly below a target node that has exactly these words."""
        for child in node.children:
            start, end = target_spans.span[id(child)]
            if (start, end) == span:
                return child
            if start <= span[0] and span[1] <= end:
                return highest(child, span)
        return None

    def step(node: Tree, goal: Tree) -> Step:
        frontier: list[str | None] = []
        cuts: set[int] = set()  # target nodes that are variables
        below: dict[int, Step] = {}
        deleted: dict[int, Tree] = {}

        def walk(part: Tree) -> Pattern:
            if part.word is not None:
                frontier.append(WORD)
                return part.label, part.word
            children = []
            for child in part.children:
                span = linked(child)
                if span == (0, 0):
                    deleted[len(frontier)] = child
                    frontier.append(None)
                    children.append((child.label, None))
                    continue
                partner = highest(goal, span)
                if partner is None:
                    children.append(walk(child))
                    continue
                below[len(frontier)] = step(child, partner)
                frontier.append(partner.label)
                cuts.add(id(partner))
                children.append((child.label, None))
            return part.label, tuple(children)

        pattern = walk(node)
        return Step(Rule(pattern, goal.label, tuple(frontier), _shape(goal, cuts)), below, deleted, node)

    return step(source, target)


def _shape(node: Tree, cuts: set[int]) -> Pattern:
    if id(node) in cuts:
        return node.label, None
    if node.word is not None:
        return node.label, node.word
    return node.label, tuple(_shape(child, cuts) for child in node.children)


def steps_of(step: Step) -> Iterator[Step]:
    """A step and all below it."""
    yield step
    for child in step.below.values():
        yield from steps_of(child)


def composed(step: Step) -> list[Rule]:
    """The rule of a step with one variable replaced by the rule that was used below it, if it stays small enough."""
    rules = []
    rule = step.rule
    for position, child in step.below.items():
        pattern, _ = _replaced(rule.source, position, child.rule.source, True)
        if size(pattern) <= MOST_NODES:
            target = (*rule.target[:position], *child.rule.target, *rule.target[position + 1 :])
            variable = sum(part not in (None, WORD) for part in rule.target[:position])
            shape, _ = _replaced(rule.shape, variable, child.rule.shape, False)
            rules.append(Rule(pattern, rule.label, target, shape))
    return rules


def lexicalised(step: Step) -> list[Rule]:
    """The rule of a step with one deleted constituent spelt out, if it stays small enough."""
    rules = []
    rule = step.rule
    for position, node in step.deleted.items():
        pattern, _ = _replaced(rule.source, position, _spelt_out(node), True)
        if size(pattern) <= MOST_NODES:
            gone = (None,) * sum(1 for _ in node.leaves())
            target = (*rule.target[:position], *gone, *rule.target[position + 1 :])
            rules.append(Rule(pattern, rule.label, target, rule.shape))
    return rules


def _spelt_out(node: Tree) -> Pattern:
    return node.label, node.word if node.word is not None else tuple(map(_spelt_out, node.children))


def _replaced(pattern: Pattern, position: int, by: Pattern, count_words: bool) -> tuple[Pattern, int]:
    """A pattern with its frontier node at `position` replaced, and the position seen from behind it."""
    label, below = pattern
    if below is None or (isinstance(below, str) and count_words):
        return (by if position == 0 else pattern), position - 1
    if isinstance(below, str):
        return pattern, position
    children = []
    for child in below:
        found, position = _replaced(child, position, by, count_words)
        children.append(found)
    return (label, tuple(children)), position
