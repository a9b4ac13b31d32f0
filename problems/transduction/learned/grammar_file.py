"""A synchronous grammar as plain data for a model file's header.

`rules` with their scores, `totals` of their contexts, counts of `children`, and the weights that were `learnt` by feature. A model
with hashed weights has none of these. A `ConditionalGrammar` has the `counts` of its rules beside them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ...checks import LARGEST_MAGNITUDE, number
from ...errors import InputError, quoted
from ...storage import Fields, is_integer
from ..conditional import ConditionalGrammar
from ..grammar import Grammar
from ..rules import Pattern, Rule, frontier_size


def to_plain(grammar: Grammar) -> dict[str, Any]:
    """Lists and numbers; tuples become lists."""
    plain: dict[str, Any] = {
        "rules": [[*rule, score] for rules in grammar.rules.values() for rule, score in rules],
        "totals": [[label, below, target, total] for ((label, below), target), total in grammar._totals.items()],
        "children": [[list(context), grammar._kept[context], count] for context, count in grammar._children.items()],
        "learnt": [[list(feature), weight] for feature, weight in grammar.learnt.items()],
    }
    if isinstance(grammar, ConditionalGrammar):
        plain["counts"] = [grammar.counts[rule] for rules in grammar.rules.values() for rule, _ in rules]
    return plain


def from_plain(document: dict[str, Any]) -> Grammar:
    """The grammar of `to_plain`; anything else is an InputError, KeyError, TypeError or ValueError."""
    grammar = ConditionalGrammar(()) if "counts" in document else Grammar(())
    grammar.rules = defaultdict(list)
    for *parts, score in document["rules"]:
        rule = _rule(parts)
        grammar.rules[rule.production()].append((rule, number(score, "the score of a rule")))
    if isinstance(grammar, ConditionalGrammar):
        counts = Fields(document).integers("counts")
        if any(count < 1 for count in counts):
            raise InputError("field 'counts' must have numbers of at least 1.")
        found = (_rule(parts) for *parts, _ in document["rules"])
        grammar.counts = dict(zip(found, counts, strict=True))
    grammar._totals = {
        ((label, below if isinstance(below, str) else tuple(below)), target): _count(total)
        for label, below, target, total in document["totals"]
    }
    grammar._kept, grammar._children = Counter(), Counter()
    for context, kept, count in document["children"]:
        if not (is_integer(kept) and is_integer(count) and 0 <= kept <= count):
            raise InputError(f"{quoted(kept)} of {quoted(count)} children are kept.")
        grammar._kept[tuple(context)], grammar._children[tuple(context)] = kept, count
    for (action, *about), weight in document.get("learnt", ()):
        feature = (action, _rule(about[0])) if action == "rule" else (action, *about)
        grammar.learnt[feature] = number(weight, "a learnt weight")
    return grammar


def _rule(parts: Any) -> Rule:
    source, label, target, shape = parts
    rule = Rule(_pattern(source), label, tuple(target), _pattern(shape))
    if not isinstance(label, str) or not all(part is None or isinstance(part, str) for part in target):
        raise InputError("the labels of a rule's target must be texts.")
    if len(rule.target) != frontier_size(rule.source) or rule.source[1] is None:
        raise InputError(f"the rule {quoted(parts)} does not fit together.")
    return rule


def _count(value: Any) -> float:
    found = number(value, "a total of rules")
    if not 0.0 <= found <= LARGEST_MAGNITUDE:
        raise InputError(f"a total of rules must be at least 0, not {quoted(value)}.")
    return found


def _pattern(plain: Any) -> Pattern:
    label, below = plain
    if not isinstance(label, str):
        raise TypeError("a label must be text")
    return label, below if below is None or isinstance(below, str) else tuple(map(_pattern, below))
