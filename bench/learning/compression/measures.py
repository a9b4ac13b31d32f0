"""What the outputs of compression systems are worth: rate, unigram F1, relation F1, exact match, for each sentence.

Relations are found as in the papers: a parser reads each system's output, and the gold compression, as a sentence of its own.
Relations are labelled arcs between words, compared by the words' positions in the source sentence. Without a parser
(generated sentences) a kept word hangs from its nearest kept ancestor in the source tree, by its own label.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from problems.compression.corpora import Parse, ParsedPair
from problems.linear_program import Floats
from problems.metrics.compression import f1
from problems.metrics.transduction import reattached

MEASURES = ("compression rate", "unigram F1", "relation F1", "exact match")
Kept = tuple[int, ...]
Relation = tuple[int, int, str]


def measured(pairs: Sequence[ParsedPair], outputs: Sequence[Kept], parse: Parse | None) -> dict[str, Floats]:
    """Each measure, a value per pair."""
    found: dict[str, list[float]] = {name: [] for name in MEASURES}
    for pair, kept, relations in zip(pairs, outputs, output_relations(pairs, outputs, parse), strict=True):
        found["compression rate"].append(len(kept) / len(pair.sentence))
        found["unigram F1"].append(f1(set(kept), set(pair.kept)))
        found["relation F1"].append(_f1(relations, gold_relations(pair, parse is not None)))
        found["exact match"].append(float(kept == pair.kept))
    return {name: np.array(values) for name, values in found.items()}


def _f1(found: set[Relation], gold: set[Relation]) -> float:
    total = len(found) + len(gold)
    return 2.0 * len(found & gold) / total if total else 1.0


def gold_relations(pair: ParsedPair, parsed: bool) -> set[Relation]:
    if not parsed:
        return _contracted(pair, pair.kept)
    return {(head, word, label) for word, head, label in zip(pair.kept, pair.heads, pair.labels, strict=True) if head}


def output_relations(pairs: Sequence[ParsedPair], outputs: Sequence[Kept], parse: Parse | None) -> list[set[Relation]]:
    """The relations of each output; those of the gold words are the gold ones, and need no parse."""
    if parse is None:
        return [_contracted(pair, kept) for pair, kept in zip(pairs, outputs, strict=True)]
    texts = [
        tuple(pair.sentence.words[word - 1] for word in kept)
        for pair, kept in zip(pairs, outputs, strict=True)
        if kept and kept != pair.kept
    ]
    trees = iter(parse(texts))
    found = []
    for pair, kept in zip(pairs, outputs, strict=True):
        if kept == pair.kept:
            found.append(gold_relations(pair, True))
        elif not kept:
            found.append(set())
        else:
            tree, place = next(trees), (0, *kept)
            arcs = zip(kept, tree.heads, tree.labels, strict=True)
            found.append({(place[head], word, label) for word, head, label in arcs if head})
    return found


def _contracted(pair: ParsedPair, kept: Kept) -> set[Relation]:
    heads = reattached(kept, pair.sentence.heads)
    return {(head, word, pair.sentence.labels[word - 1]) for word, head in zip(kept, heads, strict=True) if head}
