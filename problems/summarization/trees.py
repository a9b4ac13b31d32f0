"""Facts about the words of a dependency tree that features and editors ask for."""

from __future__ import annotations

from ..text.sentence import ParsedSentence
from ..text.words import NEGATIONS

NAMES_AND_NUMBERS = ("NNP", "NNPS", "PROPN", "CD", "NUM")


class Tree:
    """Of each word (0 is the dummy): modifiers, depth, size of the subtree, and whether that has a negation, a name or a number.

    `order` has every word after its head.
    """

    def __init__(self, sentence: ParsedSentence) -> None:
        count = len(sentence) + 1
        self.below: list[list[int]] = [[] for _ in range(count)]
        for word, head in enumerate(sentence.heads, 1):
            self.below[head].append(word)
        self.depths, self.sizes = [0] * count, [1] * count
        self.negated, self.informative = [False] * count, [False] * count
        self.order = [0]
        for word in self.order:
            self.order.extend(self.below[word])
            for modifier in self.below[word]:
                self.depths[modifier] = self.depths[word] + 1
        for word in reversed(self.order[1:]):
            self.negated[word] |= sentence.words[word - 1].lower() in NEGATIONS
            self.informative[word] |= sentence.tags[word - 1] in NAMES_AND_NUMBERS
            head = sentence.heads[word - 1]
            self.sizes[head] += self.sizes[word]
            self.negated[head] |= self.negated[word]
            self.informative[head] |= self.informative[word]
