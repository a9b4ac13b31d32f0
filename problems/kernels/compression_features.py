"""Hashed features of compression parts (Table 1 of Qian & Liu 2014): tokens, bigrams of kept words, dependency arcs.

Words, tags and labels come as 64-bit hashes; a template mixes a few of them with its own number, and the low bits of the
result are the weight's place. `words` and `tags` have two symbols before position 0 (the root and start symbol) and two
behind position n + 1 (the end symbol), so that position p is at p + 2. A row function writes the places of one part into
`row` and returns how many there are; whoever calls it adds weights up or keeps the places.

With `with_syntax` tokens have further `facts` (word i's are those from `fact_starts[i - 1]` on) and bigrams those of
`compression_syntax`; `first` and `last` are the ends of each word's subtree.
"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel
from .compression_syntax import PAD, arc_type, bigram_syntax, bucket, mix

LONGEST, PER_WORD = 128, 7  # features of a part: at most so many, and so many for each word of the sentence
FAR = 20  # distances beyond it are the same
NO_ARCS, ALL_ARCS, SOURCE_ARCS = 0, 1, 2  # which arcs are parts
ONE_STEP = np.array([0, -1, 1, 0, 0])  # the five pairs of near words of two words a and b: a's step and b's
OTHER_STEP = np.array([0, 0, 0, -1, 1])


@inner
def token_row(words, tags, stops, fact_starts, facts, i, mask, row):
    p = i + PAD
    count = 0
    for k in range(5):
        row[count] = mix(np.uint64(1 + k), words[p - 2 + k])
        row[count + 1] = mix(np.uint64(6 + k), tags[p - 2 + k])
        count += 2
    row[count] = mix(mix(np.uint64(11), words[p]), tags[p])
    row[count + 1] = mix(mix(np.uint64(12), words[p - 1]), words[p])
    row[count + 2] = mix(mix(np.uint64(13), words[p]), words[p + 1])
    count += 3
    for k in range(4):
        row[count] = mix(mix(np.uint64(14 + k), tags[p - 2 + k]), tags[p - 1 + k])
        count += 1
    for k in range(3):
        row[count] = mix(mix(mix(np.uint64(18 + k), tags[p - 2 + k]), tags[p - 1 + k]), tags[p + k])
        count += 1
    row[count] = mix(np.uint64(21), np.uint64(stops[i]))
    count += 1
    for k in range(fact_starts[i - 1], fact_starts[i]):
        row[count] = facts[k]
        count += 1
    for k in range(count):
        row[k] &= mask
    return count


@inner
def pair_features(first, words, tags, p, q, near, row, count):
    """Five pairs of words, their tags, both together, and each of these with the distance."""
    for k in range(5):
        a, b = p + ONE_STEP[k], q + OTHER_STEP[k]
        by_words = mix(mix(np.uint64(first + k), words[a]), words[b])
        by_tags = mix(mix(np.uint64(first + 5 + k), tags[a]), tags[b])
        both = mix(by_words, by_tags)
        row[count] = by_words
        row[count + 1] = by_tags
        row[count + 2] = both
        row[count + 3] = mix(by_words, near)
        row[count + 4] = mix(by_tags, near)
        row[count + 5] = mix(both, near)
        count += 6
    return count


@inner
def between(template, tags, kinds, low, high, one, other, seen, stamp, row, count):
    """The tags between two words with theirs, each tag once. `seen[kind]` is the last part that had a tag of the kind."""
    base = mix(mix(np.uint64(template), one), other)
    for k in range(low + 1, high):
        if seen[kinds[k]] != stamp:
            seen[kinds[k]] = stamp
            row[count] = mix(base, tags[k + PAD])
            count += 1
    return count


@inner
def bigram_row(words, tags, kinds, labels, heads, first, last, with_syntax, i, j, seen, stamp, mask, row):
    p, q = i + PAD, j + PAD
    near = np.uint64(bucket(j - i))
    row[0] = mix(np.uint64(30), np.uint64(min(j - i, FAR)))
    count = pair_features(31, words, tags, p, q, near, row, 1)
    count = between(41, tags, kinds, i, j, tags[p], tags[q], seen, stamp, row, count)
    if with_syntax:
        count = bigram_syntax(words, tags, labels, heads, first, last, i, j, row, count)
    for k in range(count):
        row[k] &= mask
    return count


@inner
def arc_row(words, tags, kinds, labels, heads, h, m, seen, stamp, mask, row):
    p, q = h + PAD, m + PAD
    right = np.uint64(1) if h < m else np.uint64(0)
    gap = m - h if h < m else h - m
    near = np.uint64(bucket(gap)) * np.uint64(2) + right
    kind = arc_type(heads, labels, h, m)
    row[0] = mix(mix(np.uint64(70), np.uint64(min(gap, FAR))), right)
    row[1] = mix(np.uint64(71), right)
    row[2] = mix(np.uint64(72), kind)
    row[3] = mix(mix(np.uint64(73), kind), right)
    row[4] = mix(mix(mix(np.uint64(74), kind), tags[p]), tags[q])
    row[5] = mix(mix(np.uint64(75), kind), words[p])
    row[6] = mix(mix(np.uint64(76), kind), words[q])
    count = pair_features(77, words, tags, p, q, near, row, 7)
    for k in range(4):
        a, b = p - 1 + k // 2, q - 1 + k % 2
        four = mix(mix(mix(mix(np.uint64(87 + k), tags[a]), tags[a + 1]), tags[b]), tags[b + 1])
        row[count] = four
        row[count + 1] = mix(four, near)
        count += 2
    count = between(91, tags, kinds, min(h, m), max(h, m), tags[p], tags[q], seen, stamp, row, count)
    for k in range(count):
        row[k] &= mask
    return count


@kernel
def score_parts(
    words,
    tags,
    kinds,
    labels,
    heads,
    stops,
    first,
    last,
    fact_starts,
    facts,
    with_syntax,
    with_bigrams,
    arcs,
    mask,
    weights,
    scores,
):
    """Adds up the weights of all parts: n tokens, (n + 2)^2 bigrams, (n + 1) n arcs, row by row."""
    n = len(heads) - 1
    row = np.empty(LONGEST + PER_WORD * n, dtype=np.uint64)
    seen = np.zeros(n + 2, dtype=np.int64)
    stamp = 0
    for i in range(1, n + 1):
        count = token_row(words, tags, stops, fact_starts, facts, i, mask, row)
        total = 0.0
        for k in range(count):
            total += weights[np.int64(row[k])]
        scores[i - 1] = total
    if with_bigrams:
        for i in range(n + 1):
            for j in range(i + 1, n + 2):
                stamp += 1
                count = bigram_row(
                    words, tags, kinds, labels, heads, first, last, with_syntax, i, j, seen, stamp, mask, row
                )
                total = 0.0
                for k in range(count):
                    total += weights[np.int64(row[k])]
                scores[n + i * (n + 2) + j] = total
    arcs_start = n + (n + 2) * (n + 2)
    for h in range(n + 1 if arcs != NO_ARCS else 0):
        for m in range(1, n + 1):
            if h == m or (arcs == SOURCE_ARCS and heads[m] != h):
                continue
            stamp += 1
            count = arc_row(words, tags, kinds, labels, heads, h, m, seen, stamp, mask, row)
            total = 0.0
            for k in range(count):
                total += weights[np.int64(row[k])]
            scores[arcs_start + h * n + m - 1] = total


@kernel
def write_rows(
    words,
    tags,
    kinds,
    labels,
    heads,
    stops,
    first,
    last,
    fact_starts,
    facts,
    with_syntax,
    with_bigrams,
    arcs,
    mask,
    parts,
    starts,
    places,
):
    """The places of the weights of some parts, one part after the other; a part that the model does not have has none."""
    n = len(heads) - 1
    row = np.empty(LONGEST + PER_WORD * n, dtype=np.uint64)
    seen = np.zeros(n + 2, dtype=np.int64)
    arcs_start = n + (n + 2) * (n + 2)
    for index in range(len(parts)):
        part = parts[index]
        count = 0
        if part < n:
            count = token_row(words, tags, stops, fact_starts, facts, part + 1, mask, row)
        elif part < arcs_start:
            i, j = (part - n) // (n + 2), (part - n) % (n + 2)
            if with_bigrams and i < j:
                count = bigram_row(
                    words, tags, kinds, labels, heads, first, last, with_syntax, i, j, seen, index + 1, mask, row
                )
        else:
            h, m = (part - arcs_start) // n, (part - arcs_start) % n + 1
            if arcs != NO_ARCS and h != m and (arcs == ALL_ARCS or heads[m] == h):
                count = arc_row(words, tags, kinds, labels, heads, h, m, seen, index + 1, mask, row)
        start = starts[index]
        for k in range(count):
            places[start + k] = np.int64(row[k])
        starts[index + 1] = start + count
