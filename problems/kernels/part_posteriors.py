"""Posteriors of all parts of a parse in a fractional solution of AD3.

Arcs have the averages. Parts of an automaton or of the head bigrams have the weights of the configurations that contain them: these
are 0/1, and together the factor's local solution. Parts that the graph has as pairs, or as scores of single arcs, follow
from the averages: two arcs are together as often as possible if their score together is positive, else as rarely. The order of factors
is that of `parsing_layout`, the tables are laid out as `problems.parsing.automata` says.
"""

from __future__ import annotations

from .cache import inner, kernel


@inner
def together(one, other, score):
    """How often two arcs occur together, in the best local solution of a pair with this score."""
    return min(one, other) if score > 0.0 else max(one + other - 1.0, 0.0)


@inner
def is_whole(points, first, count):
    """Is this configuration one of 0 and 1? A full active set joins two of its configurations to one in between."""
    between = 0
    for k in range(first, first + count):
        between += 1 if points[k] != 0.0 and points[k] != 1.0 else 0
    return between == 0


@inner
def weigh_grand_siblings(
    incoming_starts,
    outgoing_counts,
    third,
    averages,
    starts,
    weights,
    point_starts,
    points,
    sibling,
    grandparent,
    grand_sibling,
):
    """Siblings, grandparents and grand-siblings; returns the factor behind the automata's, or -1."""
    factor = len(outgoing_counts) - len(outgoing_counts) + 1
    s = 0
    p = 0
    g = 0
    for automaton in range(len(outgoing_counts)):
        end = outgoing_counts[automaton]
        width = end + 1
        head = (automaton + 1) >> 1
        first = incoming_starts[head - 1] if head > 0 else 0
        incoming = incoming_starts[head] - first if head > 0 else 0
        if end == 0:
            sibling[s] = 1.0
            if third:
                for k in range(incoming):
                    grand_sibling[g + k] = averages[first + k]
        else:
            for c in range(starts[factor], starts[factor + 1]):
                weight = weights[c]
                point = point_starts[c]
                if not is_whole(points, point, incoming + end):
                    return -1
                above = -1
                for k in range(incoming):
                    if points[point + k] == 1.0:
                        above = k
                a = 0
                for b in range(width):
                    if b < end and points[point + incoming + b] == 0.0:
                        continue
                    sibling[s + a * width + b] += weight
                    if above >= 0:
                        if b < end:
                            grandparent[p + above * end + b] += weight
                        if third:
                            grand_sibling[g + (above * width + a) * width + b] += weight
                    a = b + 1
            factor += 1
        s += width * width
        p += incoming * end
        g += incoming * width * width
    return factor


@inner
def weigh_tri_siblings(
    outgoing_counts, outgoing, scores, averages, factor, starts, weights, point_starts, points, tri_sibling
):
    """Tri-siblings, whose automata begin with this factor; returns the factor behind them, or -1."""
    out = 0
    t = 0
    for automaton in range(len(outgoing_counts)):
        end = outgoing_counts[automaton]
        if end == 1:
            tri_sibling[t + 1] = averages[outgoing[out]]
        elif end == 2:
            one = averages[outgoing[out]]
            other = averages[outgoing[out + 1]]
            score = scores[t + 1] + scores[t + 5] - scores[t + 2] - scores[t + 11]  # as in `write_tri_siblings`
            both = together(one, other, score)
            tri_sibling[t + 1] = both
            tri_sibling[t + 5] = both
            tri_sibling[t + 2] = one - both
            tri_sibling[t + 11] = other - both
        elif end > 2:
            for c in range(starts[factor], starts[factor + 1]):
                point = point_starts[c]
                if not is_whole(points, point, end):
                    return -1
                before = -1
                last = -1
                for b in range(end + 1):
                    if b < end and points[point + b] == 0.0:
                        continue
                    if last >= 0:
                        first = before if before >= 0 else last
                        tri_sibling[t + (first * end + last) * (end + 1) + b] += weights[c]
                    before = last
                    last = b
            factor += 1
        out += end
        t += end * end * (end + 1)
    return factor


@kernel
def weigh_parts(
    incoming_starts,
    outgoing_counts,
    outgoing,
    tri_sibling_scores,
    any_sibling_arcs,
    any_sibling_scores,
    third,
    bigrams,
    averages,
    starts,
    weights,
    point_starts,
    points,
    sibling,
    grandparent,
    any_sibling,
    bigram,
    grand_sibling,
    tri_sibling,
):
    """Fill the tables, which hold zeros; returns whether all configurations are 0/1, without which there are no parts."""
    factor = weigh_grand_siblings(
        incoming_starts,
        outgoing_counts,
        third,
        averages,
        starts,
        weights,
        point_starts,
        points,
        sibling,
        grandparent,
        grand_sibling,
    )
    if factor < 0:
        return False
    pairs = len(any_sibling_scores)
    for k in range(pairs):
        any_sibling[k] = together(
            averages[any_sibling_arcs[k, 0]], averages[any_sibling_arcs[k, 1]], any_sibling_scores[k]
        )
    if third:
        twos = 0
        for automaton in range(len(outgoing_counts)):
            twos += 1 if outgoing_counts[automaton] == 2 else 0
        if twos > 0:
            factor += twos + pairs
        factor = weigh_tri_siblings(
            outgoing_counts,
            outgoing,
            tri_sibling_scores,
            averages,
            factor,
            starts,
            weights,
            point_starts,
            points,
            tri_sibling,
        )
        if factor < 0:
            return False
        if twos == 0:
            factor += pairs
    else:
        factor += pairs
    if bigrams:
        words = len(incoming_starts) - 1
        for c in range(starts[factor], starts[factor + 1]):
            point = point_starts[c]
            if not is_whole(points, point, incoming_starts[words]):
                return False
            entry = 0
            left = 0
            for word in range(1, words + 1):
                first = incoming_starts[word - 1]
                size = incoming_starts[word] - first
                chosen = 0
                for k in range(size):
                    if points[point + first + k] == 1.0:
                        chosen = k
                if word > 1:
                    bigram[entry + left * size + chosen] += weights[c]
                    entry += (first - incoming_starts[word - 2]) * size
                left = chosen
    return True
