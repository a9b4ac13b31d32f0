"""Instances and structures of compressive summarization (Almeida & Martins 2013, section 3)."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..checks import magnitude
from ..display import LONGEST_TEXT, InNotebooks, many, short_line
from ..errors import InputError, shortened
from ..factors.block import Booleans, starts_of
from ..linear_program import Floats, Integers
from ..storage import Fields

Summary = tuple[tuple[int, tuple[int, ...]], ...]
"""The selected sentences in order, each with its kept words (numbered from 1)."""


@dataclass(frozen=True)
class Sentence:
    """A candidate sentence: its dependency tree and what deleting each word's arc to its head scores (Eq. 8).

    Words are numbered from 1 and head 0 is the dummy symbol. There is exactly one root word: further roots are attached to
    the first, and the root's own arc is undeletable, so the dummy is kept if and only if the compression is non-empty.
    """

    heads: tuple[int, ...]
    deletion_scores: tuple[float, ...]
    undeletable: tuple[bool, ...]
    words: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    document: int = 0
    position: int = 0

    def __post_init__(self) -> None:
        count = len(self.heads)
        if not count:
            raise InputError("field 'heads' must name the head of at least one word.")
        for name in ("deletion_scores", "undeletable"):
            if len(getattr(self, name)) != count:
                raise InputError(f"field {name!r} must have one entry for each of the {count} words.")
        for name in ("words", "tags", "labels"):
            if len(getattr(self, name)) not in (0, count):
                raise InputError(f"field {name!r} must have one entry for each of the {count} words, or none.")
        if not all(math.isfinite(score) for score in self.deletion_scores):
            raise InputError("field 'deletion_scores' must hold finite numbers.")
        if not all(0 <= head <= count for head in self.heads):
            raise InputError(f"field 'heads' must hold numbers from 0 to {count}.")
        roots = [word for word, head in enumerate(self.heads, 1) if head == 0]
        if not roots:
            raise InputError("field 'heads' has no root: one word must have head 0.")
        heads = list(self.heads)
        for word in roots[1:]:
            heads[word - 1] = roots[0]
        object.__setattr__(self, "heads", tuple(heads))
        flags = tuple(bool(flag) or word == roots[0] for word, flag in enumerate(self.undeletable, 1))
        object.__setattr__(self, "undeletable", flags)
        if len(self.preorder) != count + 1:
            raise InputError("field 'heads' has a cycle: every word must lead to the root.")

    def __len__(self) -> int:
        return len(self.heads)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The modifiers of the dummy (0) and of each word."""
        modifiers: list[list[int]] = [[] for _ in range(len(self.heads) + 1)]
        for word, head in enumerate(self.heads, 1):
            modifiers[head].append(word)
        return tuple(tuple(words) for words in modifiers)

    @cached_property
    def preorder(self) -> tuple[int, ...]:
        """The dummy and all words that hang from it, heads before modifiers."""
        order, stack = [], [0]
        while stack:
            node = stack.pop()
            order.append(node)
            stack.extend(reversed(self.children[node]))
        return tuple(order)


class Concept(NamedTuple):
    """A k-gram concept type: its relevance and its occurrences (sentence, first word, last word)."""

    name: str
    score: float
    tokens: tuple[tuple[int, int, int], ...]


class Layout(NamedTuple):
    """The instance in flat arrays. Nodes are all dummies and words, sentence by sentence, each sentence in preorder."""

    sizes: Integers  # nodes per sentence
    starts: Integers  # first node (the dummy) of each sentence
    words: Integers  # each node's word, 0 for a dummy
    parents: Integers  # within the sentence; -1 for a dummy
    undeletable: Booleans
    deletion_scores: Floats
    node_of_word: Integers  # node of word w of sentence s: node_of_word[starts[s] + w]
    concept_scores: Floats
    token_concepts: Integers
    token_starts: Integers  # first entry of each token in token_nodes
    token_nodes: Integers


