"""Constituency trees: bracketed text, spans, and the dependency tree that head rules read off them.

Every word has a preterminal node (its tag) of its own. Nodes are immutable; words are numbered from 1 in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import InputError

TOKEN = re.compile(r"[()]|[^\s()]+")
ESCAPES = {"(": "-LRB-", ")": "-RRB-"}
LEFT, RIGHT = 1, -1
HEAD_RULES: dict[str, tuple[int, tuple[str, ...]]] = {  # where to start, and which child is the head, best first
    "ROOT": (LEFT, ("S", "SINV", "SQ")),
    "S": (LEFT, ("VP", "S", "ADJP", "NP")),
    "SBAR": (LEFT, ("S", "VP", "SBAR")),
    "VP": (LEFT, ("VBD", "VBZ", "VBP", "VB", "VBN", "VBG", "MD", "TO", "VP", "ADJP", "NP")),
    "NP": (RIGHT, ("NN", "NNS", "NNP", "PRP", "CD", "NP", "VBG", "JJ")),
    "PP": (LEFT, ("IN", "TO", "PP")),
    "ADVP": (RIGHT, ("RB", "ADVP")),
    "ADJP": (RIGHT, ("JJ", "ADJP", "VBN")),
}
HEAD_MARK = "^"  # behind the label of a child that is known to be the head
NOT_A_HEAD = frozenset({",", ".", ":", "CC", "``", "''", "-LRB-", "-RRB-"})


@dataclass(frozen=True)
class Tree:
    """A node: a phrase with children, or a tag with its word."""

    label: str
    children: tuple[Tree, ...] = ()
    word: str | None = None

    def leaves(self) -> Iterator[Tree]:
        """The preterminal nodes in order."""
        if self.word is not None:
            yield self
        for child in self.children:
            yield from child.leaves()

    def words(self) -> tuple[str, ...]:
        return tuple(leaf.word or "" for leaf in self.leaves())

    def __str__(self) -> str:
        if self.word is not None:
            return f"({self.label} {''.join(ESCAPES.get(letter, letter) for letter in self.word)})"
        return f"({self.label} {' '.join(map(str, self.children))})"


def read_tree(text: str, where: str = "the tree") -> Tree:
    """The tree of a bracketed text such as (S (NP (PRP It)) (VP (VBD worked))); anything else is refused."""
    trees = list(_read_trees(text, where))
    if len(trees) != 1:
        raise InputError(f"{where}: expected one tree in brackets, found {len(trees)}.")
    return trees[0]


def _read_trees(text: str, where: str) -> Iterator[Tree]:
    stack: list[tuple[str | None, list[Tree | str]]] = []
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append((None, []))
        elif not stack:
            raise InputError(f"{where}: {token!r} stands outside of all brackets.")
        elif token == ")":
            node = _node(*stack.pop(), where)
            if stack:
                stack[-1][1].append(node)
            else:
                yield node
        elif stack[-1][0] is None and not stack[-1][1]:
            stack[-1] = (token, stack[-1][1])
        else:
            stack[-1][1].append(token)
    if stack:
        raise InputError(f"{where}: {len(stack)} brackets are not closed.")


def _node(label: str | None, parts: list[Tree | str], where: str) -> Tree:
    children = tuple(part for part in parts if isinstance(part, Tree))
    if label is None:
        if len(children) == 1 and len(parts) == 1:  # the Penn Treebank's outermost brackets have no label
            return children[0]
        raise InputError(f"{where}: a node has no label.")
    if len(children) == len(parts) and children:
        return Tree(label, children)
    if len(parts) == 1 and isinstance(parts[0], str):
        word = parts[0]
        for letter, escape in ESCAPES.items():
            word = word.replace(escape, letter)
        return Tree(label, word=word)
    raise InputError(f"{where}: node {label!r} must have one word, or children that are nodes.")


def head_child(node: Tree) -> int:
    """Which child is the head: a marked one, else by the label's rule, else the first or last that is no punctuation."""
    for index, child in enumerate(node.children):
        if child.label.endswith(HEAD_MARK):
            return index
    direction, wanted = HEAD_RULES.get(node.label.partition("-")[0], (RIGHT, ()))
    order = range(len(node.children))[::direction]
    labels = [child.label.partition("-")[0] if child.word is None else child.label for child in node.children]
    for label in wanted:
        for index in order:
            if labels[index] == label:
                return index
    for index in order:
        if labels[index] not in NOT_A_HEAD:
            return index
    return order[0]


def heads_of(tree: Tree) -> tuple[int, ...]:
    """The head of every word by the head rules; 0 for the head of the whole."""
    heads: dict[int, int] = {}

    def walk(node: Tree, start: int) -> tuple[int, int]:
        """The head word of a node whose first word is `start`, and the word after its last."""
        if node.word is not None:
            return start, start + 1
        words = []
        for child in node.children:
            word, start = walk(child, start)
            words.append(word)
        head = words[head_child(node)]
        heads.update({word: head for word in words if word != head})
        return head, start

    root, end = walk(tree, 1)
    heads[root] = 0
    return tuple(heads[word] for word in range(1, end))


def fresh(tree: Tree) -> Tree:
    """A copy in which no two places share a node, so that nodes can be told apart by identity."""
    return Tree(tree.label, tuple(map(fresh, tree.children)), tree.word)


def pruned(tree: Tree, kept: set[int]) -> Tree | None:
    """The tree over the kept words: what has lost all words is gone, a node above one node of its own label too."""

    def walk(node: Tree, start: int) -> tuple[Tree | None, int]:
        if node.word is not None:
            return (node if start in kept else None), start + 1
        children = []
        for child in node.children:
            found, start = walk(child, start)
            if found is not None:
                children.append(found)
        if not children:
            return None, start
        if len(children) == 1 and children[0].label == node.label:
            return children[0], start
        return Tree(node.label, tuple(children)), start

    return walk(tree, 1)[0]
