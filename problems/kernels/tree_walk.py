"""Steps of the random walk behind arc posteriors (`problems.parsing.pruning`), in logarithms, so that nothing underflows."""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel


@inner
def log_sum(first, second):
    """log(exp(first) + exp(second))."""
    if first < second:
        first, second = second, first
    if second == -np.inf:
        return first
    return first + np.log1p(np.exp(second - first))


@kernel
def leave_out(walk, states, first, last, rows):
    """Let the walk go past the states at positions first:last, one after the other (state reduction).

    walk[from, to] are log weights over `states`. rows[state, other] gets the log probabilities with which each left-out
    state is left for those that are still there; -inf for the others.
    """
    count = len(states)
    gone = np.zeros(count, dtype=np.bool_)
    for leaving in range(first, last):
        gone[leaving] = True
        total = -np.inf
        for other in range(count):
            if not gone[other]:
                total = log_sum(total, walk[leaving, other])
        for other in range(rows.shape[1]):
            rows[states[leaving], other] = -np.inf
        if total == -np.inf:
            continue
        for other in range(count):
            if not gone[other]:
                walk[leaving, other] -= total
                rows[states[leaving], states[other]] = walk[leaving, other]
        for start in range(count):
            if gone[start] or walk[start, leaving] == -np.inf:
                continue
            for other in range(count):
                if not gone[other]:
                    walk[start, other] = log_sum(walk[start, other], walk[start, leaving] + walk[leaving, other])


@kernel
def reach_root(rows, order, number_of_gone, reach):
    """Log probabilities to reach the root symbol first, of the left-out states in reverse order; `reach` has the others'."""
    for k in range(number_of_gone - 1, -1, -1):
        state = order[k]
        total = -np.inf
        for other in range(len(reach)):
            if rows[state, other] > -np.inf:
                total = log_sum(total, rows[state, other] + reach[other])
        reach[state] = total
