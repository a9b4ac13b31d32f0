"""What the source tree says of each word: token features beyond Table 1 of Qian & Liu (2014), as texts.

In the paper only arcs see the source tree. But whether a word survives depends on its place in the sentence, on the clause and the branch
below the root that it belongs to, on its label and on what governs it: the "soft syntactic evidence" of McDonald (2006). These facts
are of single words, so no decoder changes; bigrams get theirs in compiled code (`problems/kernels/compression_syntax.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from ..text.sentence import ParsedSentence

CLAUSES = frozenset({"root", "ccomp", "xcomp", "csubj", "advcl", "acl", "conj", "parataxis", "appos", "SBAR", "COORD"})
"""Relations whose modifiers begin a clause or another piece of news (Universal Dependencies, and those of generated sentences)."""
OPENING, CLOSING, QUOTES = (
    frozenset("([{"),
    frozenset(")]}"),
    frozenset({'"', "'", "`", "``", "''", "\u201c", "\u201d"}),
)
DEEPEST, FURTHEST = 6, 15


class Word(NamedTuple):
    """A word of a tree; 0 stands for the root symbol."""

    text: str
    tag: str
    label: str
    head: int
    depth: int
    top: int  # the word below the tree's root whose subtree it is in; the root itself is its own
    clause: int  # the nearest word above it, or itself, that begins a clause
    clauses: int  # how many such words there are from it up to the root symbol


ROOT = Word("<root>", "<root>", "<root>", 0, 0, 0, 0, 0)


def words_of(sentence: ParsedSentence) -> list[Word]:
    """The root symbol, then the words."""
    heads = (0, *sentence.heads)
    found: list[Word | None] = [ROOT, *[None] * len(sentence)]
    for start in range(1, len(heads)):
        way = [start]
        while found[way[-1]] is None:
            way.append(heads[way[-1]])
        for word in reversed(way[:-1]):
            above = found[heads[word]]
            assert above is not None
            label = sentence.labels[word - 1]
            begins = label.partition(":")[0] in CLAUSES or heads[word] == 0
            found[word] = Word(
                sentence.words[word - 1].lower(),
                sentence.tags[word - 1],
                label,
                heads[word],
                above.depth + 1,
                word if above.depth <= 1 else above.top,
                word if begins else above.clause,
                above.clauses + begins,
            )
    return [word for word in found if word is not None]


def spans_of(sentence: ParsedSentence) -> tuple[list[int], list[int], list[int]]:
    """From position 0 on: the first and the last word of each subtree, and how many words it has."""
    words = words_of(sentence)
    first, last, size = list(range(len(words))), list(range(len(words))), [1] * len(words)
    for word in sorted(range(1, len(words)), key=lambda each: -words[each].depth):
        head = words[word].head
        first[head], last[head] = min(first[head], first[word]), max(last[head], last[word])
        size[head] += size[word]
    return first, last, size


def shape(text: str) -> str:
    """Capitals, digits, marks."""
    if not any(map(str.isalnum, text)):
        return "mark"
    if any(map(str.isdigit, text)):
        return "number"
    if len(text) > 1 and text.isupper():
        return "capitals"
    return "capital" if text[0].isupper() else "small"


def coarse(number: int) -> int:
    """0 to 4 are themselves, then 5 to 7, 8 to 12, 13 to 20, and all others."""
    return number if number < 5 else 5 if number < 8 else 6 if number < 13 else 7 if number < 21 else 8


def token_facts(sentence: ParsedSentence) -> list[list[str]]:
    """The features of each word."""
    words, count = words_of(sentence), len(sentence)
    size = spans_of(sentence)[2]
    children: list[list[int]] = [[] for _ in words]
    for place, word in enumerate(words[1:], 1):
        children[word.head].append(place)
    root = children[0][0]
    enclosed, commas = _marks(sentence.words)
    seen: set[str] = set()
    found = []
    for place, word in enumerate(words[1:], 1):
        head, text, tag, label = words[word.head], word.text, word.tag, word.label
        above, top, clause = words[head.head], words[word.top], words[word.clause]
        side, depth = "<" if word.head > place else ">", min(word.depth, DEEPEST)
        form = shape(sentence.words[place - 1])
        root_side = "=" if place == root else "<" if place < root else ">"
        rank = sum(other < word.top for other in children[root]) if word.top != root else -1
        governor = words[clause.head]
        here = [
            f"l {label}",
            f"l t {label} {tag}",
            f"l w {label} {text}",
            f"l side {label} {side}",
            f"l l {label} {head.label}",
            f"l l l {label} {head.label} {above.label}",
            f"l t t {label} {tag} {head.tag}",
            f"l h {label} {head.text}",
            f"w h {text} {head.text}",
            f"depth {depth}",
            f"depth l {depth} {label}",
            f"depth t {depth} {tag}",
            f"size l {coarse(size[place])} {label}",
            f"size depth {coarse(size[place])} {depth}",
            f"place {min(place, FURTHEST)}",
            f"place l {coarse(place)} {label}",
            f"place t {coarse(place)} {tag}",
            f"rest {min(count - place, FURTHEST)}",
            f"rest t {coarse(count - place)} {tag}",
            f"share {10 * place // (count + 1)}",
            f"share depth {10 * place // (count + 1)} {depth}",
            f"count {coarse(count // 5)} {10 * place // (count + 1)}",
            f"root {root_side} {label}",
            f"root far {root_side} {coarse(abs(place - root))}",
            f"root far t {root_side} {coarse(abs(place - root))} {tag}",
            f"root w {words[root].text} {root_side}",
            f"top {top.label} {root_side}",
            f"top rank {top.label} {min(rank, 5)}",
            f"top l {top.label} {label} {depth}",
            f"top w {top.text} {depth}",
            f"top size {top.label} {coarse(size[word.top])}",
            f"top root {top.label} {words[root].text}",
            f"clause {clause.label} {min(word.clauses, 4)}",
            f"clause l {clause.label} {label}",
            f"clause w {clause.label} {clause.text}",
            f"clause t {clause.label} {clause.tag} {tag}",
            f"clause governor {clause.label} {governor.text}",
            f"clause far {clause.label} {coarse(abs(place - word.clause))}",
            f"clause size {clause.label} {coarse(size[word.clause])} {coarse(word.clause)}",
            f"shape {form} {tag}",
            f"shape l {form} {label}",
            f"shape near {form} {_shape_at(sentence, place - 1)} {_shape_at(sentence, place + 1)}",
            f"again {text in seen} {tag}",
            f"enclosed {enclosed[place - 1]}",
            f"commas {min(commas[place - 1], 3)} {min(commas[-1] - commas[place - 1], 3)}",
            f"commas l {min(commas[place - 1], 3)} {label}",
            f"l next {label} {_label_at(words, place + 1)}",
            f"l before {label} {_label_at(words, place - 1)}",
            f"end {text[-3:]} {label}",
            *(f"below {tag} {each}" for each in sorted({words[child].label for child in children[place]})),
        ]
        seen.add(text)
        found.append(here)
    return found


def _label_at(words: list[Word], place: int) -> str:
    return words[place].label if 0 < place < len(words) else "<none>"


def _shape_at(sentence: ParsedSentence, place: int) -> str:
    return shape(sentence.words[place - 1]) if 0 < place <= len(sentence) else "<none>"


def _marks(texts: tuple[str, ...]) -> tuple[list[str], list[int]]:
    """Of each word: in parentheses or quotation marks; how many commas stand before it."""
    depth, quoted, commas = 0, False, 0
    enclosed, before = [], []
    for text in texts:
        depth += text in OPENING
        quoted ^= text in QUOTES
        enclosed.append(f"{min(depth, 1)} {quoted}")
        before.append(commas)
        depth = max(0, depth - (text in CLOSING))
        commas += text == ","
    return enclosed, before
