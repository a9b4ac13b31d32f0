"""The AD3 iteration in compiled code (Eq. 3-5 of Martins, Almeida & Smith 2013), on the flat arrays of a whole graph.

Multipliers are kept scaled, mu = lambda / eta, and carry the unary scores: each variable's lambdas sum to its score. So a
factor's input is u + mu, the z-update a projection, the u-update an average, and the lambda-update mu -= z - u. Where factors
have weights (see `covers`), a factor of weight w has step size w * eta: its input is u + mu / w, and mu -= w * (z - u).

A factor is solved again only if one of its inputs has changed (or its active set has steps to go); that skips most of the graph once the easy parts have
settled, and changes no iterate. A link's input changes if its variable's average moved, or if its z differs from it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .cache import inner, kernel
from .codes import BUDGET, COVERAGE, FOREIGN, OR_OUT, PAIR
from .families import PROJECT, call_family
from .hub import update_hub
from .maximize import maximize_factor
from .project import memory_sizes, prepare_factor
from .project_coverage import coverage_of_two, project_coverage
from .project_logic import or_out_of_two, pair, project_or_out

# Where more than one in so many is active, going through all in the order of memory is faster than following the list.
DENSE_SHARE = 10
WITHIN = (PAIR, COVERAGE, OR_OUT)  # frequent kinds, which are projected without a call by address and have no memory


class State(NamedTuple):
    """What an iteration changes, and its work space."""

    u: Any
    mu: Any
    z: Any
    int_memory_starts: Any
    int_memory: Any
    float_memory_starts: Any
    float_memory: Any
    active_factors: Any
    active_variables: Any
    factor_stamps: Any
    variable_stamps: Any
    counts: Any  # active factors, active variables, iterations so far, factor projections so far, unfinished ones
    point: Any  # scratch, as long as the largest factor
    answer: Any
    residuals: Any  # squared primal and dual residuals: of the last iteration, and summed since the last balancing; the hub's price
    hub_memory: Any  # of each variable of the hub: where its average is without the hub, its cost, and cost per link


@kernel
def activate_all(layout, state):
    """Every factor and variable takes part in the next iteration: at the start, and whenever eta changes."""
    for factor in range(len(layout.codes)):
        state.active_factors[factor] = factor
        state.factor_stamps[factor] = state.counts[2]
    state.counts[0] = len(layout.codes)
    state.counts[1] = 0
    for variable in range(len(layout.fixed)):
        if layout.variable_starts[variable + 1] > layout.variable_starts[variable]:
            state.active_variables[state.counts[1]] = variable
            state.counts[1] += 1


@inner
def begin_iteration(layout, state):
    """Count the iteration and mark the variables that are active already."""
    state.counts[2] += 1
    state.counts[3] += state.counts[0]
    for k in range(state.counts[1]):
        state.variable_stamps[state.active_variables[k]] = state.counts[2]


@inner
def literal(sign, value):
    """A variable's value as the literal of a link, and back."""
    return 0.5 * (1.0 - sign) + sign * value


