"""Gold compressions of constituency trees: constituents are dropped, and in some sentences what governs them.

A constituent that is not the head of its parent may be dropped, the rather the more its kind and its first word speak for it,
until about 30 % of the words are gone. That leaves a subtree of the dependency tree. In 47.6 % of the sentences (the share
that Qian & Liu 2014 counted in the Edinburgh corpus) a head is dropped as well while something that it governs stays: a
matrix clause ("the bank said that"), a noun before its apposition, a modal, or any other. Several compressions are drawn in
this way, and the annotator takes the one that reads best, by a language model of their own.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .trees import Tree, head_child, heads_of

RATE = 0.7
AIM = 0.755  # the rate that deletions stop at; they overshoot, and commas follow
RATE_DEVIATION = 0.08
CANDIDATES = 8
NOT_A_SUBTREE = 0.476
LABELS = {"PP": 0.5, "SBAR": 0.5, "ADVP": 0.7, "ADJP": 0.5, "JJ": 0.5, "RB": 0.6, "CD": 0.3, "NNP": 0.35, "S": 0.5}
RARELY = 0.02  # what has no place in `LABELS`: subjects, objects, articles
ATTRIBUTION, WORD_WEIGHT, PHRASE_WEIGHT = 6.0, 0.3, 0.05  # of good choices among the heads to drop, and of others
PUNCTUATION = frozenset({",", ".", "CC"})


class Part(NamedTuple):
    """A constituent: its words from `start` to before `end`, its parent's, and whether it is the parent's head."""

    node: Tree
    parent: Tree | None
    start: int
    end: int
    is_head: bool
    parent_start: int
    parent_end: int


def parts_of(tree: Tree) -> list[Part]:
    found: list[Part] = []

    def walk(node: Tree, parent: Tree | None, start: int, is_head: bool) -> int:
        place = len(found)
        found.append(Part(node, parent, start, start, is_head, 0, 0))
        end = start + (node.word is not None)
        children = []
        head = head_child(node) if node.children else -1
        for index, child in enumerate(node.children):
            children.append(len(found))
            end = walk(child, node, end, index == head)
        found[place] = found[place]._replace(end=end)
        for child_place in children:
            found[child_place] = found[child_place]._replace(parent_start=start, parent_end=end)
        return end

    walk(tree, None, 1, True)
    return found


def willingness(part: Part) -> float:
    """How readily a constituent is dropped: by its label and, half of it, by a hash of its first word."""
    base = LABELS.get(part.node.label, RARELY)
    first = next(part.node.leaves()).word or ""
    if first == "not" or (part.node.label == "S" and part.parent is not None and part.parent.label != "S"):
        return 0.0
    if part.node.label in ("PP", "ADVP", "JJ", "RB", "SBAR"):
        taste = zlib.crc32(f"{part.node.label} {first}".encode()) % 1000 / 1000
        return float(base * (0.1 + 3.0 * taste**2))
    if part.node.label == "NP" and part.parent is not None and "," in {child.label for child in part.parent.children}:
        return 0.8 if part.parent.label == "NP" else base
    return base


def gold_compression(
    tree: Tree,
    rng: np.random.Generator,
    fluency: Callable[[Sequence[str]], float] | None = None,
    rate: float = AIM,
    candidates: int = CANDIDATES,
) -> tuple[int, ...]:
    """The words that are kept: of several compressions to the same length, the one that reads best (the first, if all do)."""
    parts, heads, words = parts_of(tree), heads_of(tree), tree.words()
    breaks = bool(rng.random() < NOT_A_SUBTREE)
    wanted = len(words) - round(len(words) * min(0.95, max(0.35, rng.normal(rate, RATE_DEVIATION))))
    found = [_compression(parts, heads, wanted, breaks, rng) for _ in range(1 if fluency is None else candidates)]
    if fluency is None:
        return found[0]
    return max(found, key=lambda kept: fluency([words[word - 1] for word in kept]))


def _compression(
    parts: list[Part], heads: tuple[int, ...], wanted: int, breaks: bool, rng: np.random.Generator
) -> tuple[int, ...]:
    """Drop constituents until about `wanted` words are gone."""
    count = len(heads)
    kept = np.ones(count + 2, dtype=bool)
    kept[[0, -1]] = False
    if breaks and count > 2:
        _drop_a_head(parts, heads, kept, rng)
    droppable = [part for part in parts if not part.is_head and part.node.label not in PUNCTUATION]
    order = rng.random(len(droppable)) ** (1.0 / np.maximum([willingness(part) for part in droppable], 1e-9))
    for index in np.argsort(-order, kind="stable"):
        part = droppable[index]
        missing = wanted - int((~kept[1:-1]).sum())
        size = int(kept[part.start : part.end].sum())
        if missing <= 0:
            break
        if not size or size > 1.5 * missing + 1 or size == kept.sum() or willingness(part) == 0.0:
            continue
        before = kept.copy()
        kept[part.start : part.end] = False
        if breaks and is_subtree(heads, kept):
            kept = before  # the break must stay
    _drop_commas(parts, kept)
    return tuple(np.flatnonzero(kept).tolist())


def _drop_a_head(parts: list[Part], heads: tuple[int, ...], kept: np.ndarray, rng: np.random.Generator) -> None:
    """Drop the head child of a constituent (or a matrix clause around the clause that it governs) and keep the rest."""
    options = _heads_to_drop(parts)
    order = rng.random(len(options)) ** (1.0 / np.array([weight for weight, _ in options]))
    for index in np.argsort(-order, kind="stable"):
        before = kept.copy()
        kept[options[index][1]] = False
        if kept.any() and not is_subtree(heads, kept):
            return
        kept[:] = before


def _heads_to_drop(parts: list[Part]) -> list[tuple[float, list[int]]]:
    """Words that may be dropped together although they govern others, with a weight."""
    options: list[tuple[float, list[int]]] = []
    place = {id(part.node): part for part in parts}
    for part in parts:
        if part.parent is None:
            continue
        siblings = part.parent.children
        if part.node.label == "SBAR" and [child.label for child in siblings] == ["VBD", "SBAR"]:
            phrase = place[id(part.parent)]
            clause = part.start + (part.node.children[0].label == "IN")
            options.append((ATTRIBUTION, [*range(phrase.parent_start, clause)]))
        if part.is_head and any(_governed(child) for child in siblings if child is not part.node):
            apposition = part.parent.label == "NP" and any(child.label == "," for child in siblings)
            good = apposition or part.node.label == "MD"
            weight = ATTRIBUTION if good else WORD_WEIGHT if part.node.word is not None else PHRASE_WEIGHT
            options.append((weight, [*range(part.start, part.end)]))
    return options


def _governed(node: Tree) -> bool:
    return node.label not in PUNCTUATION


def _drop_commas(parts: list[Part], kept: np.ndarray) -> None:
    """A comma stays only between kept words of its own constituent, and not before another one or a full stop."""
    for part in parts:
        if part.node.label == "," and kept[part.start]:
            before = kept[part.parent_start : part.start].any() if part.parent_start < part.start else False
            behind = kept[part.end : part.parent_end].any()
            closing = part.end == part.parent_end
            opened = any(
                other.node.label == ","
                and other.parent is part.parent
                and other.start < part.start
                and kept[other.start]
                for other in parts
            )
            if not before or (not behind and not closing) or (closing and not opened):
                kept[part.start] = False


def is_subtree(heads: tuple[int, ...], kept: np.ndarray) -> bool:
    """Is the head of every kept word kept (or the root symbol)?"""
    words = np.flatnonzero(kept)
    above = np.array(heads, dtype=np.int64)[words - 1]
    return bool(np.all((above == 0) | kept[above]))
