"""Words as a line of text."""

from __future__ import annotations

from collections.abc import Sequence

SPOKEN_LIKE_YOU = ("union", "unit", "univers", "unanim", "uniq", "unif", "use", "usu", "util", "euro", "one", "once")
CLOSING = frozenset(".,;:!?%)'") | {"''", "'s", "n't", "..."}


def as_sentence(words: Sequence[str]) -> str:
    """A sentence: first letter capitalised, punctuation closed up, a period at the end.

    Where words were deleted, "a" and "an" are made to fit the word that follows now.
    """
    line = ""
    for word in with_articles(words):
        line += word if not line or word in CLOSING else " " + word
    if not line:
        return line
    line = line[0].upper() + line[1:]
    return line if line[-1] in ".!?" else line + "."


def with_articles(words: Sequence[str]) -> list[str]:
    """The words with every indefinite article in the form that its neighbour asks for."""
    fixed = list(words)
    for index, word in enumerate(words[:-1]):
        if word in ("a", "an"):
            fixed[index] = "an" if starts_with_vowel_sound(words[index + 1]) else "a"
    return fixed


def starts_with_vowel_sound(word: str) -> bool:
    if word.isdigit():
        return word.startswith("8") or word in ("11", "18")
    lower = word.lower()
    return (lower[:1] in tuple("aeiou") and not lower.startswith(SPOKEN_LIKE_YOU)) or lower.startswith(
        ("hour", "honest", "heir")
    )
