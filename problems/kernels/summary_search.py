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


@kernel
def contract(starts, sizes, parents, undeletable, deletion_scores, words):
    """Units in preorder: unit of each node; per unit its parent unit, cost in words, own worth and sentence."""
    count = len(parents)
    unit_of_node = np.empty(count, dtype=np.int64)
    parent = np.empty(count, dtype=np.int64)
    cost = np.zeros(count, dtype=np.int64)
    worth = np.zeros(count)
    sentence = np.empty(count, dtype=np.int64)
    units = 0
    for s in range(len(starts)):
        for node in range(starts[s], starts[s] + sizes[s]):
            if parents[node] < 0 or not undeletable[node]:
                unit = units
                units += 1
                sentence[unit] = s
                parent[unit] = -1
                if parents[node] >= 0:
                    parent[unit] = unit_of_node[starts[s] + parents[node]]
                    worth[unit] -= deletion_scores[node]
                    worth[parent[unit]] += deletion_scores[node]
            else:
                unit = unit_of_node[starts[s] + parents[node]]
            unit_of_node[node] = unit
            if words[node] > 0:
                cost[unit] += 1
    ends = np.empty(units, dtype=np.int64)
    for unit in range(units):
        ends[unit] = unit + 1
    for unit in range(units - 1, -1, -1):
        if parent[unit] >= 0:
            ends[parent[unit]] = max(ends[parent[unit]], ends[unit])
    first_unit = np.empty(len(starts), dtype=np.int64)
    for s in range(len(starts)):
        first_unit[s] = unit_of_node[starts[s]]
    return unit_of_node, parent[:units], cost[:units], worth[:units], sentence[:units], ends, first_unit


@kernel
def unit_tokens(unit_of_node, units, token_starts, token_nodes):
    """The distinct units of each token, in preorder, and the tokens of each unit, both in CSR form."""
    tokens = len(token_starts) - 1
    starts = np.zeros(tokens + 1, dtype=np.int64)
    members = np.empty(len(token_nodes), dtype=np.int64)
    used = 0
    degree = np.zeros(units + 1, dtype=np.int64)
    for token in range(tokens):
        for entry in range(token_starts[token], token_starts[token + 1]):
            unit = unit_of_node[token_nodes[entry]]
            known = False
            for other in range(starts[token], used):
                known = known or members[other] == unit
            if not known:
                place_of = used
                while place_of > starts[token] and members[place_of - 1] > unit:
                    members[place_of] = members[place_of - 1]
                    place_of -= 1
                members[place_of] = unit
                used += 1
                degree[unit + 1] += 1
        starts[token + 1] = used
    of_unit_starts = degree
    for unit in range(units):
        of_unit_starts[unit + 1] += of_unit_starts[unit]
    of_unit = np.empty(used, dtype=np.int64)
    place = of_unit_starts[:-1].copy()
    for token in range(tokens):
        for entry in range(starts[token], starts[token + 1]):
            of_unit[place[members[entry]]] = token
            place[members[entry]] += 1
    return starts, members[:used], of_unit_starts, of_unit


class Problem(NamedTuple):
    """The instance in terms of units; unit_* arrays are indexed by unit, token and concept arrays by theirs."""

    unit_first: Any  # first unit of each sentence, and the number of units at the end
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
    budget: int
    max_sentences: int


class State(NamedTuple):
    """A summary: kept units, units missing per token, complete tokens per concept; counts = words, sentences."""

    kept: Any
    missing: Any
    active: Any
    counts: Any


@inner
def toggle(problem, state, unit, keep):
    """Keep or delete one unit; returns the change of the objective."""
    sign = 1 if keep else -1
    state.kept[unit] = keep
    state.counts[0] += sign * problem.unit_cost[unit]
    if problem.unit_parent[unit] < 0:
        state.counts[1] += sign
    change = sign * problem.unit_worth[unit]
    for entry in range(problem.unit_token_starts[unit], problem.unit_token_starts[unit + 1]):
        token = problem.unit_tokens[entry]
        concept = problem.token_concepts[token]
        if keep:
            state.missing[token] -= 1
            if state.missing[token] == 0:
                state.active[concept] += 1
                if state.active[concept] == 1:
                    change += problem.concept_scores[concept]
        else:
            if state.missing[token] == 0:
                state.active[concept] -= 1
                if state.active[concept] == 0:
                    change -= problem.concept_scores[concept]
            state.missing[token] += 1
    return change


