"""Features of concepts and of deleted arcs (section 3.5), as names that a model hashes.

What the paper lists is marked (paper) below. The rest are cheap relatives that its predecessors use: how much a deletion
removes, which side of the head it is on, and the form of a function word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ..text.sentence import Cluster, ParsedSentence
from ..text.words import NEGATIONS, is_function_word, is_temporal
from .constraints import is_universal
from .features import bigrams

COUNT_BOUNDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 25, 50)
POSITION_BOUNDS = (0, 1, 2, 3, 5, 10)
SIZE_BOUNDS = (1, 2, 3, 6, 11, 21)
DEPTH_BOUNDS = (1, 2, 3, 5, 8)
CONCEPT_VALUE = 0.3  # of a concept's features, an arc's being 1: a summary has many more concepts than deletions
SHARE_BOUNDS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7)


def bucket(value: float, bounds: Sequence[float]) -> str:
    """The largest bound that a value reaches, as text; "<" below all of them."""
    place = bisect_right(bounds, value)
    return f"{bounds[place - 1]:g}" if place else "<"


class ConceptFacts(NamedTuple):
    """What the documents say of a bigram."""

    documents: int  # that have it
    share: float  # of all documents
    leads: int  # documents whose first sentence has it
    earliest: int  # position of a sentence within its document
    functions: str  # "f" for a function word, "c" for a content word, for both words


def concept_facts(cluster: Cluster) -> dict[str, ConceptFacts]:
    """The facts of every bigram of a cluster, in order of first occurrence."""
    documents: dict[str, set[int]] = {}
    leads: dict[str, set[int]] = {}
    earliest: dict[str, int] = {}
    functions: dict[str, str] = {}
    for number, document in enumerate(cluster.documents):
        for position, sentence in enumerate(document):
            for first, bigram in enumerate(bigrams(sentence)):
                if not bigram:
                    continue
                documents.setdefault(bigram, set()).add(number)
                earliest[bigram] = min(position, earliest.get(bigram, position))
                if position == 0:
                    leads.setdefault(bigram, set()).add(number)
                if bigram not in functions:
                    pair = sentence.words[first : first + 2]
                    functions[bigram] = "".join("f" if is_function_word(word) else "c" for word in pair)
    count = len(cluster.documents)
    return {
        bigram: ConceptFacts(
            len(where), len(where) / count, len(leads.get(bigram, ())), earliest[bigram], functions[bigram]
        )
        for bigram, where in documents.items()
    }


def concept_features(facts: ConceptFacts) -> list[str]:
    """Document count, function words and earliest position with their two- and three-way conjunctions (paper)."""
    basic = (
        f"documents={bucket(facts.documents, COUNT_BOUNDS)}",
        f"functions={facts.functions}",
        f"earliest={bucket(facts.earliest, POSITION_BOUNDS)}",
    )
    names = ["&".join(chosen) for size in (1, 2, 3) for chosen in combinations(basic, size)]
    names += ["bias", f"share={bucket(facts.share, SHARE_BOUNDS)}", f"leads={bucket(facts.leads, (1, 2, 3, 5))}"]
    return [f"concept:{name}" for name in names]


def arc_features(sentence: ParsedSentence) -> Iterator[list[str]]:
    """For each word, the features of deleting the arc to it."""
    universal = is_universal(sentence)
    tree = _Tree(sentence)
    for word in range(1, len(sentence) + 1):
        head = sentence.heads[word - 1]
        label, tag = sentence.labels[word - 1], sentence.tags[word - 1]
        head_tag = sentence.tags[head - 1] if head else "$"
        names = [  # paper
            f"label={label}",
            f"label={label}&head={head_tag}",
            f"label={label}&modifier={tag}",
            f"label={label}&head={head_tag}&modifier={tag}",
            f"label={label}&above={sentence.labels[head - 1] if head else '$'}",
        ]
        form = sentence.words[word - 1].lower()
        function = is_function_word(form)
        if function and head_tag.startswith(("VB", "VERB", "AUX", "MD")):
            names.append(f"verb's function word={tag}")  # paper
        if tree.negated[word]:
            names.append("negation")  # paper
        if is_temporal(form):
            preposition = universal and any(sentence.labels[below - 1] == "case" for below in tree.below[word])
            names.append("temporal preposition" if preposition else "temporal")  # paper
        elif tag in ("IN", "TO") and any(is_temporal(sentence.words[below - 1]) for below in tree.below[word]):
            names.append("temporal preposition")  # paper
        names += [
            "bias",
            f"size={bucket(tree.sizes[word], SIZE_BOUNDS)}",
            f"label={label}&size={bucket(tree.sizes[word], SIZE_BOUNDS)}",
            f"label={label}&side={'left' if word < head else 'right'}",
            f"depth={bucket(tree.depths[word], DEPTH_BOUNDS)}",
        ]
        if function:
            names.append(f"label={label}&form={form}")
        yield [f"arc:{name}" for name in names]


class _Tree:
    """Modifiers, depths, subtree sizes and negations below each word (0 is the dummy)."""

    def __init__(self, sentence: ParsedSentence) -> None:
        count = len(sentence) + 1
        self.below: list[list[int]] = [[] for _ in range(count)]
        for word, head in enumerate(sentence.heads, 1):
            self.below[head].append(word)
        self.depths, self.sizes, self.negated = [0] * count, [1] * count, [False] * count
        order = [0]
        for word in order:
            order.extend(self.below[word])
            for modifier in self.below[word]:
                self.depths[modifier] = self.depths[word] + 1
        for word in reversed(order[1:]):
            self.negated[word] |= sentence.words[word - 1].lower() in NEGATIONS
            head = sentence.heads[word - 1]
            self.sizes[head] += self.sizes[word]
            self.negated[head] |= self.negated[word]
