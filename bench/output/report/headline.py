"""What a run shows, in sentences: the fastest solver of each task, by how much, and who failed."""

from __future__ import annotations

from typing import Any

from ...records.fields import FAILURES
from .groups import Group, Summary, summarized
from .numbers import counted, listed, number, present, seconds


def headline(group: Group, time: str) -> list[str]:
    """Sentences about one task. Solvers that solved more instances come first, then the faster ones."""
    count = group.cells["instance_digest"].nunique()
    if not count:
        return ["There is no untraced cell, so that there are no times to compare."]
    sentences = []
    provers = _ranked(group.proved)
    answerers = _ranked(group.answered)
    if provers:
        sentences += _race(group, provers, group.proved, time, count, {"optimal"}, "prove optimality on", "the optimum")
    else:
        sentences.append(f"No solver proved an optimum on any of the {counted(count, 'instance')}.")
    if answerers and answerers[:1] != provers[:1]:
        sentences += _race(group, answerers, group.answered, time, count, None, "give a valid answer on", "an answer")
    if answerers:
        sentences.append(_worth(group.answered, answerers[0]))
    return [sentence for sentence in [*sentences, *_failures(group, count)] if sentence]


def _ranked(table: Summary) -> list[str]:
    """Labels that solved something: most instances first, among equals the smallest shifted geometric mean."""
    some = [label for label, row in table.items() if row["solved"] > 0 and present(row["sgm"])]
    return sorted(some, key=lambda label: (-table[label]["solved"], table[label]["sgm"]))


def _race(
    group: Group,
    ranked: list[str],
    table: Summary,
    time: str,
    count: int,
    solved: set[str] | None,
    verb: str,
    goal: str,
) -> list[str]:
    first = ranked[0]
    most = int(table[first]["solved"])
    equals = [label for label in ranked if table[label]["solved"] == most]
    how_many = f"all {counted(count, 'instance')}" if most == count else f"{most:,} of {counted(count, 'instance')}"
    if count == 1:
        how_many = "the only instance"
    took = f"shifted geometric mean {seconds(table[first]['sgm'])}"
    who = f"Of the {len(equals)} solvers that {verb}" if len(equals) > 1 else f"The only solver to {verb}"
    lead = f"{who} {how_many}, {first} is the fastest ({took})."
    if len(equals) == 1:
        lead = f"{who} {how_many} is {first} ({took})."
    if most < count and len(equals) == 1:
        lead = f"Most often, on {how_many}, {first} finds {goal} ({took})."
    return [lead] if len(ranked) == 1 else [lead, _against(group, first, ranked[1], table, time, solved)]


def _against(group: Group, first: str, second: str, table: Summary, time: str, solved: set[str] | None) -> str:
    """How many times as long the next one takes, instance by instance."""
    pair = group.records[group.records["label"].isin([first, second])]
    row = summarized(pair, time, baseline=first, solved=solved)[second]
    ratio, low, high = (row[f"ratio_baseline{end}"] for end in ("", "_low", "_high"))
    if not present(ratio):
        return f"The next, {second}, has no instance in common with it."
    fewer = int(table[first]["solved"] - table[second]["solved"])
    behind = f", which solved {counted(fewer, 'instance')} fewer," if fewer else ""
    interval = f", 95 % interval {number(low)} to {number(high)}" if present(low) else ""
    said = f"(median of {counted(int(row['ratio_baseline_pairs']), 'paired ratio')}{interval})"
    if present(low) and low <= 1 <= high:
        return f"The next, {second}{behind or ','} does not clearly differ: {number(ratio)} times its time {said}."
    if ratio < 1:
        return f"The next, {second}{behind or ','} is {number(1 / ratio)} times as fast in the median {_inverse(row)}."
    return f"The next, {second}{behind or ','} takes {number(ratio)} times as long {said}."


def _inverse(row: dict[str, Any]) -> str:
    low, high = row["ratio_baseline_low"], row["ratio_baseline_high"]
    return f"(95 % interval {number(1 / high)} to {number(1 / low)})" if present(low) else ""


def _worth(table: Summary, label: str) -> str:
    """How good the fastest answers are, where they are not the best known."""
    share, scored = table[label]["share"], int(table[label]["scored"])
    if not present(share) or share > 100 - 1e-4:
        return ""
    return f"The answers of {label} reach {number(share, 4)} % of the best known objective on average ({counted(scored, 'instance')})."


def _failures(group: Group, count: int) -> list[str]:
    said = []
    for label, row in group.answered.items():
        missed = int(row["cells"] - row["solved"])
        if missed:
            kinds = [f"{int(row[status])} {status}" for status in FAILURES if row[status]]
            kinds += [f"{int(row['wrong'])} wrong"] if row["wrong"] else []
            known = f" ({', '.join(kinds)})" if kinds else ""
            said.append(f"{label} on {missed:,} of {int(row['cells']):,}{known}")
    untried = [
        f"{label} ({count - int(row['cells']):,})" for label, row in group.answered.items() if row["cells"] < count
    ]
    sentences = [
        f"No valid answer: {listed(said, most=20)}." if said else "Every solver gave a valid answer wherever it ran."
    ]
    if untried:
        sentences.append(f"Instances not tried: {listed(untried, most=20)}.")
    return sentences
