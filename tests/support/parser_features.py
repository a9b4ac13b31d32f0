"""The parser's features once more, slowly and by name: a twin of the kernels to compare them with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from problems.models.hashing import feature_hash
from problems.parsing.templates import TEMPLATES
from problems.text.treebank import Sentence

WORD = 1 << 64
MULTIPLIER = 0x9E3779B97F4A7C15
Atoms = dict[str, int]


def code(value: int) -> int:
    return (value + 1) * MULTIPLIER % WORD


def far(distance: int) -> int:
    limits = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30]
    return next((number for number, limit in enumerate(limits, 1) if distance <= limit), 11)


def context(sentence: Sentence, place: int) -> tuple[str, str, str, str]:
    """The four texts of a word's context, for universal tags: each looks through the sentence anew."""
    words, coarse, fine = sentence.words, sentence.coarse, sentence.fine
    last = len(words)
    tag = lambda other: coarse[other - 1] if 1 <= other <= last else ""  # noqa: E731
    form = lambda other: words[other - 1].lower()  # noqa: E731
    link = lambda other: tag(other) in ("PUNCT", "CCONJ", "CONJ")  # noqa: E731
    subordinates = lambda other: fine[other - 1][:1] == "W" or fine[other - 1][:2] == "TO"  # noqa: E731
    introduces = lambda other: tag(other) in ("SCONJ", "ADP") or subordinates(other)  # noqa: E731
    own = tag(place)
    function = own in ("ADP", "CCONJ", "CONJ", "SCONJ", "PART", "AUX", "DET", "PRON", "PUNCT")
    lexical = form(place) if function else fine[place - 1]
    near = list(range(place - 1, max(0, place - 8), -1))
    if own in ("VERB", "AUX"):
        joins = "v"
        for other in near:
            if introduces(other):
                joins += form(other)
            elif link(other) or tag(other) == "VERB":
                joins += "<" + (form(other) if link(other) else "")
            if joins != "v":
                break
    elif function and own != "PRON":
        joins = "f" + lexical
    else:
        joins = "n"
        for other in near:
            if tag(other) == "ADP":
                joins += form(other)
            pronoun = tag(other) == "PRON" and not fine[other - 1].endswith("$")
            barrier = (link(other) and form(other) != "-") or tag(other) in ("VERB", "AUX") or pronoun
            if barrier or introduces(other):
                break
    if own == "PUNCT":
        before, behind = ({tag(k) for k in some} - {"PUNCT"} for some in (range(1, place), range(place + 1, last + 1)))
        where = "<" if not before else ">" if not behind else " "
        edge = form(place) + where + partner(sentence, place)
        return lexical, joins, edge, f"{tag(place - 1)} {tag(place + 1)}"
    touched = [form(other) if link(other) else "" for other in (place - 1, place + 1)]
    verbs = [sum(tag(k) == "VERB" for k in some) for some in (range(1, place), range(place + 1, last + 1))]
    return lexical, joins, " " + " ".join(touched), "".join(str(min(2, number)) for number in verbs)


def partner(sentence: Sentence, place: int) -> str:
    """Whether a mark opens (o) or closes (c) a pair: nesting marks by a search for the match, from the left."""
    closing = {"(": ")", "[": "]", '"': '"', "'": "'", "{": "}", "``": "''", "“": "”", "«": "»", "„": "“"}
    paired: dict[int, str] = {}
    for other in range(1, len(sentence) + 1):
        if sentence.coarse[other - 1] != "PUNCT":
            continue
        word = sentence.words[other - 1]
        for start in range(other - 1, 0, -1):
            opened = sentence.coarse[start - 1] == "PUNCT" and paired.get(start) is None
            if opened and closing.get(sentence.words[start - 1]) == word:
                for inner in range(start + 1, other):
                    paired.setdefault(inner, "")
                paired |= {start: "o", other: "c"}
                break
    return paired.get(place, "")


