"""Pieces of dependency tree that are put together into sentences.

Text here is *built* with its tree and never parsed: every word enters with a tag, every joint between two pieces with
a label, so the trees are right by construction. The labels are those of Penn2Malt, because the hard constraints of
Almeida & Martins (section 3.5) speak that language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from problems.text.render import with_articles
from problems.text.sentence import ParsedSentence

_LABELS = "ROOT SUB OBJ PRD VC SBAR PMOD NMOD VMOD AMOD COORD CC PRT DEP"
_TAGS = "NNP NN NNS VB VBD VBZ VBP VBN VBG MD IN TO DT JJ JJR JJS RB CD PRP PRP$ CC WDT WP WP$ WRB RP EX"
LABELS = frozenset(_LABELS.split())
TAGS = frozenset(_TAGS.split())


@dataclass(frozen=True)
class Fragment:
    """A connected piece of tree. `heads` point inside the fragment; its root has head -1 and the label ROOT."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    root: int

    def __len__(self) -> int:
        return len(self.words)

    @property
    def tag(self) -> str:
        return self.tags[self.root]

    @property
    def word(self) -> str:
        return self.words[self.root]


@dataclass(frozen=True)
class Piece:
    """A fragment at its place in the surface order, hanging from the root of another piece (`governor`)."""

    fragment: Fragment
    governor: int | None
    label: str = "ROOT"


def leaf(word: str, tag: str) -> Fragment:
    return Fragment((word,), (tag,), (-1,), ("ROOT",), 0)


def assemble(pieces: Sequence[Piece]) -> Fragment:
    """Join pieces in surface order into one fragment. Exactly one piece has no governor: it brings the root."""
    starts: list[int] = []
    total = 0
    for piece in pieces:
        starts.append(total)
        total += len(piece.fragment)
    words: list[str] = []
    tags: list[str] = []
    heads: list[int] = []
    labels: list[str] = []
    roots: list[int] = []
    for piece, start in zip(pieces, starts, strict=True):
        part = piece.fragment
        words.extend(part.words)
        tags.extend(part.tags)
        heads.extend(head + start if head >= 0 else -1 for head in part.heads)
        labels.extend(part.labels)
        if piece.governor is None:
            roots.append(start + part.root)
        else:
            heads[start + part.root] = starts[piece.governor] + pieces[piece.governor].fragment.root
            labels[start + part.root] = piece.label
    if len(roots) != 1:
        raise ValueError(f"a fragment needs one root, found {len(roots)} in {' '.join(words)!r}")
    return Fragment(tuple(words), tuple(tags), tuple(heads), tuple(labels), roots[0])


def attach(head: Fragment, before: Sequence[tuple[Fragment, str]], after: Sequence[tuple[Fragment, str]]) -> Fragment:
    """A head with labelled dependents on both sides, in surface order."""
    place = len(before)
    pieces = [Piece(fragment, place, label) for fragment, label in before]
    pieces.append(Piece(head, None))
    pieces.extend(Piece(fragment, place, label) for fragment, label in after)
    return assemble(pieces)


@dataclass
class Clause:
    """A clause before its words are put in a row, so that adjuncts can still be hung on it.

    The subject belongs to the first verb, everything else to the last one (the lexical verb). `verbs` alternates chain
    members and their labels: an auxiliary governs the next verb as VC, "agreed to buy" as VMOD with `to` as a leaf.
    """

    subject: Fragment | None = None
    verbs: list[tuple[Fragment, str]] = field(default_factory=list)
    complements: list[tuple[Fragment, str]] = field(default_factory=list)
    front: list[tuple[Fragment, str]] = field(default_factory=list)
    adverbs: list[Fragment] = field(default_factory=list)
    conjunction: Fragment | None = None
    second: Clause | None = None

    @property
    def main_verb(self) -> str:
        return self.verbs[-1][0].word

    def add_adjunct(self, adjunct: Fragment) -> None:
        """Hang an adjunct at the very end of the sentence: on the second conjunct if there is one."""
        (self.second or self).complements.append((adjunct, "VMOD"))

    def __len__(self) -> int:
        return len(self.fragment())

    def fragment(self) -> Fragment:
        pieces: list[Piece] = []
        lead = len(self.front) + (self.subject is not None)
        # An adverb stands before the lexical verb, so after the auxiliaries.
        at = [lead + i + (len(self.adverbs) if i == len(self.verbs) - 1 else 0) for i in range(len(self.verbs))]
        first, last = at[0], at[-1]
        pieces.extend(Piece(fragment, first, label) for fragment, label in self.front)
        if self.subject is not None:
            pieces.append(Piece(self.subject, first, "SUB"))
        for i, (verb, label) in enumerate(self.verbs):
            if i == len(self.verbs) - 1:
                pieces.extend(Piece(adverb, last, "VMOD") for adverb in self.adverbs)
            pieces.append(Piece(verb, at[i - 1] if i else None, label))
        pieces.extend(Piece(fragment, last, label) for fragment, label in self.complements)
        if self.second is not None and self.conjunction is not None:
            pieces.append(Piece(self.conjunction, first, "CC"))
            pieces.append(Piece(self.second.fragment(), first, "COORD"))
        return assemble(pieces)


def to_sentence(fragment: Fragment) -> ParsedSentence:
    """Number words from 1 as `ParsedSentence` wants, and choose between `a` and `an` by the word that follows."""
    words = with_articles(fragment.words)
    return ParsedSentence(tuple(words), fragment.tags, tuple(head + 1 for head in fragment.heads), fragment.labels)