@dataclass(frozen=True)
class SummarizationInstance(InNotebooks):
    task: ClassVar[str] = "summarization"

    name: str
    sentences: tuple[Sentence, ...]
    concepts: tuple[Concept, ...]
    budget: int
    max_sentences: int = 6
    references: tuple[tuple[str, ...], ...] = ()
    layout: Layout = field(init=False, repr=False, compare=False)
    magnitude: float = field(init=False, repr=False, compare=False)  # the sum of all absolute scores

    def __repr__(self) -> str:
        counts = many(len(self.sentences), "sentence"), many(len(self.concepts), "concept")
        return short_line(self, self.name, *counts, f"budget {self.budget}")

    def _details(self) -> list[tuple[str, str]]:
        words = self.sentences[0].words if self.sentences else ()
        return [("first sentence", shortened(" ".join(words), LONGEST_TEXT))] if words else []

    def __post_init__(self) -> None:
        if self.budget < 0 or self.max_sentences < 0:
            raise InputError("fields 'budget' and 'max_sentences' must be at least 0.")
        for index, concept in enumerate(self.concepts):
            if not math.isfinite(concept.score):
                raise InputError(f"field 'concepts[{index}].score' must be a finite number.")
            if not concept.tokens:
                raise InputError(f"field 'concepts[{index}].tokens' must name at least one occurrence.")
            for sentence, first, last in concept.tokens:
                known = 0 <= sentence < len(self.sentences)
                if not known or not 1 <= first <= last <= len(self.sentences[sentence]):
                    raise InputError(
                        f"field 'concepts[{index}].tokens' names words {first}-{last} of sentence {sentence}, which do not exist."
                    )
            if len(set(concept.tokens)) < len(concept.tokens):
                sentence, first, last = next(token for token in concept.tokens if concept.tokens.count(token) > 1)
                raise InputError(
                    f"field 'concepts[{index}].tokens' names words {first}-{last} of sentence {sentence} twice."
                )
        layout = _layout(self.sentences, self.concepts)
        object.__setattr__(self, "layout", layout)
        object.__setattr__(self, "magnitude", magnitude(layout.concept_scores, layout.deletion_scores))

    @property
    def number_of_words(self) -> int:
        return sum(len(sentence) for sentence in self.sentences)


def _layout(sentences: tuple[Sentence, ...], concepts: tuple[Concept, ...]) -> Layout:
    sizes = np.array([len(sentence) + 1 for sentence in sentences], dtype=np.int64)
    starts = starts_of(sizes)
    words: list[int] = []
    parents: list[int] = []
    undeletable: list[bool] = []
    scores: list[float] = []
    node_of_word = np.empty(int(starts[-1]), dtype=np.int64)
    for start, sentence in zip(starts.tolist(), sentences, strict=False):
        place = {word: index for index, word in enumerate(sentence.preorder)}
        for index, word in enumerate(sentence.preorder):
            node_of_word[start + word] = start + index
        words.extend(sentence.preorder)
        parents.append(-1)
        undeletable.append(False)
        scores.append(0.0)
        for word in sentence.preorder[1:]:
            parents.append(place[sentence.heads[word - 1]])
            undeletable.append(sentence.undeletable[word - 1])
            scores.append(sentence.deletion_scores[word - 1])
    token_concepts, lengths, nodes = [], [], []
    for index, concept in enumerate(concepts):
        for sentence_index, first, last in concept.tokens:
            token_concepts.append(index)
            lengths.append(last - first + 1)
            offset = int(starts[sentence_index])
            nodes.extend(node_of_word[offset + first : offset + last + 1].tolist())
    return Layout(
        sizes=sizes,
        starts=starts[:-1],
        words=np.array(words, dtype=np.int64),
        parents=np.array(parents, dtype=np.int64),
        undeletable=np.array(undeletable, dtype=bool),
        deletion_scores=np.array(scores, dtype=np.float64),
        node_of_word=node_of_word,
        concept_scores=np.array([concept.score for concept in concepts], dtype=np.float64),
        token_concepts=np.array(token_concepts, dtype=np.int64),
        token_starts=starts_of(np.array(lengths, dtype=np.int64)),
        token_nodes=np.array(nodes, dtype=np.int64),
    )


def with_scores(instance: SummarizationInstance, concepts: Floats, deletions: Floats) -> SummarizationInstance:
    """The same problem with other scores of concepts and of deletions (of all words, sentence after sentence).

    Learners decode the same topic many times: sentences and occurrences, once checked, are not checked again.
    """
    layout = instance.layout
    if len(concepts) != len(instance.concepts) or len(deletions) != instance.number_of_words:
        raise InputError("scores must be one per concept and one per word of the instance.")
    if not (np.isfinite(concepts).all() and np.isfinite(deletions).all()):
        raise InputError("scores of concepts and deletions must be finite numbers.")
    of_node = np.repeat(layout.starts - np.arange(len(layout.starts)), layout.sizes) + layout.words - 1
    words = layout.words > 0
    node_scores = np.zeros(len(layout.words))
    node_scores[words] = deletions[of_node[words]]
    sentences, start, values = [], 0, deletions.tolist()
    for sentence in instance.sentences:
        changed = copy(sentence)
        object.__setattr__(changed, "deletion_scores", tuple(values[start : start + len(sentence)]))
        sentences.append(changed)
        start += len(sentence)
    made = copy(instance)
    scored = [
        Concept(old.name, score, old.tokens) for old, score in zip(instance.concepts, concepts.tolist(), strict=True)
    ]
    changes: dict[str, Any] = {
        "sentences": tuple(sentences),
        "concepts": tuple(scored),
        "layout": layout._replace(concept_scores=np.array(concepts, dtype=np.float64), deletion_scores=node_scores),
        "magnitude": magnitude(concepts, node_scores),
    }
    for name, value in changes.items():
        object.__setattr__(made, name, value)
    return made


