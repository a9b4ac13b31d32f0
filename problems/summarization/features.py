"""What concepts and deleted arcs are worth, which arcs are never deleted (section 3.5), and which sentences are candidates (5.1).

The weights are set by hand until models are learned. They only use what the paper's features see: document counts, function
words and the earliest position of a bigram; labels, tags, negation and time expressions of an arc.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ..text.sentence import Cluster, ParsedSentence
from ..text.words import NEGATIONS, is_function_word, is_temporal, stem

KEPT_LABELS = frozenset({"SUB", "OBJ", "PMOD", "SBAR", "VC", "PRD"})
QUOTES = frozenset({'"', "``", "''"})
FEWEST_DOCUMENTS = 2  # a bigram of one document only is no concept

DELETION_SCORES = {"NMOD": -0.1, "VMOD": -0.2, "AMOD": -0.2, "DEP": -0.3, "PRT": -0.5}
OTHER_DELETION_SCORE = -0.3
TEMPORAL_BONUS = 0.3  # when something happened is the first thing a summary leaves out
NEGATION_PENALTY = -2.0  # deleting a negated clause may turn the meaning round


def undeletable_arcs(sentence: ParsedSentence) -> tuple[bool, ...]:
    """The hard constraints of section 3.5: for each word, may its arc never be deleted?"""
    quoted = _quoted(sentence.words)
    conjoined = {
        sentence.heads[word]
        for word in range(len(sentence))
        if sentence.tags[word] == "CC" and sentence.heads[word] > 0
    }
    leaves = set(range(1, len(sentence) + 1)) - set(sentence.heads)
    flags = []
    for word in range(1, len(sentence) + 1):
        tag, form = sentence.tags[word - 1], sentence.words[word - 1].lower()
        head = sentence.heads[word - 1]
        head_tag = sentence.tags[head - 1] if head else ""
        from_verb = head_tag.startswith("VB") or head_tag == "MD"
        flags.append(
            head == 0
            or sentence.labels[word - 1] in KEPT_LABELS
            or head in conjoined  # the conjunction itself and its siblings
            or tag == "CC"
            or (from_verb and (tag.startswith(("VB", "JJ")) or tag in ("MD", "RP") or form == "that"))
            or (from_verb and form == "to" and word in leaves)
            or form in NEGATIONS
            or tag in ("CD", "DT")
            or (tag.startswith("NNP") and head_tag.startswith("NNP"))
            or (quoted[word - 1] > 0 and quoted[word - 1] == quoted[head - 1])
        )
    return tuple(flags)


def _quoted(words: Sequence[str]) -> list[int]:
    """The number of the quotation each word lies in; 0 outside."""
    spans, number, inside = [], 0, False
    for word in words:
        if word in QUOTES:
            inside = not inside
            number += inside
            spans.append(0)
        else:
            spans.append(number if inside else 0)
    return spans


def deletion_scores(sentence: ParsedSentence) -> tuple[float, ...]:
    """Arc-deletion scores: how little a modifier is missed, by its label, time expressions and negations."""
    below: list[list[int]] = [[] for _ in range(len(sentence) + 1)]
    for word, head in enumerate(sentence.heads, 1):
        below[head].append(word)
    negated = [False] * (len(sentence) + 1)
    for word in _bottom_up(below):
        negated[word] = (word > 0 and sentence.words[word - 1].lower() in NEGATIONS) or any(
            negated[w] for w in below[word]
        )
    scores = []
    for word in range(1, len(sentence) + 1):
        score = DELETION_SCORES.get(sentence.labels[word - 1], OTHER_DELETION_SCORE)
        form = sentence.words[word - 1]
        points_to_time = sentence.tags[word - 1] in ("IN", "TO") and any(
            is_temporal(sentence.words[w - 1]) for w in below[word]
        )
        if is_temporal(form) or points_to_time:
            score += TEMPORAL_BONUS
        if negated[word]:
            score += NEGATION_PENALTY
        scores.append(score)
    return tuple(scores)


def _bottom_up(below: list[list[int]]) -> list[int]:
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(below[node])
    return order[::-1]


def bigrams(sentence: ParsedSentence) -> list[str]:
    """The stemmed bigram at each position, "" where both words are function words or punctuation."""
    found = []
    for first, second in zip(sentence.words[:-1], sentence.words[1:], strict=True):
        content = [word for word in (first, second) if not is_function_word(word) and word[0].isalnum()]
        readable = first[0].isalnum() and second[0].isalnum()
        found.append(f"{stem(first)} {stem(second)}" if content and readable else "")
    return found


def best_sentences(sentences: Sequence[ParsedSentence], worths: Mapping[str, float], most_words: int) -> list[int]:
    """The pruning of section 5.1: the places of the candidates, in order.

    A sentence is worth the sum of its bigrams; the best are taken, one after the other, while they fit into `most_words`.
    """
    worth = [sum(worths.get(bigram, 0.0) for bigram in sorted(set(bigrams(sentence)))) for sentence in sentences]
    chosen, used = [], 0
    for index in sorted(range(len(sentences)), key=lambda index: (-worth[index], index)):
        if used + len(sentences[index]) <= most_words:
            chosen.append(index)
            used += len(sentences[index])
    return sorted(chosen)


def concept_scores(cluster: Cluster) -> dict[str, float]:
    """Bigrams of at least two documents: more documents, content words and early mention make them relevant.

    The root of the document count keeps concepts competing: with the count itself a few key facts decide the summary, and
    most relaxations are integral, which real clusters' are not (2 of 48 in section 5.3).
    """
    documents: dict[str, set[int]] = {}
    earliest: dict[str, int] = {}
    mixed: dict[str, bool] = {}
    for number, document in enumerate(cluster.documents):
        for position, sentence in enumerate(document):
            for first, bigram in enumerate(bigrams(sentence)):
                if bigram:
                    documents.setdefault(bigram, set()).add(number)
                    earliest[bigram] = min(position, earliest.get(bigram, position))
                    mixed[bigram] = any(is_function_word(word) for word in sentence.words[first : first + 2])
    return {
        bigram: math.sqrt(len(where)) * (0.8 if mixed[bigram] else 1.0) * (1.0 + 0.25 / (1.0 + earliest[bigram]))
        for bigram, where in documents.items()
        if len(where) >= FEWEST_DOCUMENTS
    }