@inner
def solve_factors(layout, state, scale):
    """The z-updates (Eq. 3) of all active factors; variables whose z has changed become active.

    Arrays are named once: passing the tuples on for each factor would copy them, which costs more than most projections.
    """
    codes, starts, variables, signs = layout.codes, layout.link_starts, layout.link_variables, layout.signs
    u, mu, z, point, answer = state.u, state.mu, state.z, state.point, state.answer
    stamps, active_factors, active_variables = state.variable_stamps, state.active_factors, state.active_variables
    active = state.counts[1]
    iteration = state.counts[2]
    marks = state.factor_stamps
    in_order = state.counts[0] * DENSE_SHARE > len(codes)
    ints, int_starts, floats, float_starts = layout.ints, layout.int_starts, layout.floats, layout.float_starts
    int_memory, int_memory_starts = state.int_memory, state.int_memory_starts
    float_memory, float_memory_starts = state.float_memory, state.float_memory_starts
    hub, steps = layout.hub, layout.factor_steps
    weighted = len(steps) > 0
    unfinished = 0
    for k in range(len(codes) if in_order else state.counts[0]):
        factor = k if in_order else active_factors[k]
        if marks[factor] != iteration - 1:
            continue
        code = codes[factor]
        if code == FOREIGN or factor == hub:
            continue
        first = starts[factor]
        degree = starts[factor + 1] - first
        finished = True
        ease = steps[factor] if weighted else 1.0
        if code == PAIR:  # frequent kinds go without slices or copies, which would take longer than the projection
            answer[0], answer[1] = pair(
                literal(signs[first], u[variables[first]] + mu[first]),
                literal(signs[first + 1], u[variables[first + 1]] + mu[first + 1]),
                scale * floats[float_starts[factor]],
            )
        elif code == COVERAGE and degree == 2:
            answer[0], answer[1] = coverage_of_two(
                literal(signs[first], u[variables[first]] + ease * mu[first]),
                literal(signs[first + 1], u[variables[first + 1]] + ease * mu[first + 1]),
                ease * scale * floats[float_starts[factor]],
            )
        elif code == OR_OUT and degree == 3:
            answer[0], answer[1], answer[2] = or_out_of_two(
                literal(signs[first], u[variables[first]] + mu[first]),
                literal(signs[first + 1], u[variables[first + 1]] + mu[first + 1]),
                literal(signs[first + 2], u[variables[first + 2]] + mu[first + 2]),
            )
        else:
            for i in range(degree):
                point[i] = literal(signs[first + i], u[variables[first + i]] + ease * mu[first + i])
            if code == OR_OUT:  # without slices
                project_or_out(point, degree - degree, degree, answer)  # a literal 0 would be compiled again
            elif code == COVERAGE:
                project_coverage(point, degree - degree, degree, ease * scale * floats[float_starts[factor]], answer)
            else:
                first_float = float_memory_starts[factor]
                finished = (
                    call_family(
                        PROJECT,
                        code,
                        degree,
                        point,
                        degree - degree,
                        ease * scale,
                        ints,
                        int_starts[factor],
                        int_starts[factor + 1],
                        floats,
                        float_starts[factor],
                        float_starts[factor + 1],
                        int_memory,
                        int_memory_starts[factor],
                        float_memory,
                        first_float,
                        float_memory_starts[factor + 1] - first_float,
                        answer,
                        degree - degree,
                    )
                    != 0.0
                )
        if not finished:
            marks[factor] = iteration
            unfinished += 1
        for link in range(first, first + degree):
            value = literal(signs[link], answer[link - first])
            if value != z[link]:
                z[link] = value
                variable = variables[link]
                if stamps[variable] != iteration:
                    stamps[variable] = iteration
                    active_variables[active] = variable
                    active += 1
    state.counts[1] = active
    state.counts[4] = unfinished