def objective(instance: SummarizationInstance, summary: Summary) -> float:
    """Eq. 4: the scores of the covered concepts plus those of the deleted arcs, from the summary alone."""
    kept = {sentence: frozenset(words) for sentence, words in summary}
    total = 0.0
    for concept in instance.concepts:
        if any(s in kept and all(w in kept[s] for w in range(first, last + 1)) for s, first, last in concept.tokens):
            total += concept.score
    for index, words in kept.items():
        sentence = instance.sentences[index]
        for word, head in enumerate(sentence.heads, 1):
            if word not in words and (head == 0 or head in words):
                total += sentence.deletion_scores[word - 1]
    return total


def broken(instance: SummarizationInstance, summary: Summary) -> str | None:
    """Why a summary is not feasible: budget, number of sentences, or words kept without their heads."""
    indices = [sentence for sentence, _ in summary]
    if len(set(indices)) < len(indices) or not all(0 <= index < len(instance.sentences) for index in indices):
        return "the sentences must be different ones of the instance."
    if len(indices) > instance.max_sentences:
        return f"{len(indices)} sentences are more than {instance.max_sentences}."
    length = sum(len(words) for _, words in summary)
    if length > instance.budget:
        return f"{length} words are more than the budget of {instance.budget}."
    for index, words in summary:
        sentence, kept = instance.sentences[index], set(words)
        if not kept or len(kept) < len(words) or not all(1 <= word <= len(sentence) for word in kept):
            return f"the kept words of sentence {index} must be different words of it, and at least one."
        for word, head in enumerate(sentence.heads, 1):
            head_kept = head == 0 or head in kept
            if word in kept and not head_kept:
                return f"word {word} of sentence {index} is kept without its head {head}."
            if word not in kept and head_kept and sentence.undeletable[word - 1]:
                return f"word {word} of sentence {index} is deleted, but its arc is undeletable."
    return None


def from_document(document: dict[str, Any]) -> SummarizationInstance:
    fields = Fields(document)
    sentences = []
    for index, item in enumerate(fields.objects("sentences")):
        try:
            sentences.append(_sentence(item))
        except InputError as error:
            said = str(error)
            raise InputError(said if "sentences[" in said else f"sentences[{index}]: {said}") from None
    concepts = []
    for index, item in enumerate(fields.objects("concepts")):
        flat = item.integers("tokens")
        if not flat or len(flat) % 3:
            raise InputError(f"field 'concepts[{index}].tokens' must hold three whole numbers per occurrence.")
        tokens = tuple(zip(flat[::3], flat[1::3], flat[2::3], strict=True))
        concepts.append(Concept(item.text("name"), item.number("score"), tokens))
        item.no_others()
    parts: dict[str, Any] = {
        "name": fields.text("name"),
        "sentences": tuple(sentences),
        "concepts": tuple(concepts),
        "budget": fields.integer("budget", 0),
        "max_sentences": fields.integer("max_sentences", 0, SummarizationInstance.max_sentences),
        "references": fields.lists("references", []),
    }
    fields.no_others("task")
    return SummarizationInstance(**parts)


def _sentence(item: Fields) -> Sentence:
    parts: dict[str, Any] = {
        "heads": item.integers("heads"),
        "deletion_scores": item.numbers("deletion_scores"),
        "undeletable": item.booleans("undeletable"),
        "words": item.texts("words", []),
        "tags": item.texts("tags", []),
        "labels": item.texts("labels", []),
        "document": item.integer("document", 0, Sentence.document),
        "position": item.integer("position", 0, Sentence.position),
    }
    item.no_others()
    return Sentence(**parts)


def to_document(instance: SummarizationInstance) -> dict[str, Any]:
    return {
        "name": instance.name,
        "budget": instance.budget,
        "max_sentences": instance.max_sentences,
        "sentences": [
            {
                "words": list(sentence.words),
                "tags": list(sentence.tags),
                "heads": list(sentence.heads),
                "labels": list(sentence.labels),
                "deletion_scores": list(sentence.deletion_scores),
                "undeletable": list(sentence.undeletable),
                "document": sentence.document,
                "position": sentence.position,
            }
            for sentence in instance.sentences
        ],
        "concepts": [
            {
                "name": concept.name,
                "score": concept.score,
                "tokens": [number for token in concept.tokens for number in token],
            }
            for concept in instance.concepts
        ],
        "references": [list(lines) for lines in instance.references],
    }
