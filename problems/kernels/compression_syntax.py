"""What the source tree says of two words: how they stand to each other, and what is deleted between them.

Dependency types of arcs (Table 1 of Qian & Liu 2014), and bigram features after McDonald (2006), who looks at the constituents that a
bigram's deletions take away. Words and tags have two symbols before position 0, as in `compression_features`.
"""

from __future__ import annotations

import numpy as np

from .cache import inner

FACTOR = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)
PAD = 2
TOPS = 4  # more deleted subtrees than this are the same


@inner
def mix(hashed, atom):
    """Order matters: mix(mix(t, a), b) is another number than mix(mix(t, b), a)."""
    mixed = (hashed ^ atom) * FACTOR
    return mixed ^ (mixed >> HALF)


@inner
def bucket(distance):
    """1 to 5 are themselves, then 6 to 10, then all others."""
    if distance <= 5:
        return distance
    return 6 if distance <= 10 else 7


@inner
def arc_type(heads, labels, h, m):
    """How the head stands to its modifier in the source tree, with the labels on the way."""
    above = heads[m]
    if above == h:
        return mix(np.uint64(60), labels[m])
    if above > 0 and heads[above] == h:
        return mix(mix(np.uint64(61), labels[m]), labels[above])
    if h == 0:
        return mix(np.uint64(62), labels[m])
    while above > 0:
        above = heads[above]
        if above == h:
            return mix(np.uint64(63), labels[m])
    if heads[h] == heads[m]:
        return mix(mix(np.uint64(64), labels[m]), labels[h])
    above = h
    while above > 0:
        above = heads[above]
        if above == m:
            return mix(np.uint64(65), labels[h])
    return mix(np.uint64(66), labels[m])


@inner
def head_place(heads, word, i, j):
    """Where the head of a bigram's word is: before both, the first, deleted between them, the second, behind; 5 for start and end symbol."""
    if word == 0 or word == len(heads):
        return 5
    head = heads[word]
    if head < i:
        return 0
    if head == i:
        return 1
    if head < j:
        return 2
    return 3 if head == j else 4


@inner
def bigram_syntax(words, tags, labels, heads, first, last, i, j, row, count):
    """The tree between two kept neighbours i < j, and each deleted subtree that hangs from outside of the deleted words."""
    n = len(heads) - 1
    p, q = i + PAD, j + PAD
    near = np.uint64(bucket(j - i))
    one, other = np.uint64(head_place(heads, i, i, j)), np.uint64(head_place(heads, j, i, j))
    label, next_label = labels[i] if i > 0 else np.uint64(0), labels[j] if j <= n else np.uint64(1)
    both = mix(mix(np.uint64(100), one), other)
    row[count] = both
    row[count + 1] = mix(mix(both, label), next_label)
    row[count + 2] = mix(mix(both, tags[p]), tags[q])
    row[count + 3] = mix(mix(mix(np.uint64(101), one), label), near)
    row[count + 4] = mix(mix(mix(np.uint64(102), other), next_label), near)
    row[count + 5] = mix(mix(mix(np.uint64(103), label), next_label), near)
    row[count + 6] = mix(mix(mix(np.uint64(104), one), label), words[p])
    row[count + 7] = mix(mix(mix(np.uint64(105), other), next_label), words[q])
    count += 8
    if i > 0 and j <= n:
        kind = mix(arc_type(heads, labels, i, j), arc_type(heads, labels, j, i))
        row[count] = mix(np.uint64(106), kind)
        row[count + 1] = mix(mix(np.uint64(107), kind), near)
        row[count + 2] = mix(mix(mix(np.uint64(108), kind), tags[p]), tags[q])
        count += 3
    tops = 0
    broken = 0
    for k in range(i + 1, j):
        head = heads[k]
        if head > i and head < j:
            continue
        whole = first[k] > i and last[k] < j
        side = np.uint64((1 if head <= i else 0) + (2 if whole else 0) + (4 if head in (i, j) else 0))
        tops += 1
        broken += 0 if whole else 1
        about = mix(mix(np.uint64(110), labels[k]), side)
        row[count] = about
        row[count + 1] = mix(about, tags[k + PAD])
        row[count + 2] = mix(about, words[k + PAD])
        row[count + 3] = mix(mix(about, np.uint64(111)), tags[head + PAD])
        row[count + 4] = mix(mix(about, np.uint64(112)), np.uint64(bucket(last[k] - first[k] + 1)))
        row[count + 5] = mix(mix(about, np.uint64(113)), words[head + PAD])
        count += 6
    row[count] = mix(mix(np.uint64(114), np.uint64(min(tops, TOPS))), np.uint64(min(broken, TOPS)))
    row[count + 1] = mix(row[count], tags[q])
    return count + 2
