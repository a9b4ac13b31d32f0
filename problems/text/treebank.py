"""Sentences for the learned parser: words with coarse and fine tags, and a labelled tree where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .conll import FEATURES, LEMMA, ConllSentence
from .sentence import ParsedSentence

NO_TAG = "_"


@dataclass(frozen=True)
class Sentence:
    """`coarse` are universal tags, `fine` the treebank's own (or the universal ones again where it has none)."""

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


def from_conll(sentence: ConllSentence) -> Sentence:
    """A sentence of a treebank."""
    fine = tuple(
        coarse if tag == NO_TAG else tag for coarse, tag in zip(sentence.coarse_tags, sentence.fine_tags, strict=True)
    )
    lemmas, features = (tuple(sentence.column(number)) for number in (LEMMA, FEATURES))
    given = (sentence.name, sentence.words, sentence.coarse_tags, fine, sentence.heads, sentence.relations)
    return Sentence(*given, lemmas, features)


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
