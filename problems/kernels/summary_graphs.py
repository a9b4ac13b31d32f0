"""The factors of extraction and summarization, laid out in flat arrays: numpy calls would take as long as some of AD3's iterations."""

from __future__ import annotations

from .cache import kernel
from .codes import BUDGET, KNAPSACK, OR_OUT, SUBTREE


@kernel
def fill_extraction(counts, sentences, number, codes, link_starts, variables):
    """An or_out for each concept over its sentences, then the knapsack over all of them."""
    link = 0
    entry = 0
    link_starts[0] = 0
    for concept in range(len(counts)):
        for _ in range(counts[concept]):
            variables[link] = sentences[entry]
            link += 1
            entry += 1
        variables[link] = number + concept
        link += 1
        codes[concept] = OR_OUT
        link_starts[concept + 1] = link
    for sentence in range(number):
        variables[link] = sentence
        link += 1
    codes[len(counts)] = KNAPSACK
    link_starts[len(counts) + 1] = link


@kernel
def fill_summary(layout, own, codes, link_starts, variables, negated, int_starts, ints, float_starts):
    """Trees, and_outs of the tokens of two or more words, or_outs of the concepts, the budgets on words and on sentences.

    Returns how many tokens have a variable of their own, and the first link of the words' budget. `own` becomes each token's
    variable. The budgets themselves, and the trees' scores, are left to the caller.
    """
    sizes, parents, undeletable, words = layout.sizes, layout.parents, layout.undeletable, layout.words
    token_starts, token_nodes, token_concepts = layout.token_starts, layout.token_nodes, layout.token_concepts
    trees, nodes, tokens, concepts = len(sizes), len(words), len(own), len(layout.concept_scores)
    factor = 0
    link = 0
    link_starts[0] = 0
    int_starts[0] = 0
    float_starts[0] = 0
    for tree in range(trees):
        size = sizes[tree]
        for node in range(link, link + size):
            variables[node] = node
            ints[link + node] = parents[node]
            ints[link + node + size] = undeletable[node]
        link += size
        codes[factor] = SUBTREE
        factor += 1
        link_starts[factor] = link
        int_starts[factor] = 2 * link
        float_starts[factor] = link
    conjunctions = 0
    for token in range(tokens):
        first = token_starts[token]
        end = token_starts[token + 1]
        own[token] = token_nodes[first]
        if end - first < 2:
            continue
        own[token] = nodes + conjunctions
        conjunctions += 1
        for entry in range(first, end):
            variables[link] = token_nodes[entry]
            link += 1
        variables[link] = own[token]
        link += 1
        codes[factor] = OR_OUT
        factor += 1
        link_starts[factor] = link
    for node in range(nodes):
        negated[node] = False
    for other in range(nodes, link):
        negated[other] = True
    unsigned = link
    token = 0
    for concept in range(concepts):
        while token < tokens and token_concepts[token] == concept:
            variables[link] = own[token]
            link += 1
            token += 1
        variables[link] = nodes + conjunctions + concept
        link += 1
        codes[factor] = OR_OUT
        factor += 1
        link_starts[factor] = link
    budget = link
    for node in range(nodes):
        if words[node] > 0:
            variables[link] = node
            link += 1
    codes[factor] = BUDGET
    link_starts[factor + 1] = link
    for tree in range(trees):
        variables[link] = layout.starts[tree]
        link += 1
    codes[factor + 1] = BUDGET
    link_starts[factor + 2] = link
    for other in range(unsigned, link):
        negated[other] = False
    for other in range(trees + 1, factor + 3):
        int_starts[other] = 2 * nodes + max(other - factor, 0)
        float_starts[other] = nodes
    return conjunctions, budget