class Twin:
    """All features of a sentence's trees."""

    def __init__(self, sentence: Sentence, bits: int, templates: dict[str, tuple[str, ...]] = TEMPLATES) -> None:
        self.sentence, self.bits, self.templates = sentence, bits, templates

    def word(self, place: int | None) -> Atoms:
        """The atoms of a word; 0 is the root symbol, None is no word."""
        sentence, last = self.sentence, len(self.sentence)
        if place is None or not 1 <= place <= last:
            name = "none" if place is None else "root" if place == 0 else "before" if place < 0 else "behind"
            return {atom: feature_hash(f"<{name}>{atom}") for atom in "WFCSLMAGXREB"}
        word = sentence.words[place - 1].lower()
        texts = {"W": "W" + word, "F": "T" + sentence.fine[place - 1], "C": "T" + sentence.coarse[place - 1]}
        texts |= {"S": "S" + word[-3:], "L": "L" + self.of(sentence.lemmas, place).lower()}
        features = self.of(sentence.features, place)
        pairs = dict(pair.split("=") for pair in features.split("|") if pair)
        agreement = [pairs[key] for key in ("Gender", "Number", "Person") if key in pairs]
        texts |= {"M": "M" + features, "A": "A" + pairs.get("Case", ""), "G": "G" + "|".join(agreement)}
        texts |= {atom: atom + text for atom, text in zip("XREB", context(sentence, place), strict=True)}
        return {atom: feature_hash(text) for atom, text in texts.items()}

    def of(self, texts: tuple[str, ...], place: int) -> str:
        return texts[place - 1] if texts else ""

    def named(self, names: str, *places: int | None) -> Atoms:
        found = {}
        for name, place in zip(names, places, strict=True):
            found |= {name + atom: value for atom, value in self.word(place).items()}
        return found

    def features(self, kind: str, atoms: Atoms, side: int, span: int | None = None) -> Iterator[int]:
        for template in self.templates[kind]:
            value = feature_hash(f"{kind}: {template.rstrip('*')}")
            for name in template.rstrip("*").split():
                value = (value ^ atoms[name]) * MULTIPLIER % WORD
            for closing in (side, span) if template.endswith("*") else (side,):
                assert closing is not None
                yield ((value ^ code(closing)) * MULTIPLIER % WORD) >> (64 - self.bits)

    def arc(self, head: int, modifier: int) -> Iterator[int]:
        low, high = sorted((head, modifier))
        atoms = self.named("hm", head, modifier)
        for name, place in (("h", head), ("m", modifier)):
            for sign, other in (("-", place - 1), ("+", place + 1)):
                around = self.word(other)
                atoms |= {f"{name}{sign}F": around["F"], f"{name}{sign}C": around["C"]}
        tags = self.sentence.coarse[low : high - 1]
        groups = {"V": ("VERB", "AUX"), "P": ("PUNCT",), "N": ("CCONJ", "CONJ")}
        for number, (name, group) in enumerate(groups.items()):
            atoms[name] = code(100 + 10 * number + min(3, sum(tag in group for tag in tags)))
        right = int(modifier > head)
        span = 2 + 2 * (0 if head == 0 else far(high - low)) + right
        yield from self.features("arc", atoms, right, span)
        for between in range(low + 1, high):
            inside = self.word(between)
            yield from self.features("between", {**atoms, "bF": inside["F"], "bC": inside["C"]}, right, span)

    def pair(self, kind: str, head: int, first: int | None, second: int | None, right: int) -> Iterator[int]:
        start = head if first is None else first
        span = 2 + 2 * (0 if second is None else far(abs(second - start))) + right
        yield from self.features(kind, self.named("hms", head, first, second), right, span)

    def tree(self, heads: tuple[int, ...], order: str) -> Counter[int]:
        found: Counter[int] = Counter()
        words = range(1, len(heads) + 1)
        for word in words:
            found.update(self.arc(heads[word - 1], word))
        if order == "1":
            return found
        for head in range(len(heads) + 1):
            for right in (0, 1) if head else (1,):
                chain = [word for word in words if heads[word - 1] == head and (word > head) == bool(right)]
                self.chain(found, heads, head, right, chain if right else chain[::-1], order)
        if order in ("2+", "3"):
            for word in words[:-1]:
                found.update(self.bigram(word, heads[word - 1], heads[word]))
        return found

    def chain(
        self, found: Counter[int], heads: tuple[int, ...], head: int, right: int, chain: list[int], order: str
    ) -> None:
        """All parts of the modifiers on one side of a head."""
        above = heads[head - 1] if head else None
        padded = [None, *chain, None]
        for before, after in pairwise(padded):
            found.update(self.pair("sibling", head, before, after, right))
            if above is not None and order == "3":
                beyond = int(after is not None and (above < after) != (above < head))
                side = 4 * beyond + 2 * right + (above < head)
                atoms = self.named("ghms", above, head, before, after)
                found.update(self.features("grand-sibling", atoms, side))
        for modifier in chain:
            if above is not None:
                side = 4 * (above < head) + 2 * (head < modifier) + (above < modifier)
                span = 8 + 8 * (0 if above == 0 else far(abs(above - modifier))) + side
                found.update(self.features("grandparent", self.named("ghm", above, head, modifier), side, span))
        if order in ("2+", "3"):
            for number, modifier in enumerate(chain):
                for other in chain[number + 1 :]:
                    found.update(self.pair("any sibling", head, modifier, other, right))
        if order == "3":
            for number, modifier in enumerate(chain, 1):
                atoms = self.named("hmst", head, padded[number - 1], modifier, padded[number + 1])
                found.update(self.features("tri-sibling", atoms, right))

    def bigram(self, word: int, head: int, next_head: int) -> Iterator[int]:
        how = 4 if head < next_head else 0
        for number, holds in ((3, next_head == word), (2, head == word + 1), (1, head == next_head)):
            how = number if holds else how
        side = 4 * how + 2 * (head > word) + (next_head > word + 1)
        near = 3 * min(abs(head - word), 3) + min(abs(next_head - word - 1), 3)
        atoms = self.named("himn", head, next_head, word, word + 1)
        yield from self.features("bigram", atoms, side, 32 + 32 * near + side)
