"""Values of parts: what a summary, an extract or a compression says of each concept and of each arc's deletion.

An arc counts as deleted if its head is kept and its modifier is not. As a word is kept only with its head, that is the
difference of the two values, which also makes sense of fractional ones. Part values times part scores is the objective.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ..extraction.graph import assignment_of as extract_assignment
from ..extraction.instance import Extract, ExtractionInstance
from ..linear_program import Floats
from .graph import assignment_of
from .instance import Sentence, SummarizationInstance, Summary


def summary_parts(instance: SummarizationInstance, values: Floats) -> Floats:
    """The part values that values of the factor graph's variables imply, fractional or not."""
    layout = instance.layout
    nodes = values[: len(layout.words)]
    words = layout.words > 0
    owner = np.repeat(np.arange(len(layout.sizes)), layout.sizes)
    heads = np.where(words, layout.starts[owner] + layout.parents, 0)
    deleted = np.where(words, nodes[heads] - nodes, 0.0)
    arcs = np.zeros(int(words.sum()))
    arcs[(layout.starts[owner] - owner + layout.words - 1)[words]] = np.clip(deleted[words], 0.0, 1.0)
    return np.concatenate([_last(values, len(instance.concepts)), arcs])


def parts_of_summary(instance: SummarizationInstance, summary: Summary) -> Floats:
    return summary_parts(instance, assignment_of(instance, summary))


def extract_parts(instance: ExtractionInstance, values: Floats, arcs: int = 0) -> Floats:
    """The same for an extractive problem; none of its `arcs` is deleted."""
    return np.concatenate([_last(values, len(instance.concepts)), np.zeros(arcs)])


def parts_of_extract(instance: ExtractionInstance, extract: Extract, arcs: int = 0) -> Floats:
    return extract_parts(instance, extract_assignment(instance, extract), arcs)


def _last(values: Floats, count: int) -> Floats:
    return np.clip(values[len(values) - count :], 0.0, 1.0)


def deleted_arcs(sentence: Sentence, kept: Collection[int]) -> Floats:
    """For each word, 1 if the compression `kept` of a sentence deletes its arc."""
    words = set(kept)
    return np.array(
        [float(word not in words and (head == 0 or head in words)) for word, head in enumerate(sentence.heads, 1)]
    )


def best_compression(sentence: Sentence, deletions: Sequence[float] | Floats) -> tuple[int, ...]:
    """The compression of one sentence with the best sum of deletion scores (Eq. 8): dynamic programming from the leaves.

    The sentence itself stays: its root is kept. Between equals the longer one is taken.
    """
    values = [0.0] * (len(sentence) + 1)  # of keeping each word: what deletions below it are worth
    deleted = [False] * (len(sentence) + 1)
    for word in reversed(sentence.preorder[1:]):
        score = float(deletions[word - 1])
        deleted[word] = not sentence.undeletable[word - 1] and score > values[word]
        values[sentence.heads[word - 1]] += score if deleted[word] else values[word]
    return _kept(sentence, deleted)


def closest_compression(sentence: Sentence, wanted: Collection[int]) -> tuple[int, ...]:
    """The compression that differs from a set of words in as few words as possible; the longer one between equals."""
    targets = set(wanted)
    gains = [0] * (len(sentence) + 1)  # of keeping a word's subtree at best, against deleting all of it
    deleted = [False] * (len(sentence) + 1)
    for word in reversed(sentence.preorder[1:]):
        gains[word] += 1 if word in targets else -1
        deleted[word] = not sentence.undeletable[word - 1] and gains[word] < 0
        if not deleted[word]:
            gains[sentence.heads[word - 1]] += gains[word]
    return _kept(sentence, deleted)


def _kept(sentence: Sentence, deleted: Sequence[bool]) -> tuple[int, ...]:
    kept = {0}
    for word in sentence.preorder[1:]:
        if sentence.heads[word - 1] in kept and not deleted[word]:
            kept.add(word)
    return tuple(sorted(kept - {0}))
