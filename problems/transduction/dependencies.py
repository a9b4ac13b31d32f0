"""From dependency trees to constituency trees: one projection per head.

A word with modifiers becomes a phrase over its tag and its modifiers' phrases, in the order of the words; a word without any is
its tag alone. A phrase is named after its head's tag and its relation, such as NOUNP-obl, because the relation is what
deletion depends on; the sentence is S, and several roots become its children. Where a tree is not projective, the
words that cause it are lifted to the nearest ancestor with which it is (Nivre & Nilsson 2005), or it is refused. Words that are
more than `DEEPEST` arcs below the root are lifted to the ancestor at that depth: whoever walks a tree may do so recursively.

`marked` trees also say which child is the head (its label has `HEAD_MARK` behind it) and what a word without modifiers is to its
head (det/DT): a grammar learns from both.

`binary` trees take up the modifiers one by one, the nearest first, those on the right before those on the left, so that a subject stands
above the verb and its objects. A production then has two children, and is seen again far more often than one with all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..errors import InputError
from ..parsing.trees import nonprojective_words, unreachable
from .trees import HEAD_MARK, Tree

SENTENCE = "S"
DEEPEST = 100
LONGEST_BINARY = 200  # words of a sentence whose tree can be binary: its depth may be their number


def lifted(heads: Sequence[int]) -> tuple[int, ...]:
    """The heads of a projective tree: the shortest non-projective arc is lifted to its head's head, until there is none."""
    changed = list(heads)
    while True:
        crossing = nonprojective_words(changed)
        if not crossing:
            return tuple(changed)
        word = min(crossing, key=lambda each: (abs(each - changed[each - 1]), each))
        changed[word - 1] = changed[changed[word - 1] - 1]


def shallow(heads: Sequence[int], deepest: int = DEEPEST) -> tuple[int, ...]:
    """Heads of a tree in which no word is more than `deepest` arcs below the root symbol; projective trees stay projective."""
    below: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        below[head].append(word)
    changed, depth, anchor = list(heads), [0] * (len(heads) + 1), list(range(len(heads) + 1))
    order = [0]
    for head in order:  # heads before their modifiers
        for word in below[head]:
            depth[word] = depth[head] + 1
            if depth[word] >= deepest:
                anchor[word] = anchor[head]
                changed[word - 1] = anchor[head]
        order += below[head]
    return tuple(changed)


def constituency(
    words: Sequence[str],
    tags: Sequence[str],
    heads: Sequence[int],
    relations: Sequence[str] | None = None,
    name: str = "the sentence",
    lift: bool = True,
    marked: bool = False,
    binary: bool = False,
    phrasal: Collection[int] = (),
) -> Tree:
    """The constituency tree of a dependency tree; words that are not projective are lifted, or refused.

    The `phrasal` words are phrases even without modifiers. Sentences of more than `LONGEST_BINARY` words are never binary.
    """
    count = len(words)
    parts = (tags, heads) if relations is None else (tags, heads, relations)
    if not count or any(len(part) != count for part in parts):
        raise InputError(
            f"{name}: words, tags, heads and relations must have the same number of entries, and at least one."
        )
    if any(not 0 <= head <= count for head in heads):
        raise InputError(f"{name}: heads must be from 0 to {count}.")
    lost = unreachable(heads)
    if lost:
        raise InputError(f"{name}: word {lost[0]} is in a cycle or below one, so there is no tree.")
    crossing = nonprojective_words(heads)
    if crossing and not lift:
        raise InputError(f"{name}: the tree is not projective: the arc to word {crossing[0]} crosses others.")
    heads = shallow(lifted(heads) if crossing else heads)
    below: list[list[int]] = [[] for _ in range(count + 1)]
    for word, head in enumerate(heads, 1):
        below[head].append(word)
    labels = [_label(tag) for tag in tags]
    names = [""] * count if relations is None else [_label(relation) for relation in relations]

    def leaf(word: int, is_head: bool) -> Tree:
        label = labels[word - 1]
        if marked:
            label = label + HEAD_MARK if is_head else f"{names[word - 1]}/{label}"
        return Tree(label, word=words[word - 1])

    def phrase(word: int) -> Tree:
        if not below[word] and word not in phrasal:
            return leaf(word, heads[word - 1] == 0)
        relation = "" if relations is None else f"-{names[word - 1]}"
        label = f"{labels[word - 1]}P"
        if binary and count <= LONGEST_BINARY:
            return Tree(label + relation, projection(word, label + HEAD_MARK))
        children = [phrase(child) if child != word else leaf(word, True) for child in sorted([*below[word], word])]
        return Tree(label + relation, tuple(children))

    def projection(word: int, label: str) -> tuple[Tree, ...]:
        """The children of a binary phrase; what is between it and its head has the label."""
        children: tuple[Tree, ...] = (leaf(word, True),)
        right = [child for child in below[word] if child > word]
        for child in (*right, *(child for child in reversed(below[word]) if child < word)):
            head = children[0] if len(children) == 1 else Tree(label, children)
            children = (head, phrase(child)) if child > word else (phrase(child), head)
        return children

    roots = [phrase(word) for word in below[0]]
    if len(roots) == 1 and roots[0].word is None:
        return Tree(SENTENCE, roots[0].children)
    return Tree(SENTENCE, tuple(roots))


def _label(text: str) -> str:
    """A label that brackets can hold."""
    return "".join("_" if letter in "() \t" else letter for letter in text) or "_"