@inner
def update_variables(layout, state, relaxation):
    """The u- and lambda-updates (Eq. 4-5) of all active variables; factors whose inputs change become active.

    A variable stays active while one of its links disagrees with the average, because its multipliers go on changing.
    """
    starts, links, link_factors, fixed = (
        layout.variable_starts,
        layout.variable_links,
        layout.link_factors,
        layout.fixed,
    )
    u, mu, z, counts = state.u, state.mu, state.z, state.counts
    stamps, active_factors, active_variables = state.factor_stamps, state.active_factors, state.active_variables
    iteration = counts[2]
    marks = state.variable_stamps
    in_order = counts[1] * DENSE_SHARE > len(fixed)
    on_hub = layout.on_hub
    factors, primal, dual = update_hub(layout, state, relaxation)
    kept = 0
    for k in range(len(fixed) if in_order else counts[1]):
        variable = k if in_order else active_variables[k]
        if marks[variable] != iteration or on_hub[variable]:
            continue
        first = starts[variable]
        end = starts[variable + 1]
        old = u[variable]
        agreed = True
        if fixed[variable] >= 0:
            new = float(fixed[variable])
        else:
            least = np.inf
            most = -np.inf
            total = 0.0
            for entry in range(first, end):
                value = z[links[entry]]
                total += value
                least = min(least, value)
                most = max(most, value)
            # equal values average to themselves exactly and are not over-relaxed, so that settled variables stay settled
            agreed = least == most
            new = least if agreed else relaxation * (total / (end - first)) + (1.0 - relaxation) * old
        moved = new != old
        u[variable] = new
        unsettled = False
        for entry in range(first, end):
            link = links[entry]
            value = z[link] if agreed else relaxation * z[link] + (1.0 - relaxation) * old
            difference = value - new
            if difference != 0.0:
                mu[link] -= difference
                unsettled = True
                primal += difference * difference
            if moved or difference != 0.0:
                factor = link_factors[link]
                if stamps[factor] != iteration:
                    stamps[factor] = iteration
                    active_factors[factors] = factor
                    factors += 1
        if moved:
            dual += (new - old) * (new - old) * (end - first)
        if unsettled:
            active_variables[kept] = variable
            kept += 1
    if counts[4] > 0:  # factors whose projection goes on are marked, but not yet in the list
        factors = 0
        for factor in range(len(stamps)):
            if stamps[factor] == iteration:
                active_factors[factors] = factor
                factors += 1
    counts[0] = factors
    counts[1] = kept
    state.residuals[0] = primal
    state.residuals[1] = dual
    state.residuals[2] += primal
    state.residuals[3] += dual


@inner
def has_converged(layout, state, tolerance):
    """Are both residuals (root mean square over links) within the tolerance?"""
    limit = tolerance * tolerance * max(len(layout.link_variables), 1)
    return state.counts[4] == 0 and state.residuals[0] <= limit and state.residuals[1] <= limit


@kernel
def iterate(layout, state, eta, relaxation, iterations, tolerance):
    """Up to `iterations` iterations, fewer where the residuals are within the tolerance; returns whether they are."""
    for _ in range(iterations):
        begin_iteration(layout, state)
        solve_factors(layout, state, 1.0 / eta)
        update_variables(layout, state, relaxation)
        if has_converged(layout, state, tolerance):
            return True
    return False


@kernel
def first_half(layout, state, scale):
    """For the Python driver: an iteration up to the foreign factors."""
    begin_iteration(layout, state)
    solve_factors(layout, state, scale)


@kernel
def second_half(layout, state, relaxation, tolerance):
    """For the Python driver: an iteration after the foreign factors; returns whether it has converged."""
    update_variables(layout, state, relaxation)
    return has_converged(layout, state, tolerance)


@kernel
def measure_memory(layout, int_starts, float_starts):
    """Where each factor's memory starts, and the largest number of links of a factor."""
    largest = 0
    int_starts[0] = 0
    float_starts[0] = 0
    for factor in range(len(layout.codes)):
        degree = layout.link_starts[factor + 1] - layout.link_starts[factor]
        largest = max(largest, degree)
        int_starts[factor + 1] = int_starts[factor]
        float_starts[factor + 1] = float_starts[factor]
        if layout.codes[factor] != FOREIGN and layout.codes[factor] not in WITHIN:
            ints = layout.ints[layout.int_starts[factor] : layout.int_starts[factor + 1]]
            int_count, float_count = memory_sizes(layout.codes[factor], degree, ints)
            int_starts[factor + 1] += int_count
            float_starts[factor + 1] += float_count
    return largest


