"""Features of concepts and of deleted arcs (section 3.5), as names that a model hashes.

What the paper lists is marked (paper) below. The rest are cheap relatives that its predecessors use: how early a bigram is in its
documents on average, whether it has a name, and how salient its words are in the documents' leads; how much a deletion removes,
whether that has a name or a number, which side of the head it is on, and the form of a function word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ..text.sentence import Cluster, ParsedSentence
from ..text.words import is_function_word, is_temporal, stem
from .constraints import is_universal
from .features import bigrams
from .trees import Tree

COUNT_BOUNDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 25, 50)
POSITION_BOUNDS = (0, 1, 2, 3, 5, 10)
SIZE_BOUNDS = (1, 2, 3, 6, 11, 21)
DEPTH_BOUNDS = (1, 2, 3, 5, 8)
CONCEPT_VALUE = 0.3  # of a concept's features, an arc's being 1: a summary has many more concepts than deletions
PLACE_BOUNDS = (0.001, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
LEAD_SENTENCES = 2
NAMES = ("NNP", "NNPS", "PROPN")
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
    place: float  # of its first sentence in a document, from 0 (the lead) to 1, the mean over documents
    names: int  # of its two words: proper nouns
    salience: float  # share of the documents that have one of its content words in the lead


def concept_facts(cluster: Cluster) -> dict[str, ConceptFacts]:
    """The facts of every bigram of a cluster, in order of first occurrence."""
    first_positions: dict[str, dict[int, int]] = {}  # by document
    functions: dict[str, str] = {}
    names: dict[str, int] = {}
    for number, document in enumerate(cluster.documents):
        for position, sentence in enumerate(document):
            for first, bigram in enumerate(bigrams(sentence)):
                if not bigram:
                    continue
                first_positions.setdefault(bigram, {}).setdefault(number, position)
                if bigram not in functions:
                    pair = sentence.words[first : first + 2]
                    functions[bigram] = "".join("f" if is_function_word(word) else "c" for word in pair)
                    names[bigram] = sum(tag in NAMES for tag in sentence.tags[first : first + 2])
    count, last = len(cluster.documents), [max(len(document) - 1, 1) for document in cluster.documents]
    salience = lead_words(cluster)
    return {
        bigram: ConceptFacts(
            documents=len(where),
            share=len(where) / count,
            leads=sum(position == 0 for position in where.values()),
            earliest=min(where.values()),
            functions=functions[bigram],
            place=sum(position / last[number] for number, position in where.items()) / len(where),
            names=names[bigram],
            salience=max(salience.get(word, 0) for word in bigram.split()) / count,
        )
        for bigram, where in first_positions.items()
    }


def lead_words(cluster: Cluster) -> dict[str, int]:
    """Of each content word, by its stem: the documents that have it in their lead, the first sentences."""
    found: Counter[str] = Counter()
    for document in cluster.documents:
        lead = {word for sentence in document[:LEAD_SENTENCES] for word in sentence.words}
        found.update({stem(word) for word in lead if not is_function_word(word)})
    return found


def concept_features(facts: ConceptFacts) -> list[str]:
    """Document count, function words and earliest position with their two- and three-way conjunctions (paper)."""
    basic = (
        f"documents={bucket(facts.documents, COUNT_BOUNDS)}",
        f"functions={facts.functions}",
        f"earliest={bucket(facts.earliest, POSITION_BOUNDS)}",
    )
    names = ["&".join(chosen) for size in (1, 2, 3) for chosen in combinations(basic, size)]
    share, salience = bucket(facts.share, SHARE_BOUNDS), bucket(facts.salience, SHARE_BOUNDS)
    place = bucket(facts.place, PLACE_BOUNDS)
    names += ["bias", f"share={share}", f"leads={bucket(facts.leads, (1, 2, 3, 5))}"]
    names += [f"place={place}", f"place={place}&share={share}", f"names={facts.names}", f"salience={salience}"]
    names += [f"names={facts.names}&salience={salience}", f"place={place}&salience={salience}"]
    return [f"concept:{name}" for name in names]


def arc_features(sentence: ParsedSentence) -> Iterator[list[str]]:
    """For each word, the features of deleting the arc to it."""
    universal = is_universal(sentence)
    tree = Tree(sentence)
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
            f"informative={tree.informative[word]}",
            f"label={label}&modifier={tag}&informative={tree.informative[word]}",
            f"label={label}&side={'left' if word < head else 'right'}",
            f"depth={bucket(tree.depths[word], DEPTH_BOUNDS)}",
        ]
        if function:
            names.append(f"label={label}&form={form}")
        yield [f"arc:{name}" for name in names]
