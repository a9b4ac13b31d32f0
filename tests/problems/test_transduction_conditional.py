"""Grammars from parses of both sides: extraction, frequencies and forests against plain enumeration, and binary trees."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems.compression.corpora import ParsedPair, generated_pairs
from problems.errors import InputError
from problems.text.sentence import ParsedSentence
from problems.transduction.conditional import ConditionalGrammar
from problems.transduction.dependencies import LONGEST_BINARY, constituency
from problems.transduction.derive import derivation_forest
from problems.transduction.enumerate import derivations
from problems.transduction.grammar import FALLBACK_COUNT, actions, head_word, production_of
from problems.transduction.learned.grammar_file import from_plain, to_plain
from problems.transduction.learned.model import target_tree_of, tree_of
from problems.transduction.rules import Pattern, Rule, extract, steps_of
from problems.transduction.trees import Tree, head_child, heads_of, read_tree

# -- trees of any shape over given words -------------------------------------------------------------------------------


def any_tree(rng: np.random.Generator, words: list[str]) -> Tree:
    """A random tree over some words: phrases of up to three children, now and then above one."""
    if len(words) == 1:
        leaf = Tree(str(rng.choice(["N", "V"])), word=words[0])
        return Tree("X", (leaf,)) if rng.random() < 0.3 else leaf
    parts = int(rng.integers(2, min(3, len(words)) + 1))
    cuts = [0, *sorted(rng.choice(np.arange(1, len(words)), parts - 1, replace=False).tolist()), len(words)]
    children = tuple(any_tree(rng, words[cuts[i] : cuts[i + 1]]) for i in range(parts))
    return Tree(str(rng.choice(["S", "NP", "VP"])), children)


def any_pair(seed: int, most: int = 6) -> tuple[Tree, Tree, tuple[int, ...]]:
    rng = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(int(rng.integers(2, most + 1)))]
    kept = tuple((np.flatnonzero(rng.random(len(words)) < 0.6) + 1).tolist()) or (1,)
    source, target = any_tree(rng, words), any_tree(rng, [words[word - 1] for word in kept])
    if source.word is not None or target.word is not None:
        source, target = Tree("S", (source,)), Tree("S", (target,))
    return source, target, kept


# -- extraction by enumeration -----------------------------------------------------------------------------------------

Path = tuple[int, ...]


def leaves_below(tree: Tree) -> dict[Path, set[int]]:
    """The words below each node, a node being the way down to it."""
    found: dict[Path, set[int]] = {}

    def walk(node: Tree, path: Path, start: int) -> int:
        end = start + (node.word is not None)
        for index, child in enumerate(node.children):
            end = walk(child, (*path, index), end)
        found[path] = set(range(start, end))
        return end

    walk(tree, (), 1)
    return found


def at(tree: Tree, path: Path) -> Tree:
    for index in path:
        tree = tree.children[index]
    return tree


def strictly_below(path: Path, above: Path) -> bool:
    return len(path) > len(above) and path[: len(above)] == above


def slow_rules(source: Tree, target: Tree, kept: tuple[int, ...]) -> Counter[tuple[Pattern, str, Pattern]]:
    """The minimal rules by definition: all pairs of nodes, those linked to each other alone, the highest on both sides."""
    sources, targets = leaves_below(source), leaves_below(target)
    links = {word: number for number, word in enumerate(kept, 1)}
    aligned = [
        (one, two)
        for one, words in sources.items()
        for two, others in targets.items()
        if {links[word] for word in words if word in links} == others
    ]
    rules: Counter[tuple[Pattern, str, Pattern]] = Counter()

    def rule(one: Path, two: Path) -> None:
        below = [(a, b) for a, b in aligned if strictly_below(a, one) and strictly_below(b, two)]
        tops = {a for a, _ in below if not any(strictly_below(a, other) for other, _ in below)}
        partner = {a: min((b for c, b in below if c == a), key=len) for a in tops}

        def fragment(tree: Tree, path: Path, cuts: set[Path], links_of: dict[Path, set[int]]) -> Pattern:
            node = at(tree, path)
            if path in cuts or (tree is source and not links_of[path] & set(kept)):
                return node.label, None
            if node.word is not None:
                return node.label, node.word
            return node.label, tuple(fragment(tree, (*path, k), cuts, links_of) for k in range(len(node.children)))

        pattern = fragment(source, one, tops, sources)
        shape = fragment(target, two, set(partner.values()), targets)
        rules[pattern, at(target, two).label, shape] += 1
        for a, b in partner.items():
            rule(a, b)

    rule((), ())
    return rules


@given(st.integers(0, 10**6))
def test_extraction_is_the_definition(seed: int) -> None:
    source, target, kept = any_pair(seed)
    found = Counter(
        (step.rule.source, step.rule.label, step.rule.shape) for step in steps_of(extract(source, target, kept))
    )
    assert found == slow_rules(source, target, kept)


# -- probabilities -----------------------------------------------------------------------------------------------------

CLAUSE = "(S (NP he) (VP (V said) (S (NP it) (V closed))))"


def test_probabilities_by_hand() -> None:
    """Of four kept nodes that the fragment fits, three keep the inner clause alone and one keeps all."""
    tree = read_tree(CLAUSE)
    alone = (tree, read_tree("(S (NP it) (V closed))"), (3, 4))
    whole = (tree, tree, (1, 2, 3, 4))
    grammar = ConditionalGrammar([alone, alone, alone, whole], 1)
    scores = {str(rule): score for rules in grammar.rules.values() for rule, score in rules}
    alone_rule = "S[(NP) VP[(V) S[NP#1 V#2]]] -> S[VP[S[NP#1 V#2]]]"
    whole_rule = "S[NP#1 VP[V#2 S[NP#3 V#4]]] -> S[NP#1 VP[V#2 S[NP#3 V#4]]]"
    of_four = math.log(4 + FALLBACK_COUNT)
    assert scores[alone_rule] == pytest.approx(math.log(3) - of_four)
    assert scores[whole_rule] == pytest.approx(math.log(1) - of_four)
    assert scores["S[(NP) VP#1] -> S[VP#1]"] == pytest.approx(math.log(3) - of_four)
    assert scores["S[NP#1 VP#2] -> S[NP#1 VP#2]"] == pytest.approx(math.log(1) - of_four)
    assert scores["VP[(V) S#1] -> VP[S#1]"] == pytest.approx(math.log(3) - of_four)
    assert grammar.fallback_score(tree) == pytest.approx(math.log(FALLBACK_COUNT) - of_four)
    assert whole_rule not in map(str, ConditionalGrammar([alone, alone, alone, whole], 2).counts)
    assert len(ConditionalGrammar([alone, whole], None)) == 0
    clause = next(rule for rule in grammar.counts if str(rule) == alone_rule)
    assert grammar.counts[clause] == 3
    features = set(grammar.rule_features(clause, scores[alone_rule]))
    assert {("root", "S"), ("same yield", False), ("leaves", "4", "2"), ("probability", "-1")} <= features
    done = [(node.label, stays) for node, stays in actions(clause, tree)]
    assert done == [("NP", False), ("VP", True), ("V", False), ("S", True), ("NP", True), ("V", True)]


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 2))
def test_frequencies_are_those_of_all_kept_nodes(seed: int, least: int) -> None:
    """Every rule's count and probability, by looking at every node of every tree."""
    pairs = [any_pair(seed + number, 5) for number in range(8)]
    grammar = ConditionalGrammar(pairs, least)
    for rules in grammar.rules.values():
        for rule, score in rules:
            fits = same = 0
            for source, _, kept in pairs:
                below = leaves_below(source)
                for path, words in below.items():
                    ends = frontier(rule.source, source, path) if words & set(kept) else None
                    if ends is not None:
                        fits += 1
                        same += [bool(below[end] & set(kept)) for end in ends] == [
                            part is not None for part in rule.target
                        ]
            assert grammar.counts[rule] == same >= least
            assert score == pytest.approx(math.log(same / (fits + FALLBACK_COUNT)))


