"""The atoms of one part of a parse, as `templates` joins them: its words, tags around them, sides and distances.

`rows` has the atoms of each word (`parsing/atoms.py`): row 0 stands before the root symbol, row 1 is the root symbol, row w + 1 is word
w, then comes one row behind the last word and one for "no word" (START and END). `kinds` says which words are verbs (1),
punctuation (2) or conjunctions (3).
"""

from __future__ import annotations

from .cache import inner
from .templates import MULTIPLIER

ATOMS = 12  # of a word: form, fine tag, coarse tag, suffix, lemma, morphology, case, agreement, four of its context
AROUND = 72  # behind six words: fine and coarse tags before and behind the first two words
TAGS_AROUND = 4
SIDE, SPAN, VERBS, STOPS, LINKS, OTHER, FINE_BETWEEN, COARSE_BETWEEN = 80, 81, 82, 83, 84, 85, 86, 87
LOCAL = 88  # atoms of a part in all
# the blocks of a program, in the order of `parsing/templates.py`
ARC, BETWEEN, SIBLING, GRANDPARENT, ANY_SIBLING, BIGRAM, GRAND_SIBLING, TRI_SIBLING, LABEL = range(9)


@inner
def code(value):
    """A small number as an atom."""
    return (value + 1) * MULTIPLIER


@inner
def put(local, place, rows, row):
    """The atoms of one word as the part's word number `place`."""
    for atom in range(ATOMS):
        local[ATOMS * place + atom] = rows[row, atom]


@inner
def put_around(local, place, rows, row):
    """The tags of the words before and behind a row."""
    at = AROUND + TAGS_AROUND * place
    last = len(rows) - 1
    before = row - 1 if row > 0 else 0
    behind = row + 1 if row < last else last
    local[at] = rows[before, 1]
    local[at + 1] = rows[behind, 1]
    local[at + 2] = rows[before, 2]
    local[at + 3] = rows[behind, 2]


@inner
def distance_bin(distance):
    """1 to 5 as they are, then 6-7, 8-10, 11-15, 16-20, 21-30 and more."""
    if distance <= 5:
        return distance
    if distance <= 7:
        return 6
    if distance <= 10:
        return 7
    if distance <= 15:
        return 8
    if distance <= 20:
        return 9
    if distance <= 30:
        return 10
    return 11


@inner
def few(value):
    return value if value < 3 else 3


@inner
def put_head(local, rows, head):
    """What an arc has of its head."""
    put(local, 0, rows, head + 1)
    put_around(local, 0, rows, head + 1)


@inner
def put_modifier(local, rows, counts, head, modifier):
    """What it has of its modifier, and of both: all but the words between its ends."""
    put(local, 1, rows, modifier + 1)
    put_around(local, 1, rows, modifier + 1)
    right = 1 if modifier > head else 0
    low, high = (head, modifier) if head < modifier else (modifier, head)
    far = 0 if head == 0 else distance_bin(high - low)
    local[SIDE] = code(right)
    local[SPAN] = code(2 + 2 * far + right)
    local[VERBS] = code(100 + few(counts[high, 0] - counts[low + 1, 0]))
    local[STOPS] = code(110 + few(counts[high, 1] - counts[low + 1, 1]))
    local[LINKS] = code(120 + few(counts[high, 2] - counts[low + 1, 2]))


@inner
def put_arc(local, rows, counts, head, modifier):
    """Everything about an arc but the words between its ends."""
    put_head(local, rows, head)
    put_modifier(local, rows, counts, head, modifier)


@inner
def count_kinds(kinds, counts):
    """counts[w] = how many verbs, punctuation marks and conjunctions there are before word w."""
    counts[0] = 0
    if len(counts) > 1:
        counts[1] = 0
    for word in range(1, len(counts) - 1):
        for kind in range(3):
            counts[word + 1, kind] = counts[word, kind] + (1 if kinds[word] == kind + 1 else 0)


@inner
def put_siblings(local, rows, head, first, second, right, none):
    """Two modifiers of a head, consecutive or not; 0 is START or END."""
    put(local, 0, rows, head + 1)
    put(local, 1, rows, first + 1 if first > 0 else none)
    put_next_sibling(local, rows, head, first, second, right, none)


@inner
def put_next_sibling(local, rows, head, first, second, right, none):
    """What changes with the second modifier: in a run of parts the rest stays."""
    put(local, 2, rows, second + 1 if second > 0 else none)
    local[SIDE] = code(right)
    start = first if first > 0 else head
    local[SPAN] = code(2 + 2 * (distance_bin(abs(second - start)) if second > 0 else 0) + right)


@inner
def put_grandparent(local, rows, grandparent, head, modifier):
    put(local, 0, rows, grandparent + 1)
    put(local, 1, rows, head + 1)
    put_grandchild(local, rows, grandparent, head, modifier)


@inner
def put_grandchild(local, rows, grandparent, head, modifier):
    """What changes with the modifier."""
    put(local, 2, rows, modifier + 1)
    order = (4 if grandparent < head else 0) + (2 if head < modifier else 0) + (1 if grandparent < modifier else 0)
    local[SIDE] = code(order)
    local[SPAN] = code(8 + 8 * (0 if grandparent == 0 else distance_bin(abs(grandparent - modifier))) + order)


@inner
def put_grand_siblings(local, rows, grandparent, head, first, second, right, none):
    put(local, 0, rows, grandparent + 1)
    put(local, 1, rows, head + 1)
    put(local, 2, rows, first + 1 if first > 0 else none)
    put_next_grandchild(local, rows, grandparent, head, second, right, none)


@inner
def put_next_grandchild(local, rows, grandparent, head, second, right, none):
    """What changes with the second modifier."""
    put(local, 3, rows, second + 1 if second > 0 else none)
    beyond = 1 if second > 0 and (grandparent < second) != (grandparent < head) else 0
    local[SIDE] = code(4 * beyond + 2 * right + (1 if grandparent < head else 0))


@inner
def put_tri_siblings(local, rows, head, first, second, third, right, none):
    put(local, 0, rows, head + 1)
    put(local, 1, rows, first + 1 if first > 0 else none)
    put(local, 2, rows, second + 1)
    put(local, 3, rows, third + 1 if third > 0 else none)
    local[SIDE] = code(right)


@inner
def put_third(local, rows, third, none):
    """What changes with the last of three modifiers."""
    put(local, 3, rows, third + 1 if third > 0 else none)


@inner
def put_bigram(local, rows, word, head, next_head):
    """The heads of a word and of the one after it."""
    put(local, 0, rows, head + 1)
    put(local, 2, rows, word + 1)
    put(local, 3, rows, word + 2)
    put_next_head(local, rows, word, head, next_head)


@inner
def put_next_head(local, rows, word, head, next_head):
    """What changes with the second head."""
    put(local, 1, rows, next_head + 1)
    how = 0
    if head == next_head:
        how = 1
    elif head == word + 1:
        how = 2
    elif next_head == word:
        how = 3
    elif head < next_head:
        how = 4
    sides = 4 * how + (2 if head > word else 0) + (1 if next_head > word + 1 else 0)
    local[SIDE] = code(sides)
    near = 3 * min(abs(head - word), 3) + min(abs(next_head - word - 1), 3)
    local[SPAN] = code(32 + 32 * near + sides)
