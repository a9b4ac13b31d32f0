"""Interpolated modified Kneser-Ney from its definition, with dictionaries: the oracle of `problems.language.estimate`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

Gram = tuple[str, ...]


class SlowModel:
    def __init__(self, sentences: Sequence[Sequence[str]], order: int) -> None:
        self.order = order
        self.raw: dict[int, Counter[Gram]] = {k: Counter() for k in range(1, order + 1)}
        for sentence in sentences:
            padded = ("<s>", *sentence, "</s>")
            for k in range(1, order + 1):
                for at in range(len(padded) - k + 1):
                    self.raw[k][padded[at : at + k]] += 1
        self.words = sorted({word for sentence in sentences for word in sentence} | {"<unk>", "</s>"})
        self.adjusted = {k: self._adjusted(k) for k in range(1, order + 1)}
        self.discounts = {k: self._discounts(self.adjusted[k]) for k in self.adjusted}
        self.followers: dict[int, dict[Gram, dict[str, int]]] = {}
        for k, counts in self.adjusted.items():
            followers: dict[Gram, dict[str, int]] = defaultdict(dict)
            for gram, count in counts.items():
                followers[gram[:-1]][gram[-1]] = count
            self.followers[k] = followers

    def _adjusted(self, k: int) -> dict[Gram, int]:
        if k == self.order:
            return {gram: count for gram, count in self.raw[k].items() if gram != ("<s>",)}
        before: dict[Gram, set[str]] = defaultdict(set)
        for gram in self.raw[k + 1]:
            before[gram[1:]].add(gram[0])
        counts = {gram: len(found) for gram, found in before.items()}
        if k > 1:
            counts.update({gram: count for gram, count in self.raw[k].items() if gram[0] == "<s>"})
        return counts

    def _discounts(self, counts: dict[Gram, int]) -> list[float]:
        n = Counter(counts.values())
        if n[1] and n[2] and n[3]:
            y = n[1] / (n[1] + 2 * n[2])
            found = [k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)]
            if all(0 < each <= k for k, each in enumerate(found, 1)):
                return found
        return [0.5, 1.0, 1.5]

    def probability(self, word: str, context: Gram) -> float:
        context = context[len(context) - min(len(context), self.order - 1) :]
        lower = self.probability(word, context[1:]) if context else 1.0 / len(self.words)
        followers = self.followers[len(context) + 1].get(context)
        if not followers:
            return lower
        discounts = [0.0, *self.discounts[len(context) + 1]]
        total = sum(followers.values())
        freed = sum(discounts[min(count, 3)] for count in followers.values())
        count = followers.get(word, 0)
        return (count - discounts[min(count, 3)]) / total + freed / total * lower
