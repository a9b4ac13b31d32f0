"""The hard constraints of section 3.5: which arcs of a dependency tree are never deleted.

The paper's rules speak of Penn Treebank labels and tags, and so do generated sentences (`features.undeletable_arcs`). Parsers
trained on Universal Dependencies have other labels and, where function words are concerned, other trees: a preposition, a
complementizer, an auxiliary and a copula hang from the content word instead of standing above it. A rule that keeps the arc
*from* such a word keeps the arc *to* it here. The mapping, rule by rule, is in docs/learning-summarization.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..text.sentence import ParsedSentence
from ..text.words import NEGATIONS
from .features import undeletable_arcs as undeletable_penn

SUBJECTS_AND_OBJECTS = frozenset({"nsubj", "csubj", "expl", "obj", "iobj"})  # SUB, OBJ
MARKERS = frozenset({"case", "mark", "aux", "cop"})  # PMOD, SBAR, VC, PRD seen from below
COMPLEMENTS = frozenset({"xcomp", "ccomp"})  # verb to verb, verb to adjective, said that
COORDINATION = frozenset({"cc", "conj"})
WHOLE_NAMES = frozenset({"fixed", "flat", "goeswith"})  # words that are one word
KEPT_LABELS = SUBJECTS_AND_OBJECTS | MARKERS | COMPLEMENTS | COORDINATION | WHOLE_NAMES
VERBS = frozenset({"VERB", "AUX"})
_OPENING, _CLOSING, _BOTH = (
    frozenset({"\u201c", "``", "\u00ab"}),
    frozenset({"\u201d", "''", "\u00bb"}),
    frozenset({'"'}),
)


def is_universal(sentence: ParsedSentence) -> bool:
    """Universal Dependencies write their labels in small letters, the Penn Treebank's converters in capitals."""
    return any(label.islower() for label in sentence.labels)


def undeletable_arcs(sentence: ParsedSentence) -> tuple[bool, ...]:
    """For each word: may its arc never be deleted?"""
    return undeletable_universal(sentence) if is_universal(sentence) else undeletable_penn(sentence)


def undeletable_universal(sentence: ParsedSentence) -> tuple[bool, ...]:
    """The same for a tree with labels and coarse tags of Universal Dependencies."""
    quoted = quotations(sentence.words)
    labels = [label.partition(":")[0] for label in sentence.labels]
    coordinated = {sentence.heads[word] for word, label in enumerate(labels) if label == "conj"}
    introduced = {
        sentence.heads[word]
        for word, label in enumerate(labels)
        if label == "mark" and sentence.tags[word] != "PART"  # "because", not the "to" of an infinitive
    }
    flags = []
    for word, (label, tag, head) in enumerate(zip(labels, sentence.tags, sentence.heads, strict=True), 1):
        head_tag = sentence.tags[head - 1] if head else ""
        clause = tag in VERBS and not (label == "advcl" and word in introduced)
        flags.append(
            head == 0
            or label in KEPT_LABELS
            or sentence.labels[word - 1] == "compound:prt"
            or head in coordinated
            or (head_tag in VERBS and (clause or tag == "ADJ"))
            or sentence.words[word - 1].lower() in NEGATIONS
            or tag in ("NUM", "DET", "CCONJ")
            or (tag == "PROPN" and head_tag == "PROPN")
            or (quoted[word - 1] > 0 and quoted[word - 1] == quoted[head - 1])
        )
    return tuple(flags)


def quotations(words: Sequence[str]) -> list[int]:
    """The number of the quotation each word lies in; 0 outside. An opening mark that is never closed opens nothing."""
    spans, number, start = [0] * len(words), 0, -1
    for place, word in enumerate(words):
        if start < 0 and (word in _OPENING or word in _BOTH):
            start = place
        elif start >= 0 and (word in _CLOSING or word in _BOTH):
            number += 1
            spans[start + 1 : place] = [number] * (place - start - 1)
            start = -1
    return spans
