"""Pairs whose constituency trees people bring themselves, in brackets: head rules make dependency trees of them.

A word's label is that of the largest phrase that it is the head of, its tag where there is none. So the grammar of transduction, whose
phrases are named after tags and labels, has the user's categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import InputError, quoted
from ..text.sentence import ParsedSentence
from ..transduction.trees import HEAD_MARK, Tree, head_child, heads_of, pruned, read_tree

DEEPEST = 200


def sentence_of(tree: Tree) -> ParsedSentence:
    """The dependency tree of a constituency tree."""
    leaves = list(tree.leaves())
    labels: dict[int, str] = {}

    def walk(node: Tree, start: int) -> tuple[int, int]:
        """The head word of a node whose first word is `start`, and the word after its last; larger phrases come later."""
        if node.word is not None:
            labels[start] = _plain(node.label)
            return start, start + 1
        words = []
        for child in node.children:
            word, start = walk(child, start)
            words.append(word)
        head = words[head_child(node)]
        labels[head] = _plain(node.label)
        return head, start

    walk(tree, 1)
    return ParsedSentence(
        tree.words(),
        tuple(_plain(leaf.label) for leaf in leaves),
        heads_of(tree),
        tuple(labels[word] for word in range(1, len(leaves) + 1)),
    )


def _plain(label: str) -> str:
    return label.removesuffix(HEAD_MARK) or label


def read_sentence(text: str, where: str) -> ParsedSentence:
    return sentence_of(_read(text, where))


def read_target(text: str, words: Sequence[str], where: str) -> ParsedSentence:
    """The tree of a compression over the words that were found in the sentence: marks that were not are left out."""
    tree, place, kept = _read(text, where), 0, set()
    for number, leaf in enumerate(tree.words(), 1):
        if place < len(words) and leaf.casefold() == words[place].casefold():
            place += 1
            kept.add(number)
    left = pruned(tree, kept)
    if left is None or place < len(words):
        raise InputError(f"{where}: the tree {quoted(text)} does not have the words of the compression.")
    return replace(sentence_of(left), words=tuple(words))


def _read(text: str, where: str) -> Tree:
    """Trees are walked by recursion, so that their levels are limited."""
    level = deepest = 0
    for letter in text:
        level += (letter == "(") - (letter == ")")
        deepest = max(deepest, level)
    if deepest > DEEPEST:
        raise InputError(f"{where}: the tree has {deepest} levels, expected at most {DEEPEST}.")
    return read_tree(text, where)


def words_of(text: str, where: str) -> tuple[str, ...]:
    """The words of a bracketed tree."""
    return _read(text, where).words()
