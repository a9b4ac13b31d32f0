"""Local search for compressive summaries, from any feasible summary upwards (the `search` rounding).

Undeletable arcs are contracted: a *unit* is a set of nodes that are kept or deleted together. Because deletion scores are
linear, psi * (z_parent - z_child), a summary's objective is the sum of its units' own worths plus the scores of the
covered concepts; what remains is coverage under a budget, where no unit is kept without its parent unit. Units are in
preorder, so "leave this unit" jumps over its whole subtree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .cache import inner, kernel

EPSILON = 1e-9
ALMOST = 1.0 - 1e-12  # a gain per word below this share of the best one cannot be better after rounding


class Problem(NamedTuple):
    """The instance in terms of units; unit_* arrays are indexed by unit, token and concept arrays by theirs."""

    unit_first: Any  # first unit of each sentence, and the number of units at the end
    unit_sentence: Any
    unit_parent: Any
    unit_end: Any  # first unit after the subtree
    unit_cost: Any
    unit_worth: Any
    unit_token_starts: Any
    unit_tokens: Any
    token_starts: Any
    token_units: Any
    token_concepts: Any
    concept_scores: Any
    concept_starts: Any  # where each concept's sentences begin in concept_sentences
    concept_sentences: Any
    budget: int
    max_sentences: int


class State(NamedTuple):
    """A summary: kept units, units missing per token, complete tokens per concept; counts = words, sentences.

    What adding or deleting a unit would change is remembered until something that it depends on has changed: the sentence's
    own units, whether its concepts are covered (gains), how often they are (losses).
    """

    kept: Any
    missing: Any
    active: Any
    counts: Any
    mark: Any  # complete tokens that would go, per concept; zero between uses
    gain: Any  # of adding each unit with those above it,
    gain_cost: Any  # in words
    best_gain: Any  # per word, of a sentence's units
    loss: Any  # of deleting each unit with those below it,
    freed: Any  # in words
    gains_known: Any  # per sentence
    losses_known: Any


@inner
def toggle(problem, state, unit, keep):
    """Keep or delete one unit; returns the change of the objective."""
    sign = 1 if keep else -1
    state.kept[unit] = keep
    state.counts[0] += sign * problem.unit_cost[unit]
    if problem.unit_parent[unit] < 0:
        state.counts[1] += sign
    change = sign * problem.unit_worth[unit]
    state.gains_known[problem.unit_sentence[unit]] = False
    state.losses_known[problem.unit_sentence[unit]] = False
    for entry in range(problem.unit_token_starts[unit], problem.unit_token_starts[unit + 1]):
        token = problem.unit_tokens[entry]
        concept = problem.token_concepts[token]
        if keep:
            state.missing[token] -= 1
            if state.missing[token] == 0:
                state.active[concept] += 1
                forget(problem, state, concept, state.active[concept] == 1)
                if state.active[concept] == 1:
                    change += problem.concept_scores[concept]
        else:
            if state.missing[token] == 0:
                state.active[concept] -= 1
                forget(problem, state, concept, state.active[concept] == 0)
                if state.active[concept] == 0:
                    change -= problem.concept_scores[concept]
            state.missing[token] += 1
    return change


@inner
def forget(problem, state, concept, covered_changed):
    """A concept's complete tokens have changed in number: what is known of its sentences no longer holds."""
    for entry in range(problem.concept_starts[concept], problem.concept_starts[concept + 1]):
        sentence = problem.concept_sentences[entry]
        state.losses_known[sentence] = False
        if covered_changed:
            state.gains_known[sentence] = False


@inner
def move_to(problem, state, target):
    """Make the kept units equal to `target`; returns the change of the objective. A sentence without its first unit has none."""
    change = 0.0
    for sentence in range(len(problem.unit_first) - 1):
        if state.kept[problem.unit_first[sentence]]:
            for unit in range(problem.unit_first[sentence], problem.unit_first[sentence + 1]):
                if state.kept[unit] and not target[unit]:
                    change += toggle(problem, state, unit, False)
    for sentence in range(len(problem.unit_first) - 1):
        if target[problem.unit_first[sentence]]:
            for unit in range(problem.unit_first[sentence], problem.unit_first[sentence + 1]):
                if target[unit] and not state.kept[unit]:
                    change += toggle(problem, state, unit, True)
    return change