@inner
def move_to(problem, state, target):
    """Make the kept units equal to `target`; returns the change of the objective."""
    change = 0.0
    for unit in range(len(target)):
        if state.kept[unit] and not target[unit]:
            change += toggle(problem, state, unit, False)
    for unit in range(len(target)):
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
def loss_of_subtree(problem, state, unit, mark):
    """(change of the objective, words freed) if the subtree of a kept unit were deleted; the state stays as it is.

    `mark` counts complete tokens that would go per concept; it is zero before and after.
    """
    change = 0.0
    freed = 0
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
def shrink(problem, state, mark):
    """Delete subtrees (or whole sentences) until both budgets hold, always the one with the least loss per word."""
    total = 0.0
    while state.counts[0] > problem.budget or state.counts[1] > problem.max_sentences:
        only_sentences = state.counts[0] <= problem.budget
        excess = state.counts[0] - problem.budget
        best = np.inf
        best_unit = -1
        for unit in range(len(state.kept)):
            if not state.kept[unit] or (only_sentences and problem.unit_parent[unit] >= 0):
                continue
            change, freed = loss_of_subtree(problem, state, unit, mark)
            useful = freed if only_sentences else min(freed, excess)
            ratio = -change / max(useful, 1)
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
def fill(problem, state, candidates, forbidden):
    """Spend the words that are left: always the addition of a unit (with those above it) that gains most per word."""
    total = 0.0
    while True:
        room = problem.budget - state.counts[0]
        best_ratio = 0.0
        best_unit = -1
        for sentence in candidates:
            for unit in range(problem.unit_first[sentence], problem.unit_first[sentence + 1]):
                if state.kept[unit]:
                    continue
                cost = 0
                barred = False
                above = unit
                while above >= 0 and not state.kept[above]:
                    cost += problem.unit_cost[above]
                    barred = barred or above == forbidden
                    above = problem.unit_parent[above]
                if barred or cost > room or (above < 0 and state.counts[1] >= problem.max_sentences):
                    continue
                gain = add_with_parents(problem, state, unit)
                remove_path(problem, state, unit, above)
                if gain > EPSILON and gain > best_ratio * cost:
                    best_ratio = gain / max(cost, 1)
                    best_unit = unit
        if best_unit < 0:
            return total
        total += add_with_parents(problem, state, best_unit)


@inner
def remove_path(problem, state, unit, above):
    """Undo `add_with_parents` up to, and not including, the unit `above`."""
    while unit != above:
        toggle(problem, state, unit, False)
        unit = problem.unit_parent[unit]


@inner
def trim(problem, state, mark):
    """Delete subtrees that are worth nothing where they stand: their words serve better elsewhere."""
    total = 0.0
    for unit in range(len(state.kept)):
        if state.kept[unit]:
            change, _ = loss_of_subtree(problem, state, unit, mark)
            if change >= -EPSILON:
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


@kernel
def search(problem, state, candidates, order, mark, best, rounds):
    """Improve the summary in `best` by moves that are forced, after which the rest makes room; keep what is better.

    `state` and `mark` start empty. `order` lists the moves of a round: first -1, a fresh start from the whole support, then
    its units.
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
        change += shrink(problem, state, mark)
        change += trim(problem, state, mark)
        change += fill(problem, state, candidates, forbidden)
        if change > EPSILON:
            for unit in range(len(best)):
                best[unit] = state.kept[unit]
            failures = 0
        else:
            move_to(problem, state, best)
            failures += 1
            if failures > len(order):
                break
