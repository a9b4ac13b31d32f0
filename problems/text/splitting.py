"""Plain English text to sentences and words, by a few rules that can be read.

A sentence ends at a period, question or exclamation mark (with closing quotes or brackets) before white space and a capital
letter, digit or opening quote. A period does not end it after a title ("Mr.") or an initial ("George W. Bush"). After
another abbreviation ("U.S.", "Dec.", "Inc.") it does only if the next word is a function word with a capital, as "The" is:
"the U.S. Senate" goes on, "in the U.S. The law" does not.
"""

from __future__ import annotations

import re

from .words import is_function_word

TITLES = re.compile(
    "Adm|Brig|Bros|Capt|Cmdr|Col|Cpl|Cpt|Dr|Fr|Ft|Gen|Gov|Hon|Lt|Maj|Messrs|Mlle|Mme|Mr|Mrs|Ms|Msgr|Mt|Pfc|Pres|Prof|"
    "Pvt|Reps?|Rev|Sens?|Sgt|Spc|St|Supt"
)
ABBREVIATIONS = re.compile(
    "Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|Sun|Mon|Tues?|Wed|Thurs?|Fri|Sat|Assn|Ave|Blvd|Co|Corp|Dept|Inc|Jr|Ltd|Nos?|"
    "Rd|Sr|Univ|al|approx|dept|est|etc|pp?|sq|vol|vs|(?:[A-Za-z]{1,2}[.])+[A-Za-z]{1,2}"
)

NEAR = 100  # characters around a period that tell whether it ends a sentence
_END = re.compile(
    r"""(?<![.!?\u2026])(?P<mark>[.!?\u2026]+)["'\u201d\u2019)\]]*\s+(?=["'\u201c\u2018(\[]*[A-Z0-9\u00c0-\u00de])"""
)
_LAST_WORD = re.compile(r"[\w.'\u2019-]*$")
_NEXT_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+(?:[.,'\u2019-]\w+)*|[^\w\s]")
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(rf"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s+)?(?:{_MONTH})\s+\d{{1,2}},?\s+\d{{4}}\.?")


def sentences_of(paragraph: str) -> list[str]:
    """The sentences of a paragraph, with single spaces between words."""
    text = " ".join(paragraph.split())
    found, start = [], 0
    for match in _END.finditer(text):
        near = text[max(start, match.start() - NEAR) : match.start()], text[match.end() : match.end() + NEAR]
        if match["mark"] == "." and _goes_on(*near):
            continue
        found.append(text[start : match.end()].strip())
        start = match.end()
    if text[start:]:
        found.append(text[start:])
    return found


def _goes_on(before: str, after: str) -> bool:
    """Is the period between these two the end of an abbreviation only?"""
    word = _LAST_WORD.search(before)
    last = word[0].strip("'\u2019-") if word else ""
    if TITLES.fullmatch(last) or (len(last) == 1 and last.isupper() and last != "I"):
        return True
    if not ABBREVIATIONS.fullmatch(last):
        return False
    following = _NEXT_WORD.search(after)
    return following is None or not is_function_word(following[0])


def tokens_of(sentence: str) -> tuple[str, ...]:
    """Words (with inner periods, commas, hyphens and apostrophes) and single punctuation marks."""
    return tuple(_TOKEN.findall(sentence))


def is_date(line: str) -> bool:
    """Is a line nothing but a date?"""
    return _DATE.fullmatch(line.strip()) is not None
