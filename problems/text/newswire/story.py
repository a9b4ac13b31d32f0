"""What an event type is: its roles, its facts from the most to the least important, and the voices around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    """One thing that is true of an event, in several wordings.

    A standing fact is true at any time, so it is never dated; a consequence came after the event, so that a sentence
    may add "after the ferry sank".
    """

    wordings: tuple[str, ...]
    standing: bool = False
    consequence: bool = False


@dataclass(frozen=True)
class EventType:
    """A kind of story. `circumstances` are adjuncts that fit most of its sentences, `sources` are those who speak."""

    name: str
    cast: Mapping[str, str]
    facts: tuple[Fact, ...]
    circumstances: tuple[str, ...]
    sources: tuple[str, ...]
    calamity: bool


def read_items(text: str) -> tuple[str, ...]:
    """Items start with `-`, `+` or `*`; a line that starts with none of these goes on with the item before."""
    items: list[str] = []
    for line in text.strip().splitlines():
        stripped = line.strip()
        if stripped.startswith(("- ", "+ ", "* ")):
            items.append(stripped[2:])
        else:
            items[-1] += " " + stripped
    return tuple(items)


def read_facts(text: str) -> tuple[Fact, ...]:
    """Facts are paragraphs whose items are wordings; `*` marks a standing fact and `+` a consequence."""
    paragraphs = [paragraph.strip() for paragraph in text.strip().split("\n\n")]
    return tuple(Fact(read_items(part), part.startswith("*"), part.startswith("+")) for part in paragraphs)