def frontier(pattern: Pattern, tree: Tree, path: Path) -> list[Path] | None:
    """The ways down to a fragment's frontier where it fits a node."""
    node, (label, below) = at(tree, path), pattern
    if node.label != label:
        return None
    if below is None:
        return [path]
    if node.word is not None or len(node.children) != len(below):
        return None
    parts = [frontier(part, tree, (*path, index)) for index, part in enumerate(below)]
    return None if None in parts else [end for part in parts if part is not None for end in part]


def test_the_parse_of_the_compression_decides_which_fragments_belong_together() -> None:
    tree = read_tree(CLAUSE)
    pruned = read_tree("(S (VP (S (NP it) (V closed))))")
    deep = "S[(NP) VP[(V) S[NP#1 V#2]]] -> S[VP[S[NP#1 V#2]]]"
    found, other = (
        ConditionalGrammar([(tree, target, (3, 4))], 1) for target in (read_tree("(S (NP it) (V closed))"), pruned)
    )
    assert deep in map(str, found.counts)
    assert deep not in map(str, other.counts)


def test_words_are_evidence() -> None:
    """P(keep | labels, word) / P(keep | labels), from counts."""
    trees = [read_tree(f"(S (NP {word}) (VP ran))") for word in ("a", "a", "b", "b")]
    pairs = [(tree, read_tree("(S (VP ran))"), (2,)) for tree in trees[:2]]
    pairs += [(tree, tree, (1, 2)) for tree in trees[2:]]
    grammar = ConditionalGrammar(pairs, 1)
    smooth = 3.0
    general = (2 + smooth * 0.7) / (4 + smooth)  # of 4 children that are no heads 2 are kept
    labels = (2 + smooth * general) / (4 + smooth)
    word = (0 + smooth * labels) / (2 + smooth)
    keep, delete = grammar.evidence(trees[0], trees[0].children[0], False)
    assert keep == pytest.approx(math.log(word / labels))
    assert delete == pytest.approx(math.log((1 - word) / (1 - labels)))