@inner
def delete_subtree(problem, state, unit):
    """Delete a kept unit and all that hangs from it; returns the change of the objective."""
    change = 0.0
    for below in range(unit, problem.unit_end[unit]):
        if state.kept[below]:
            change += toggle(problem, state, below, False)
    return change


@inner
def loss_of_subtree(problem, state, unit):
    """(change of the objective, words freed) if the subtree of a kept unit were deleted; the state stays as it is."""
    change = 0.0
    freed = 0
    mark = state.mark
    end = problem.unit_end[unit]
    for below in range(unit, end):
        if not state.kept[below]:
            continue
        change -= problem.unit_worth[below]
        freed += problem.unit_cost[below]
        for entry in range(problem.unit_token_starts[below], problem.unit_token_starts[below + 1]):
            token = problem.unit_tokens[entry]
            # a token of several units of the subtree counts with its last one only
            if state.missing[token] == 0 and below == last_within(problem, token, end):
                concept = problem.token_concepts[token]
                mark[concept] += 1
                if mark[concept] == state.active[concept]:
                    change -= problem.concept_scores[concept]
    for below in range(unit, end):
        if state.kept[below]:
            for entry in range(problem.unit_token_starts[below], problem.unit_token_starts[below + 1]):
                mark[problem.token_concepts[problem.unit_tokens[entry]]] = 0
    return change, freed


@inner
def last_within(problem, token, end):
    """The last unit of a token before `end` (units of a token are in preorder)."""
    last = -1
    for entry in range(problem.token_starts[token], problem.token_starts[token + 1]):
        if problem.token_units[entry] < end:
            last = problem.token_units[entry]
    return last


@inner
def know_losses(problem, state, sentence):
    """What deleting the subtree of each kept unit of a sentence would change."""
    if state.losses_known[sentence]:
        return
    for unit in range(problem.unit_first[sentence], problem.unit_first[sentence + 1]):
        if state.kept[unit]:
            state.loss[unit], state.freed[unit] = loss_of_subtree(problem, state, unit)
    state.losses_known[sentence] = True


@inner
def shrink(problem, state):
    """Delete subtrees (or whole sentences) until both budgets hold, always the one with the least loss per word."""
    total = 0.0
    while state.counts[0] > problem.budget or state.counts[1] > problem.max_sentences:
        only_sentences = state.counts[0] <= problem.budget
        excess = state.counts[0] - problem.budget
        best = np.inf
        best_unit = -1
        for sentence in range(len(problem.unit_first) - 1):
            first = problem.unit_first[sentence]
            if not state.kept[first]:
                continue
            know_losses(problem, state, sentence)
            for unit in range(first, first + 1 if only_sentences else problem.unit_first[sentence + 1]):
                if not state.kept[unit]:
                    continue
                freed = state.freed[unit]
                useful = freed if only_sentences else min(freed, excess)
                ratio = -state.loss[unit] / max(useful, 1)
                if ratio < best:
                    best = ratio
                    best_unit = unit
        total += delete_subtree(problem, state, best_unit)
    return total


@inner
def add_with_parents(problem, state, unit):
    """Keep a unit and all units above it; returns the change of the objective."""
    change = 0.0
    while unit >= 0 and not state.kept[unit]:
        change += toggle(problem, state, unit, True)
        unit = problem.unit_parent[unit]
    return change


@inner
def gain_with_parents(problem, state, unit):
    """(change of the objective, words needed) if a unit were kept with all above it; the state stays as it is."""
    missing, active = state.missing, state.active
    total = 0.0
    cost = 0
    above = unit
    while above >= 0 and not state.kept[above]:
        change = problem.unit_worth[above]
        cost += problem.unit_cost[above]
        for entry in range(problem.unit_token_starts[above], problem.unit_token_starts[above + 1]):
            token = problem.unit_tokens[entry]
            missing[token] -= 1
            if missing[token] == 0:
                concept = problem.token_concepts[token]
                active[concept] += 1
                if active[concept] == 1:
                    change += problem.concept_scores[concept]
        total += change
        above = problem.unit_parent[above]
    above = unit
    while above >= 0 and not state.kept[above]:
        for entry in range(problem.unit_token_starts[above], problem.unit_token_starts[above + 1]):
            token = problem.unit_tokens[entry]
            if missing[token] == 0:
                active[problem.token_concepts[token]] -= 1
            missing[token] += 1
        above = problem.unit_parent[above]
    return total, cost


