"""All factors of a parsing instance in the decomposition into large factors, written into flat arrays in one go.

The order of factors: the tree, the grand-sibling automata, the tri-sibling automata and the pairs (the pairs first if an
automaton has two modifiers: its tri-siblings are a pair), the head bigrams. Words are 1, 2, ..., the root symbol is 0;
automata and their score tables are laid out as `problems.parsing.automata` says.
"""

from __future__ import annotations

from .arborescence import HEADER
from .cache import inner, kernel
from .codes import GRAND_SIBLINGS, HEAD_BIGRAMS, PAIR, TRI_SIBLINGS

FACTORS, LINKS, INTS, FLOATS, AUTOMATA, TWOS, MORES = 0, 1, 2, 3, 4, 5, 6  # sizes: totals, and automata by kind


@kernel
def measure_parsing(incoming_starts, outgoing_counts, higher, third, pairs, sizes):
    """How many factors, links, ints and floats there will be, and how many automata with any, two and more modifiers."""
    words = len(incoming_starts) - 1
    arcs = incoming_starts[words]
    sizes[:] = 0
    factors = 1
    links = arcs
    ints = HEADER + words + 1 + arcs
    floats = 0
    if higher:
        for automaton in range(len(outgoing_counts)):
            end = outgoing_counts[automaton]
            if end == 0:
                continue
            head = (automaton + 1) >> 1
            incoming = incoming_starts[head] - incoming_starts[head - 1] if head > 0 else 0
            sizes[AUTOMATA] += 1
            factors += 1
            links += incoming + end
            ints += 2 + incoming
            floats += max(incoming, 1) * ((end + 1) * (end + 2) // 2)
            if third and end == 2:
                sizes[TWOS] += 1
                factors += 1
                links += 2
                floats += 1
            elif third and end > 2:
                sizes[MORES] += 1
                factors += 1
                links += end
                floats += end * end * (end + 1)
    if pairs >= 0:  # there are arbitrary siblings (maybe none) and head bigrams
        factors += pairs
        links += 2 * pairs
        floats += pairs
        if words > 1:
            factors += 1
            links += arcs
            ints += 1 + words
            for word in range(1, words):
                left = incoming_starts[word] - incoming_starts[word - 1]
                floats += left * (incoming_starts[word + 1] - incoming_starts[word])
    sizes[FACTORS] = factors
    sizes[LINKS] = links
    sizes[INTS] = ints
    sizes[FLOATS] = floats


@inner
def fold_bare_sides(incoming_starts, outgoing_counts, sibling, grand_sibling, third, scores):
    """Sides of a head without modifiers have START-END scores only: they go to the head's incoming arcs; the constant."""
    constant = 0.0
    s = 0
    g = 0
    for automaton in range(len(outgoing_counts)):
        end = outgoing_counts[automaton]
        square = (end + 1) * (end + 1)
        head = (automaton + 1) >> 1
        first = incoming_starts[head - 1] if head > 0 else 0
        incoming = incoming_starts[head] - first if head > 0 else 0
        if end == 0:
            constant += sibling[s]
            if third:
                for k in range(incoming):
                    scores[first + k] += grand_sibling[g + k]
        s += square
        g += incoming * square
    return constant


@inner
def write_grand_siblings(
    heads,
    modifiers,
    incoming_starts,
    outgoing_counts,
    outgoing,
    sibling,
    grandparent,
    grand_sibling,
    third,
    factor,
    link_starts,
    link_variables,
    int_starts,
    ints,
    float_starts,
    floats,
):
    """The grand-sibling automata of all sides that have modifiers: the sum of all scores of a transition by incoming arc."""
    link = link_starts[factor]
    i = int_starts[factor]
    f = float_starts[factor]
    out = 0
    s = 0
    p = 0
    g = 0
    for automaton in range(len(outgoing_counts)):
        end = outgoing_counts[automaton]
        width = end + 1
        head = (automaton + 1) >> 1
        first = incoming_starts[head - 1] if head > 0 else 0
        incoming = incoming_starts[head] - first if head > 0 else 0
        if end > 0:
            ints[i] = incoming
            ints[i + 1] = end
            for k in range(incoming):
                link_variables[link + k] = first + k
                ints[i + 2 + k] = -1
                for j in range(end):
                    if modifiers[outgoing[out + j]] == heads[first + k]:
                        ints[i + 2 + k] = j
            for j in range(end):
                link_variables[link + incoming + j] = outgoing[out + j]
            for k in range(max(incoming, 1)):
                for a in range(width):
                    for b in range(a, width):
                        value = sibling[s + a * width + b]
                        if incoming > 0:
                            if b < end:
                                value += grandparent[p + k * end + b]
                            if third:
                                value += grand_sibling[g + (k * width + a) * width + b]
                        floats[f] = value
                        f += 1
            link += incoming + end
            i += 2 + incoming
            factor += 1
            link_starts[factor] = link
            int_starts[factor] = i
            float_starts[factor] = f
        out += end
        s += width * width
        p += incoming * end
        g += incoming * width * width
    return factor


@inner
def write_tri_siblings(
    outgoing_counts,
    outgoing,
    tri_sibling,
    scores,
    factor,
    pair,
    link_starts,
    link_variables,
    int_starts,
    float_starts,
    floats,
):
    """Tri-siblings: of one modifier a score of its own, of two a pair (from factor `pair` on), else an automaton."""
    link = link_starts[factor]
    f = float_starts[factor]
    pair_link = link_starts[pair]
    pair_float = float_starts[pair]
    out = 0
    t = 0
    for automaton in range(len(outgoing_counts)):
        end = outgoing_counts[automaton]
        if end == 1:
            scores[outgoing[out]] += tri_sibling[t + 1]  # [0, 0, 1]
        elif end == 2:
            first = tri_sibling[t + 2]  # [0, 0, 2] and [1, 1, 2]: one alone
            second = tri_sibling[t + 11]
            scores[outgoing[out]] += first
            scores[outgoing[out + 1]] += second
            link_variables[pair_link] = outgoing[out]
            link_variables[pair_link + 1] = outgoing[out + 1]
            both = tri_sibling[t + 1] + tri_sibling[t + 5]  # [0, 0, 1] and [0, 1, 2]
            floats[pair_float] = both - first - second
            pair_link += 2
            pair_float += 1
        elif end > 2:
            for j in range(end):
                link_variables[link + j] = outgoing[out + j]
            for a in range(end):
                for b in range(end):
                    row = (a * end + b) * (end + 1)
                    for c in range(end + 1):
                        floats[f + row + c] = tri_sibling[t + row + c] if a <= b and b < c else 0.0
            link += end
            f += end * end * (end + 1)
            factor += 1
            link_starts[factor] = link
            int_starts[factor] = int_starts[factor - 1]
            float_starts[factor] = f
        out += end
        t += end * end * (end + 1)


@kernel
def lay_out_parsing(
    heads,
    modifiers,
    incoming_starts,
    outgoing_counts,
    outgoing,
    sibling,
    grandparent,
    grand_sibling,
    tri_sibling,
    bigram,
    any_sibling_arcs,
    any_sibling,
    tree_code,
    header,
    higher,
    third,
    bigrams,
    sizes,
    scores,
    codes,
    link_starts,
    link_variables,
    int_starts,
    ints,
    float_starts,
    floats,
    totals,
):
    """Fill all arrays; `scores` holds the arcs' scores and gets what is linear. totals: the constant, all absolute scores."""
    words = len(incoming_starts) - 1
    arcs = len(heads)
    pairs = len(any_sibling)
    twos = sizes[TWOS]
    constant = 0.0
    if higher:
        constant = fold_bare_sides(incoming_starts, outgoing_counts, sibling, grand_sibling, third, scores)
    magnitude = 0.0
    for arc in range(arcs):
        magnitude += abs(scores[arc])
        link_variables[arc] = arc
        ints[HEADER + words + 1 + arc] = heads[arc]
    for k in range(HEADER):
        ints[k] = header[k]
    for word in range(words + 1):
        ints[HEADER + word] = incoming_starts[word]
    codes[0] = tree_code
    link_starts[0] = 0
    int_starts[0] = 0
    float_starts[0] = 0
    link_starts[1] = arcs
    int_starts[1] = HEADER + words + 1 + arcs
    float_starts[1] = 0
    factor = arcs - arcs + 1  # no literal, for which numba would compile the callees once more
    if higher:
        last = write_grand_siblings(
            heads,
            modifiers,
            incoming_starts,
            outgoing_counts,
            outgoing,
            sibling,
            grandparent,
            grand_sibling,
            third,
            factor,
            link_starts,
            link_variables,
            int_starts,
            ints,
            float_starts,
            floats,
        )
        for k in range(factor, last):
            codes[k] = GRAND_SIBLINGS
        factor = last
    pair = factor  # the pairs' first factor
    automaton = factor  # the tri-sibling automata's
    if third and twos == 0:
        pair += sizes[MORES]
    else:
        automaton += twos + pairs
    if pair == factor:
        begin_pairs(pair, twos + pairs, codes, link_starts, int_starts, float_starts)
    if third:
        write_tri_siblings(
            outgoing_counts,
            outgoing,
            tri_sibling,
            scores,
            automaton,
            pair,
            link_starts,
            link_variables,
            int_starts,
            float_starts,
            floats,
        )
        for k in range(automaton, automaton + sizes[MORES]):
            codes[k] = TRI_SIBLINGS
    if pair > factor:
        begin_pairs(pair, twos + pairs, codes, link_starts, int_starts, float_starts)
    for k in range(pairs):
        link = link_starts[pair + twos + k]
        link_variables[link] = any_sibling_arcs[k, 0]
        link_variables[link + 1] = any_sibling_arcs[k, 1]
        floats[float_starts[pair + twos + k]] = any_sibling[k]
    factor += twos + pairs + sizes[MORES]
    if bigrams:
        codes[factor] = HEAD_BIGRAMS
        link = link_starts[factor]
        for arc in range(arcs):
            link_variables[link + arc] = arc
        i = int_starts[factor]
        ints[i] = words
        for word in range(words):
            ints[i + 1 + word] = incoming_starts[word + 1] - incoming_starts[word]
        f = float_starts[factor]
        for k in range(len(bigram)):
            floats[f + k] = bigram[k]
        factor += 1
        link_starts[factor] = link + arcs
        int_starts[factor] = i + 1 + words
        float_starts[factor] = f + len(bigram)
    for k in range(len(floats)):
        magnitude += abs(floats[k])
    totals[0] = constant
    totals[1] = magnitude


@inner
def begin_pairs(pair, count, codes, link_starts, int_starts, float_starts):
    """Where the pairs from factor `pair` on have their links and scores."""
    for k in range(pair, pair + count):
        codes[k] = PAIR
        link_starts[k + 1] = link_starts[k] + 2
        int_starts[k + 1] = int_starts[k]
        float_starts[k + 1] = float_starts[k] + 1
