"""The flat arrays of a whole graph that dual decomposition runs on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .cache import kernel


class Layout(NamedTuple):
    """A graph's structure. Links are ordered by factor; `variable_links` lists each variable's links."""

    codes: Any
    link_starts: Any
    link_variables: Any
    link_factors: Any
    negated: Any
    signs: Any  # -1 for a negated link, else 1: a literal is (1 - sign) / 2 + sign * x, without a branch
    int_starts: Any
    ints: Any
    float_starts: Any
    floats: Any
    variable_starts: Any
    variable_links: Any
    fixed: Any  # per variable: 0 or 1 where it is fixed, -1 where it is free
    hub: Any  # the factor whose copy is the average itself (see `hub`), -1 if there is none
    on_hub: Any  # per variable: is it linked by the hub?
    factor_steps: Any  # 1 / weight per factor, where there are weights (see `covers`); else empty, as the next two
    link_weights: Any  # the weight of each link's factor
    variable_weights: Any  # per variable: the sum of the weights of its links but for the hub's


@kernel
def index_links(link_starts, link_variables, negated, link_factors, signs, degrees, variable_starts, variable_links):
    """From the links of each factor: the factor of each link, its sign, and the links of each variable in their order."""
    variables = len(degrees)
    for variable in range(variables):
        degrees[variable] = 0
    for factor in range(len(link_starts) - 1):
        for link in range(link_starts[factor], link_starts[factor + 1]):
            link_factors[link] = factor
            signs[link] = -1.0 if negated[link] else 1.0
            degrees[link_variables[link]] += 1
    variable_starts[0] = 0
    for variable in range(variables):
        variable_starts[variable + 1] = variable_starts[variable] + degrees[variable]
    for variable in range(variables):
        degrees[variable] = 0
    for link in range(len(link_variables)):
        variable = link_variables[link]
        variable_links[variable_starts[variable] + degrees[variable]] = link
        degrees[variable] += 1


@kernel
def order_by_nearness(
    link_starts, link_variables, link_factors, variable_starts, variable_links, wide, factors, variables
):
    """Breadth-first orders of all factors and variables, in which neighbours in the graph are near each other in memory.

    Factors with more than `wide` links join everything with everything: they come last and lead nowhere. `variables` is filled
    with the old numbers in their new order, `factors` likewise.
    """
    count = len(variables)
    seen_variable = np.zeros(count, dtype=np.bool_)
    seen_factor = np.zeros(len(factors), dtype=np.bool_)
    placed = 0
    found = 0
    done = 0
    for start in range(count):
        if seen_variable[start]:
            continue
        seen_variable[start] = True
        variables[found] = start
        found += 1
        while done < found:
            variable = variables[done]
            done += 1
            for entry in range(variable_starts[variable], variable_starts[variable + 1]):
                factor = link_factors[variable_links[entry]]
                if seen_factor[factor] or link_starts[factor + 1] - link_starts[factor] > wide:
                    continue
                seen_factor[factor] = True
                factors[placed] = factor
                placed += 1
                for link in range(link_starts[factor], link_starts[factor + 1]):
                    other = link_variables[link]
                    if not seen_variable[other]:
                        seen_variable[other] = True
                        variables[found] = other
                        found += 1
    for factor in range(len(factors)):
        if not seen_factor[factor]:
            factors[placed] = factor
            placed += 1