@inner
def know_gains(problem, state, sentence):
    """What adding each unit of a sentence would change, and the best of it per word."""
    if state.gains_known[sentence]:
        return
    best = 0.0
    for unit in range(problem.unit_first[sentence], problem.unit_first[sentence + 1]):
        if state.kept[unit]:
            continue
        gain, cost = gain_with_parents(problem, state, unit)
        state.gain[unit] = gain
        state.gain_cost[unit] = cost
        if gain > EPSILON:
            best = max(best, gain / cost if cost > 0 else np.inf)
    state.best_gain[sentence] = best
    state.gains_known[sentence] = True


@inner
def fill(problem, state, candidates, forbidden):
    """Spend the words that are left: always the addition of a unit (with those above it) that gains most per word."""
    total = 0.0
    forbidden_end = problem.unit_end[forbidden] if forbidden >= 0 else -1
    while True:
        room = problem.budget - state.counts[0]
        full = state.counts[1] >= problem.max_sentences
        best_ratio = 0.0
        best_unit = -1
        for sentence in candidates:
            first = problem.unit_first[sentence]
            if full and not state.kept[first]:
                continue
            know_gains(problem, state, sentence)
            if state.best_gain[sentence] <= best_ratio * ALMOST:
                continue
            for unit in range(first, problem.unit_first[sentence + 1]):
                cost = state.gain_cost[unit]
                if state.kept[unit] or cost > room or forbidden <= unit < forbidden_end:
                    continue
                gain = state.gain[unit]
                if gain > EPSILON and gain > best_ratio * cost:
                    best_ratio = gain / max(cost, 1)
                    best_unit = unit
        if best_unit < 0:
            return total
        total += add_with_parents(problem, state, best_unit)


@inner
def trim(problem, state):
    """Delete subtrees that are worth nothing where they stand: their words serve better elsewhere."""
    total = 0.0
    for sentence in range(len(problem.unit_first) - 1):
        if not state.kept[problem.unit_first[sentence]]:
            continue
        for unit in range(problem.unit_first[sentence], problem.unit_first[sentence + 1]):
            if state.kept[unit]:
                know_losses(problem, state, sentence)
                if state.loss[unit] >= -EPSILON:
                    total += delete_subtree(problem, state, unit)
    return total


@inner
def force(problem, state, candidates, move):
    """Make one move: -1 keeps everything, a move below `units` toggles that unit, with what hangs together with it.

    A deleted unit comes in with those above it (a sentence whole), a kept one goes with those below it. Returns the change
    of the objective; the result may break the budgets.
    """
    change = 0.0
    if move < 0:
        for sentence in candidates:
            for unit in range(problem.unit_first[sentence], problem.unit_first[sentence + 1]):
                if not state.kept[unit]:
                    change += toggle(problem, state, unit, True)
    elif state.kept[move]:
        change += delete_subtree(problem, state, move)
    elif problem.unit_parent[move] < 0:
        for unit in range(move, problem.unit_end[move]):
            change += toggle(problem, state, unit, True)
    else:
        change += add_with_parents(problem, state, move)
    return change


@inner
def copy_kept(problem, state, best):
    """Make `best` the kept units; where neither has a sentence's first unit, there is nothing to do."""
    for sentence in range(len(problem.unit_first) - 1):
        first = problem.unit_first[sentence]
        if state.kept[first] or best[first]:
            for unit in range(first, problem.unit_first[sentence + 1]):
                best[unit] = state.kept[unit]


@kernel
def search(problem, state, candidates, order, best, rounds):
    """Improve the summary in `best` by moves that are forced, after which the rest makes room; keep what is better.

    `state` starts empty. `order` lists the moves of a round: first -1, a fresh start from the whole support, then its units.
    """
    move_to(problem, state, best)
    failures = 0
    for turn in range(-1, rounds * len(order)):
        change = 0.0
        forbidden = -1
        if turn >= 0:
            move = order[turn % len(order)]
            if move >= 0 and state.kept[move]:
                forbidden = move
            change += force(problem, state, candidates, move)
        change += shrink(problem, state)
        change += trim(problem, state)
        change += fill(problem, state, candidates, forbidden)
        if change > EPSILON:
            copy_kept(problem, state, best)
            failures = 0
        else:
            move_to(problem, state, best)
            failures += 1
            if failures > len(order):
                break