def slow_best(grammar: ConditionalGrammar, node: Tree, kept: set[int], start: int) -> float:
    """The best score of deriving a node with exactly these words: plain recursion."""
    if node.word is not None:
        return 0.0 if start in kept else -np.inf
    spans: dict[int, tuple[int, int]] = {}
    above: dict[int, tuple[Tree, bool]] = {}

    def place(part: Tree, first: int) -> int:
        end = first + (part.word is not None)
        for index, child in enumerate(part.children):
            end = place(child, end)
            above[id(child)] = part, index == head_child(part)
        spans[id(part)] = first, end
        return end

    place(node, start)

    def alive(part: Tree) -> bool:
        return any(word in kept for word in range(*spans[id(part)]))

    def matches(pattern: Pattern, part: Tree) -> list[tuple[Tree, bool]] | None:
        """(node, is it at the frontier) of all nodes below the root, top down."""
        name, below = pattern
        if part.label != name:
            return None
        if below is None:
            return [(part, True)]
        if isinstance(below, str):
            return [(part, True)] if part.word == below else None
        if [each[0] for each in below] != [child.label for child in part.children]:
            return None
        found = [(part, False)]
        for each, child in zip(below, part.children, strict=True):
            more = matches(each, child)
            if more is None:
                return None
            found += more
        return found

    def value(rule: Rule, score: float) -> float:
        found = matches(rule.source, node)
        if found is None:
            return -np.inf
        total, wanted = score, iter(rule.target)
        frontier = {id(part): next(wanted) for part, last in found if last}
        for part, last in found[1:]:
            if alive(above[id(part)][0]):  # inside of what is deleted nothing is done
                total += grammar.evidence(above[id(part)][0], part, above[id(part)][1])[0 if alive(part) else 1]
            if not last:
                continue
            target = frontier[id(part)]
            if (target is not None) != alive(part):
                return -np.inf
            if target is not None:
                total += slow_best(grammar, part, kept, spans[id(part)][0])
        return total

    if not alive(node):
        return -np.inf
    total = grammar.fallback_score(node)
    for index, child in enumerate(node.children):
        keep, delete = grammar.child_score(node, child, index == head_child(node))
        inside = slow_best(grammar, child, kept, spans[id(child)][0]) if alive(child) else 0.0
        total += (keep if alive(child) else delete) + inside
    return max(total, *(value(*each) for each in grammar.rules.get(production_of(node), ())), -np.inf)


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_forests_have_the_best_score_of_every_choice_of_words(seed: int) -> None:
    pairs = [any_pair(seed + number, 5) for number in range(12)]
    grammar = ConditionalGrammar(pairs, 1)
    tree = pairs[seed % 12][0]
    forest, _ = derivation_forest(grammar, tree)
    best: dict[tuple[int, ...], float] = {}
    for kept, edges in derivations(forest):
        best[kept] = max(best.get(kept, -np.inf), float(forest.scores[list(edges)].sum()))
    words = len(tree.words())
    every = [kept for count in range(1, words + 1) for kept in combinations(range(1, words + 1), count)]
    assert sorted(best) == sorted(every)
    for kept, value in best.items():
        assert value == pytest.approx(slow_best(grammar, tree, set(kept), 1), abs=1e-9)


