"""Local search for extracts: the `search` rounding of extractive summarization."""

from __future__ import annotations

from .cache import inner, kernel

EPSILON = 1e-9


@inner
def flip(starts, concepts, scores, active, selected, sentence):
    """Select or drop a sentence; returns the change of the objective."""
    change = 0.0
    step = -1 if selected[sentence] else 1
    selected[sentence] = not selected[sentence]
    for entry in range(starts[sentence], starts[sentence + 1]):
        concept = concepts[entry]
        active[concept] += step
        if step > 0 and active[concept] == 1:
            change += scores[concept]
        elif step < 0 and active[concept] == 0:
            change -= scores[concept]
    return change


@inner
def fill(starts, concepts, scores, lengths, room, candidates, active, selected, barred):
    """Add what gains most per word while it fits; the sentence `barred` stays out."""
    total = 0.0
    while True:
        best = -1
        best_ratio = 0.0
        for sentence in candidates:
            if selected[sentence] or sentence == barred or lengths[sentence] > room:
                continue
            gain = 0.0
            for entry in range(starts[sentence], starts[sentence + 1]):
                if active[concepts[entry]] == 0:
                    gain += scores[concepts[entry]]
            if gain > EPSILON and gain > best_ratio * lengths[sentence]:
                best = sentence
                best_ratio = gain / max(lengths[sentence], 1)
        if best < 0:
            return total
        total += flip(starts, concepts, scores, active, selected, best)
        room -= lengths[best]


@kernel
def search(starts, concepts, scores, lengths, budget, candidates, active, selected, rounds):
    """Improve `selected` in place; `active` (selected sentences per concept) starts at zero.

    A move drops one selected sentence (or none), selects another one (or none) and fills the room that is left. Moves that
    improve are made at once; the search ends when a whole round has brought nothing.
    """
    used = 0
    for sentence in range(len(selected)):
        if selected[sentence]:
            selected[sentence] = False
            flip(starts, concepts, scores, active, selected, sentence)
            used += lengths[sentence]
    fill(starts, concepts, scores, lengths, budget - used, candidates, active, selected, -1)
    best = selected.copy()
    count = len(candidates)
    for _ in range(rounds):
        improved = False
        for out_index in range(count + 1):
            for in_index in range(count + 1):
                out = -1 if out_index == count else candidates[out_index]
                new = -1 if in_index == count else candidates[in_index]
                if (out >= 0 and not selected[out]) or (new >= 0 and selected[new]):
                    continue
                used = 0
                for sentence in candidates:
                    if selected[sentence]:
                        used += lengths[sentence]
                change = 0.0
                if out >= 0:
                    used -= lengths[out]
                    change += flip(starts, concepts, scores, active, selected, out)
                if new >= 0:
                    used += lengths[new]
                    change += flip(starts, concepts, scores, active, selected, new)
                if used <= budget:
                    room = budget - used
                    change += fill(starts, concepts, scores, lengths, room, candidates, active, selected, out)
                if used <= budget and change > EPSILON:
                    for sentence in candidates:
                        best[sentence] = selected[sentence]
                    improved = True
                else:
                    for sentence in candidates:
                        if best[sentence] != selected[sentence]:
                            flip(starts, concepts, scores, active, selected, sentence)
        if not improved:
            break
