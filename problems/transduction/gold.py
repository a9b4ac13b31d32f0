"""Gold compressions of constituency trees: constituents are dropped, and in some sentences what governs them.

A constituent that is not the head of its parent may be dropped, the rather the more its kind and its first word speak for it,
until about 30 % of the words are gone. That leaves a subtree of the dependency tree. In 47.6 % of the sentences (the share
that Qian & Liu 2014 counted in the Edinburgh corpus) a head is dropped as well while something that it governs stays: a
matrix clause ("the bank said that"), a noun before its apposition, a modal, or any other.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np

from .trees import Tree, head_child, heads_of

RATE = 0.7
RATE_DEVIATION = 0.08
NOT_A_SUBTREE = 0.476
LABELS = {"PP": 0.5, "SBAR": 0.5, "ADVP": 0.7, "ADJP": 0.5, "JJ": 0.5, "RB": 0.6, "CD": 0.3, "NNP": 0.35, "S": 0.5}
RARELY = 0.02  # what has no place in `LABELS`: subjects, objects, articles
ATTRIBUTION = 6.0  # weight of a matrix clause, and of other good choices, among the heads to drop


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


def gold_compression(tree: Tree, rng: np.random.Generator, rate: float = RATE) -> tuple[int, ...]:
    """The words that are kept."""
    parts = parts_of(tree)
    count = parts[0].end - 1
    kept = np.ones(count + 2, dtype=bool)
    kept[[0, -1]] = False
    breaks = rng.random() < NOT_A_SUBTREE
    wanted = count - round(count * min(0.95, max(0.3, rng.normal(rate, RATE_DEVIATION))))
    if breaks and count > 2:
        _drop_a_head(parts, heads_of(tree), kept, rng)
    droppable = [part for part in parts if not part.is_head and part.node.label not in (",", ".", "CC")]
    order = rng.random(len(droppable)) ** (1.0 / np.maximum([willingness(part) for part in droppable], 1e-9))
    protected = heads_of(tree)
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
        if breaks and is_subtree(protected, kept):
            kept = before  # the break must stay
    _drop_commas(parts, kept)
    return tuple(np.flatnonzero(kept).tolist())


def _drop_a_head(parts: list[Part], heads: tuple[int, ...], kept: np.ndarray, rng: np.random.Generator) -> None:
    """Drop the head child of a constituent (in a matrix clause all but the clause that it governs) and keep the rest."""
    options: list[tuple[float, list[range], range]] = []
    for part in parts:
        if part.parent is None or not part.end - part.start:
            continue
        inside = range(part.parent_start, part.parent_end)
        if part.node.label == "SBAR" and part.parent.label == "VP":
            said = part.parent.children[0].label == "VBD" and len(part.parent.children) == 2
            that = 1 if part.node.children[0].label == "IN" else 0
            if said:
                above = next((p for p in parts if p.node is part.parent), part)
                gone = [range(above.parent_start, part.start + that), range(part.end, above.parent_end)]
                full_stop = above.parent_end - 1
                gone[1] = range(part.end, full_stop) if part.end < full_stop else range(0)
                options.append((ATTRIBUTION, gone, range(part.start + that, part.end)))
        if part.is_head and 1 < len(inside) and part.end - part.start < len(inside):
            apposition = part.parent.label == "NP" and any(child.label == "," for child in part.parent.children)
            weight = (
                ATTRIBUTION if apposition or part.node.label == "MD" else 0.3 if part.node.word is not None else 0.05
            )
            rest = [word for word in inside if not part.start <= word < part.end]
            if any(_is_word(parts, word) for word in rest):
                options.append((weight, [range(part.start, part.end)], range(0)))
    order = rng.random(len(options)) ** (1.0 / np.array([weight for weight, _, _ in options]))
    for index in np.argsort(-order, kind="stable"):
        before = kept.copy()
        for gone in options[index][1]:
            kept[list(gone)] = False
        if kept.any() and not is_subtree(heads, kept):
            return
        kept[:] = before


def _is_word(parts: list[Part], word: int) -> bool:
    return any(p.start == word and p.node.word is not None and p.node.label not in (",", ".", "CC") for p in parts)


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
