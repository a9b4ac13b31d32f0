"""Sentences for the learned parser: words with coarse and fine tags, and a labelled tree where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .conll import FEATURES, LEMMA, ConllSentence
from .sentence import ParsedSentence

NO_TAG = "_"


@dataclass(frozen=True)
class Sentence:
    """`coarse` are universal tags or a treebank's coarse ones, `fine` its own. `_` is a tag that is missing; there may be none at all."""

    name: str
    words: tuple[str, ...]
    coarse: tuple[str, ...]
    fine: tuple[str, ...]
    heads: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    features: tuple[str, ...] = ()  # of morphology, each word's in one text: `Case=Gen|Number=Sing`

    def __len__(self) -> int:
        return len(self.words)

    @property
    def has_tags(self) -> bool:
        """Has each word a coarse or a fine tag?"""
        return bool(self.coarse) and (NO_TAG, NO_TAG) not in zip(self.coarse, self.fine, strict=True)

    @property
    def has_morphology(self) -> bool:
        """Has any word a lemma or features?"""
        return any(value != NO_TAG for value in (*self.lemmas, *self.features))


def from_conll(sentence: ConllSentence) -> Sentence:
    """A sentence of a treebank."""
    lemmas, features = (tuple(sentence.column(number)) for number in (LEMMA, FEATURES))
    given = (sentence.name, sentence.words, sentence.coarse_tags, sentence.fine_tags)
    return Sentence(*given, sentence.heads, sentence.relations, lemmas, features)


def filled_tags(given: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Tags, with others where they are missing."""
    return tuple(other if tag == NO_TAG else tag for tag, other in zip(given, others, strict=True))


def with_both_tags(sentence: Sentence) -> Sentence:
    """A sentence to learn from: a treebank without fine tags has its coarse ones in their place, and the other way round."""
    coarse, fine = filled_tags(sentence.coarse, sentence.fine), filled_tags(sentence.fine, sentence.coarse)
    return (
        sentence if (coarse, fine) == (sentence.coarse, sentence.fine) else replace(sentence, coarse=coarse, fine=fine)
    )


UNIVERSAL = {
    "NNP": "PROPN", "NNPS": "PROPN", "NN": "NOUN", "NNS": "NOUN", "VB": "VERB", "VBD": "VERB", "VBZ": "VERB", "VBP": "VERB",
    "VBN": "VERB", "VBG": "VERB", "MD": "AUX", "IN": "ADP", "TO": "PART", "DT": "DET", "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ",
    "RB": "ADV", "CD": "NUM", "PRP": "PRON", "PRP$": "PRON", "CC": "CCONJ", "WDT": "PRON", "WP": "PRON", "WP$": "PRON",
    "WRB": "ADV", "RP": "ADP", "EX": "PRON",
}  # fmt: skip


def generated_treebank(seed: int, sentences: int) -> Iterator[Sentence]:
    """Sentences of the news generator, which knows their trees: tags of the Penn Treebank, labels of Penn2Malt."""
    from .newswire import generate_cluster

    made = 0
    topic = 0
    while made < sentences:
        cluster = generate_cluster(1000 * seed + topic, documents=2, sentences_per_document=10, references=0)
        topic += 1
        for parsed in (parsed for document in cluster.documents for parsed in document):
            if made < sentences:
                made += 1
                yield _generated(parsed, f"generated-{seed}-{made}")


def _generated(parsed: ParsedSentence, name: str) -> Sentence:
    coarse = tuple(UNIVERSAL.get(tag, "X") for tag in parsed.tags)
    return Sentence(name, parsed.words, coarse, parsed.tags, parsed.heads, parsed.labels)
