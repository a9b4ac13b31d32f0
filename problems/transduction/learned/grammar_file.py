"""A synchronous grammar as plain data for a model file's header: rules, totals of their contexts, counts of children."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ..grammar import Grammar
from ..rules import Pattern, Rule


def to_plain(grammar: Grammar) -> dict[str, Any]:
    """Lists and numbers; tuples become lists."""
    return {
        "rules": [[*rule, score] for rules in grammar.rules.values() for rule, score in rules],
        "totals": [[label, below, target, total] for ((label, below), target), total in grammar._totals.items()],
        "children": [[list(context), grammar._kept[context], count] for context, count in grammar._children.items()],
    }


def from_plain(document: dict[str, Any]) -> Grammar:
    """The grammar of `to_plain`; anything else is a KeyError, TypeError or ValueError."""
    grammar = Grammar(())
    grammar.rules = defaultdict(list)
    for source, label, target, shape, score in document["rules"]:
        rule = Rule(_pattern(source), str(label), tuple(target), _pattern(shape))
        grammar.rules[rule.production()].append((rule, float(score)))
    grammar._totals = {
        ((label, below if isinstance(below, str) else tuple(below)), target): float(total)
        for label, below, target, total in document["totals"]
    }
    grammar._kept, grammar._children = Counter(), Counter()
    for context, kept, count in document["children"]:
        if not 0 <= kept <= count:
            raise ValueError(f"{kept} of {count} children are kept")
        grammar._kept[tuple(context)], grammar._children[tuple(context)] = kept, count
    return grammar


def _pattern(plain: Any) -> Pattern:
    label, below = plain
    if not isinstance(label, str):
        raise TypeError("a label must be text")
    return label, below if below is None or isinstance(below, str) else tuple(map(_pattern, below))