def test_a_conditional_grammar_survives_its_plain_form() -> None:
    grammar = ConditionalGrammar([any_pair(seed) for seed in range(30)], 1)
    back = from_plain(to_plain(grammar))
    assert isinstance(back, ConditionalGrammar)
    assert (back.counts, dict(back.rules)) == (grammar.counts, dict(grammar.rules))
    tree = any_pair(3)[0]
    np.testing.assert_array_equal(derivation_forest(back, tree)[0].scores, derivation_forest(grammar, tree)[0].scores)
    broken = to_plain(grammar)
    broken["counts"][0] = 0
    with pytest.raises(InputError, match="'counts'"):
        from_plain(broken)


# -- binary trees and parses of compressions ---------------------------------------------------------------------------


def test_modifiers_are_taken_up_one_by_one() -> None:
    words, tags = ("he", "quickly", "closed", "it", "today"), ("P", "R", "V", "P", "N")
    tree = constituency(words, tags, (3, 3, 0, 3, 3), ("nsubj", "adv", "root", "obj", "obl"), marked=True, binary=True)
    assert str(tree) == ("(S (nsubj/P he) (VP^ (adv/R quickly) (VP^ (VP^ (V^ closed) (obj/P it)) (obl/N today))))")
    assert heads_of(tree) == (3, 3, 0, 3, 3)


def test_binary_trees_give_words_and_heads_back() -> None:
    for pair in generated_pairs(range(30)):
        tree = tree_of(pair.sentence)
        assert tree.words() == pair.sentence.words
        assert heads_of(tree) == pair.sentence.heads
        stack = [tree]
        while stack:
            node = stack.pop()
            assert len(node.children) <= 2
            stack += node.children


def test_a_long_sentence_is_not_binary() -> None:
    count = LONGEST_BINARY + 1
    tree = constituency(("w",) * count, ("X",) * count, (0, *(1,) * (count - 1)), marked=True, binary=True)
    assert len(tree.children) == count


def test_the_tree_of_a_compression_is_its_own_parse() -> None:
    """The parser may see another structure in the compression; words that are phrases in the source stay phrases."""
    sentence = ParsedSentence(
        ("he", "said", "the", "bank", "closed"),
        ("P", "V", "D", "N", "V"),
        (2, 0, 4, 5, 2),
        ("a", "root", "d", "b", "c"),
    )
    pair = ParsedPair("one", sentence, (4, 5), (5, 0), ("x", "root"))
    assert str(target_tree_of(pair)) == "(S (NP-x (N^ bank)) (V^ closed))"
    top = extract(tree_of(sentence), target_tree_of(pair), pair.kept).rule
    assert str(top) == "S[(a/P) VP^[(V^) VP-c[NP-b#1 V^#2]]] -> S[NP-x#1 V^#2]"
    assert head_word(tree_of(sentence)) == "said"
