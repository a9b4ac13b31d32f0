"""The flat arrays of a whole graph that dual decomposition runs on."""

from __future__ import annotations

from typing import Any, NamedTuple

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