@kernel
def begin(layout, state, scores, eta):
    """Everything before the first iteration: averages, each variable's score in equal shares, and the factors' memories."""
    for factor in range(len(layout.codes)):
        state.factor_stamps[factor] = -1
        if state.int_memory_starts[factor + 1] > state.int_memory_starts[factor]:
            prepare_factor(
                layout.codes[factor],
                layout.link_starts[factor + 1] - layout.link_starts[factor],
                layout.ints[layout.int_starts[factor] : layout.int_starts[factor + 1]],
                layout.floats[layout.float_starts[factor] : layout.float_starts[factor + 1]],
                state.int_memory[state.int_memory_starts[factor] : state.int_memory_starts[factor + 1]],
                state.float_memory[state.float_memory_starts[factor] : state.float_memory_starts[factor + 1]],
            )
    for variable in range(len(scores)):
        degree = layout.variable_starts[variable + 1] - layout.variable_starts[variable]
        state.variable_stamps[variable] = -1
        if degree > 0:
            state.u[variable] = 0.5
        else:  # without factors, its score alone decides
            state.u[variable] = 1.0 if scores[variable] > 0.0 else 0.0
        share = scores[variable] / max(degree, 1) / eta
        for entry in range(layout.variable_starts[variable], layout.variable_starts[variable + 1]):
            state.mu[layout.variable_links[entry]] = share
            state.z[layout.variable_links[entry]] = np.nan
    hub = layout.hub
    if hub >= 0:
        count = layout.link_starts[hub + 1] - layout.link_starts[hub]
        for i in range(count):
            plain = layout.codes[hub] == BUDGET
            state.hub_memory[count + i] = 1.0 if plain else layout.floats[layout.float_starts[hub] + 1 + i]
    activate_all(layout, state)


@kernel
def change_eta(layout, state, factor):
    """Rescale the multipliers for eta * factor; lambda = eta * mu stays the same."""
    for link in range(len(state.mu)):
        state.mu[link] /= factor
    state.residuals[4] /= factor
    activate_all(layout, state)


@inner
def best_cover(scores, count, score):
    """The best value of one or more of the first literals, together with a score, or of none (`maximize.maximize_coverage`)."""
    value = 0.0
    best = -np.inf
    for i in range(count):
        value += max(scores[i], 0.0)
        best = max(best, scores[i])
    if best <= 0.0:
        value = best
    return max(value + score, 0.0)


@kernel
def dual_value(layout, state, eta, scores):
    """A valid upper bound: the sum of all factors' maxima for their multipliers (foreign factors' are the caller's).

    Rounding lets the multipliers of a variable drift from its score by some 1e-16 per iteration; a free variable's drift
    counts in full, because x is between 0 and 1. A fixed variable's multipliers need not sum to anything.
    """
    codes, starts, negated, mu = layout.codes, layout.link_starts, layout.negated, state.mu
    floats, float_starts, point = layout.floats, layout.float_starts, state.point
    bound = 0.0
    for factor in range(len(codes)):
        code = codes[factor]
        if code == FOREIGN:
            continue
        first = starts[factor]
        degree = starts[factor + 1] - first
        for i in range(degree):
            value = eta * mu[first + i]
            point[i] = value
            if negated[first + i]:
                point[i] = -value
                bound += value
        if code == COVERAGE:  # frequent kinds go without slices
            bound += best_cover(point, degree, floats[float_starts[factor]])
        elif code == OR_OUT:
            bound += best_cover(point, degree - 1, point[degree - 1])
        else:
            bound += maximize_factor(
                code,
                point[:degree],
                layout.ints[layout.int_starts[factor] : layout.int_starts[factor + 1]],
                floats[float_starts[factor] : float_starts[factor + 1]],
                state.answer[:degree],
            )
    for variable in range(len(layout.fixed)):
        total = 0.0
        for entry in range(layout.variable_starts[variable], layout.variable_starts[variable + 1]):
            total += eta * state.mu[layout.variable_links[entry]]
        drift = scores[variable] - total
        if layout.fixed[variable] >= 0:
            bound += drift * layout.fixed[variable]
        else:
            bound += max(drift, 0.0)
    return bound
