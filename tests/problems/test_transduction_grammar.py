"""Trees, rule extraction, grammars, forests, learning, gold compressions and the converter of task `transduction`."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems.errors import InputError
from problems.parsing.corpora import TREEBANKS, treebank_file
from problems.parsing.trees import nonprojective_words, unreachable
from problems.text.conll import read_treebank
from problems.transduction.dependencies import constituency, lifted
from problems.transduction.derive import derivation_forest
from problems.transduction.discriminative import best_path, train
from problems.transduction.enumerate import derivations
from problems.transduction.generate import example
from problems.transduction.gold import is_subtree
from problems.transduction.grammar import Grammar, match, production_of
from problems.transduction.learn import best_edges, learn
from problems.transduction.rules import WORD, Pattern, Step, composed, extract, lexicalised, steps_of
from problems.transduction.sentences import sentence_of
from problems.transduction.trained import TRAINING
from problems.transduction.trees import Tree, head_child, heads_of, pruned, read_tree

SOURCE = "(S (NP (DT the) (JJ old) (NN bank)) (VP (ADVP (RB quickly)) (VBD closed) (PP (IN in) (NP (NNP Rome)))) (. .))"
KEPT = (1, 3, 5, 8)  # the bank closed .


def pair(source: str = SOURCE, kept: tuple[int, ...] = KEPT) -> tuple[Tree, Tree, tuple[int, ...]]:
    tree = read_tree(source)
    target = pruned(tree, set(kept))
    assert target is not None
    return tree, target, kept


# -- trees -------------------------------------------------------------------------------------------------------------

labels = st.sampled_from(["S", "NP", "VP", "X-y", ","])
trees = st.recursive(
    st.builds(lambda label, word: Tree(label, word=word), labels, st.sampled_from(["a", "(", "b)", "-", "1.5"])),
    lambda below: st.builds(
        lambda label, children: Tree(label, tuple(children)), labels, st.lists(below, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


@given(trees)
def test_brackets_are_read_as_written(tree: Tree) -> None:
    assert read_tree(str(tree)) == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found 0"),
        ("(S (A a)) (S (A a))", "found 2"),
        ("(S (A a)", "not closed"),
        ("a (S (A a))", "outside"),
        ("(S)", "must have one word"),
        ("(S (A a) b)", "must have one word"),
        ("(S a b)", "must have one word"),
        ("((A a) (B b))", "no label"),
    ],
)
def test_what_is_no_tree_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"file\.mrg: .*{message}"):
        read_tree(text, "file.mrg")


def test_the_outermost_brackets_of_the_penn_treebank_need_no_label() -> None:
    assert read_tree("( (S (A a)) )") == read_tree("(S (A a))")


def test_heads_and_pruning_by_hand() -> None:
    tree = read_tree(SOURCE)
    assert heads_of(tree) == (3, 3, 5, 5, 0, 5, 6, 5)
    assert str(pruned(tree, set(KEPT))) == "(S (NP (DT the) (NN bank)) (VP (VBD closed)) (. .))"
    assert pruned(tree, set()) is None
    nested = read_tree("(NP (NP (DT the) (NN bank)) (PP (IN of) (NP (NNP Rome))))")
    assert str(pruned(nested, {1, 2})) == "(NP (DT the) (NN bank))"


# -- rules -------------------------------------------------------------------------------------------------------------


def test_minimal_rules_by_hand() -> None:
    rules = [str(step.rule) for step in steps_of(extract(*pair()))]
    assert rules[:2] == ["S[NP#1 VP#2 .#3] -> S[NP#1 VP#2 .#3]", "NP[DT#1 (JJ) NN#2] -> NP[DT#1 NN#2]"]
    assert "VP[(ADVP) VBD#1 (PP)] -> VP[VBD#1]" in rules
    assert "NN[bank] -> NN[bank]" in rules
    assert len(rules) == 3 + len(KEPT)


def test_a_clause_that_replaces_its_sentence_makes_a_rule_of_two_levels() -> None:
    source = "(S (NP (PRP he)) (VP (VBD said) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD closed))))))"
    top = extract(read_tree(source), read_tree("(S (NP (PRP it)) (VP (VBD closed)))"), (4, 5)).rule
    assert str(top) == "S[(NP) VP[(VBD) SBAR[(IN) S[NP#1 VP#2]]]] -> S[NP#1 VP#2]"
    other = extract(read_tree(source), read_tree("(FRAG (VP (VBD closed)))"), (5,)).rule
    assert (other.label, other.target) == (
        "FRAG",
        (
            None,
            "VP",
        ),
    )


def test_composed_and_lexicalised_rules_by_hand() -> None:
    step = extract(*pair())
    assert "S[NP[DT#1 (JJ) NN#2] VP#3 .#4] -> S[NP[DT#1 NN#2] VP#3 .#4]" in map(str, composed(step))
    noun = step.below[0]
    assert sorted(map(str, composed(noun))) == [
        "NP[DT#1 (JJ) NN[bank]] -> NP[DT#1 NN[bank]]",
        "NP[DT[the] (JJ) NN#1] -> NP[DT[the] NN#1]",
    ]
    assert list(map(str, lexicalised(noun))) == ["NP[DT#1 (JJ[old]) NN#2] -> NP[DT#1 NN#2]"]
    assert "VP[(ADVP) VBD#1 PP[(IN[in]) NP[(NNP[Rome])]]] -> VP[VBD#1]" in map(str, lexicalised(step.below[1]))


def rebuilt(step: Step) -> Tree:
    """The target tree that the steps make: shapes with their variables filled in."""
    below = iter([step.below[place] for place in sorted(step.below)])

    def fill(shape: Pattern) -> Tree:
        label, children = shape
        if children is None:
            return rebuilt(next(below))
        if isinstance(children, str):
            return Tree(label, word=children)
        return Tree(label, tuple(fill(child) for child in children))

    return fill(step.rule.shape)


@pytest.mark.parametrize("seed", range(25))
def test_the_rules_of_a_pair_make_its_target_and_match_its_source(seed: int) -> None:
    tree, kept = example(seed, "news", TRAINING)
    target = pruned(tree, set(kept))
    assert target is not None
    top = extract(tree, target, kept)
    assert rebuilt(top) == target
    for rule in (top.rule, *composed(top), *lexicalised(top)):
        nodes = match(rule.source, tree)
        assert nodes is not None
        assert len(nodes) == len(rule.target)
        assert rule.production() == production_of(tree)
        variables = [label for label in rule.target if label not in (None, WORD)]
        assert len(variables) == str(rule).split(" -> ")[1].count("#")


def test_an_alignment_of_another_length_names_the_sentence() -> None:
    tree, target, _ = pair()
    with pytest.raises(InputError, match="sentence 7: 2 words are aligned"):
        extract(tree, target, (1, 2), "sentence 7")


# -- grammar and forest ------------------------------------------------------------------------------------------------


def slow_best(grammar: Grammar, node: Tree, label: str, kept: set[int], start: int) -> float:
    """The best log-probability of deriving a node with this target label and exactly these words: plain recursion."""
    if node.word is not None:
        return 0.0 if start in kept else -np.inf
    spans: dict[int, tuple[int, int]] = {}

    def place(part: Tree, first: int) -> int:
        end = first + (part.word is not None)
        for child in part.children:
            end = place(child, end)
        spans[id(part)] = first, end
        return end

    place(node, start)

    def alive(part: Tree) -> bool:
        return any(word in kept for word in range(*spans[id(part)]))

    if not alive(node):
        return -np.inf
    best = -np.inf
    if label == node.label:
        head = head_child(node)
        total = grammar.fallback_score(node)
        for index, child in enumerate(node.children):
            scores = grammar.child_score(node, child, index == head)
            total += (
                scores[0] + slow_best(grammar, child, child.label, kept, spans[id(child)][0])
                if alive(child)
                else scores[1]
            )
        best = total
    for rule, score in grammar.rules.get(production_of(node), ()):
        nodes = match(rule.source, node)
        if nodes is None or rule.label != label:
            continue
        total = score
        for part, wanted in zip(nodes, rule.target, strict=True):
            if wanted is None:
                total += -np.inf if alive(part) else 0.0
            else:
                total += slow_best(grammar, part, wanted, kept, spans[id(part)][0])
        best = max(best, total)
    return best


def small_grammar() -> Grammar:
    pairs = []
    for seed in range(60):
        tree, kept = example(seed, "10", TRAINING)
        target = pruned(tree, set(kept))
        assert target is not None
        pairs.append((tree, target, kept))
    return Grammar(pairs)


def test_every_choice_of_words_has_a_derivation_with_the_best_score() -> None:
    grammar = small_grammar()
    assert len(grammar) > 60
    for seed in range(4):
        tree = example(seed, "tiny").tree
        forest, rules = derivation_forest(grammar, tree)
        assert len(rules) == len(forest.tails)
        best: dict[tuple[int, ...], float] = {}
        for kept, edges in derivations(forest):
            best[kept] = max(best.get(kept, -np.inf), float(forest.scores[list(edges)].sum()))
        words = len(tree.words())
        every = [kept for count in range(1, words + 1) for kept in combinations(range(1, words + 1), count)]
        assert sorted(best) == sorted(every)
        for kept, value in best.items():
            slow = max(slow_best(grammar, tree, label, set(kept), 1) for label in ("S", "NP", "VP"))
            assert value == pytest.approx(slow, abs=1e-9)


@given(trees)
def test_even_an_empty_grammar_derives_every_tree(tree: Tree) -> None:
    forest, _ = derivation_forest(Grammar([]), tree)
    count = len(tree.words())
    assert len({kept for kept, _ in derivations(forest)}) == 2**count - 1


def test_a_tree_without_words_names_the_sentence() -> None:
    with pytest.raises(InputError, match="sentence 7: the source tree has no words"):
        derivation_forest(Grammar([]), Tree("S"), "sentence 7")


def test_probabilities_of_a_production_sum_to_one_with_the_fallback() -> None:
    grammar = small_grammar()
    tree = read_tree("(NP (DT the) (JJ old) (NN bank))")
    own = sum(np.exp(score) for rule, score in grammar.rules[production_of(tree)] if rule.label == "NP")
    assert own + np.exp(grammar.fallback_score(tree)) == pytest.approx(1.0)
    assert own > 0.5
    for child, is_head in ((tree.children[1], False), (tree.children[2], True)):
        assert np.exp(grammar.child_score(tree, child, is_head)).sum() == pytest.approx(1.0)
    unseen = read_tree("(Q (DT the))")
    assert grammar.fallback_score(unseen) == 0.0


# -- learning ----------------------------------------------------------------------------------------------------------


def test_the_best_derivation_is_the_best_of_all() -> None:
    rng = np.random.default_rng(0)
    grammar = small_grammar()
    for seed in range(4):
        tree, _ = example(seed, "tiny")
        forest, _ = derivation_forest(grammar, tree)
        scores, words = rng.normal(size=len(forest.tails)), rng.normal(size=len(tree.words()))
        every = list(derivations(forest))
        values = [scores[list(edges)].sum() + words[np.array(kept) - 1].sum() for kept, edges in every]
        assert tuple(best_edges(forest, scores, words, None)) == every[int(np.argmax(values))][1]
        wanted = every[len(every) // 2][0]
        flags = np.isin(np.arange(1, len(words) + 1), wanted)
        best = max((each for each in every if each[0] == wanted), key=lambda each: scores[list(each[1])].sum())
        assert tuple(best_edges(forest, scores, 0 * words, flags)) == best[1]


def test_learning_fits_the_training_sentences_better() -> None:
    sentences = [example(seed, "10", TRAINING) for seed in range(60)]
    grammar = small_grammar()

    def errors() -> int:
        wrong = 0
        for tree, kept in sentences:
            forest, _ = derivation_forest(grammar, tree)
            edges = best_edges(forest, forest.scores, np.zeros(10), None)
            derived = np.repeat(np.arange(len(forest.links)), forest.edge_counts)[edges]
            found = {int(word) + 1 for word in forest.links[derived, 0] if word >= 0}
            wrong += len(found ^ set(kept))
        return wrong

    before = errors()
    learn(grammar, sentences)
    assert grammar.learnt
    assert errors() < 0.7 * before


def test_the_discriminative_table_is_its_features_times_weights() -> None:
    sentences = [example(seed, "10", TRAINING) for seed in range(30)]
    model = train(sentences, epochs=2)
    rng = np.random.default_rng(1)
    for seed in range(5):
        tree, _ = example(seed, "10")
        features = model.features(tree)
        table = model.table(features)
        for _ in range(10):
            kept = tuple((np.flatnonzero(rng.random(10) < 0.6) + 1).tolist()) or (3,)
            path = (0, *kept, 11)
            value = sum(table[i, j] for i, j in pairwise(path))
            counted = sum(model.weights[numbers].sum() for numbers in model.counts(features, kept))
            assert value == pytest.approx(counted, abs=1e-9)


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_best_path_is_the_best_of_all(seed: int, words: int) -> None:
    table = np.random.default_rng(seed).normal(size=(words + 2, words + 2))
    every = [kept for count in range(1, words + 1) for kept in combinations(range(1, words + 1), count)]

    def value(kept: tuple[int, ...]) -> float:
        path = (0, *kept, words + 1)
        return float(sum(table[i, j] for i, j in pairwise(path)))

    assert best_path(table) == max(every, key=value)


# -- generated sentences -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [2, 3, 4, 7, 12, 24, 25, 40, 60])
def test_sentences_have_the_asked_length(length: int) -> None:
    for seed in range(3):
        assert len(sentence_of(np.random.default_rng(seed), length).words()) == length


def test_gold_compressions_have_the_rate_and_the_share_of_broken_subtrees() -> None:
    rates, broken = [], []
    for seed in range(400):
        tree, kept = example(seed, "news")
        assert kept
        assert tuple(sorted(set(kept))) == kept
        flags = np.zeros(len(tree.words()) + 2, dtype=bool)
        flags[list(kept)] = True
        rates.append(len(kept) / len(tree.words()))
        broken.append(not is_subtree(heads_of(tree), flags))
    assert np.mean(rates) == pytest.approx(0.70, abs=0.025)
    assert np.mean(broken) == pytest.approx(0.476, abs=0.06)  # 2.4 standard deviations


# -- the converter -----------------------------------------------------------------------------------------------------


def test_one_projection_per_head() -> None:
    tree = constituency(("the", "bank", "closed"), ("DET", "NOUN", "VERB"), (2, 3, 0), ("det", "nsubj", "root"))
    assert str(tree) == "(S (NOUNP-nsubj (DET the) (NOUN bank)) (VERB closed))"
    assert str(constituency(("no",), ("X",), (0,))) == "(S (X no))"
    assert str(constituency(("a", "b"), ("X", "Y"), (0, 0))) == "(S (X a) (Y b))"


def test_what_is_not_projective_is_lifted_or_refused() -> None:
    heads = (3, 0, 2, 1)  # the arc from 1 to 4 crosses 2
    words = ("a", "b", "c", "d")
    assert nonprojective_words(heads)
    straight = lifted(heads)
    assert not nonprojective_words(straight)
    assert constituency(words, words, heads).words() == words
    with pytest.raises(InputError, match=r"sentence 7: .*not projective"):
        constituency(words, words, heads, name="sentence 7", lift=False)
    with pytest.raises(InputError, match="sentence 7: word 1 is in a cycle"):
        constituency(words, words, (2, 1, 0, 3), name="sentence 7")
    with pytest.raises(InputError, match="from 0 to 4"):
        constituency(words, words, (2, 0, 9, 3))
    with pytest.raises(InputError, match="same number"):
        constituency(words, words, (0, 1))


@pytest.mark.parametrize("treebank", TREEBANKS)
def test_real_treebanks_become_trees_with_derivations(treebank: str, data_folder: Path) -> None:
    grammar, converted, crossing = Grammar([]), 0, 0
    for sentence in read_treebank(treebank_file(treebank, data_folder, "dev")):
        if unreachable(sentence.heads) or len(sentence.words) > 60:
            continue
        tree = constituency(sentence.words, sentence.coarse_tags, sentence.heads, sentence.relations, sentence.name)
        assert tree.words() == sentence.words
        assert read_tree(str(tree)) == tree
        crossing += bool(nonprojective_words(sentence.heads))
        converted += 1
        if converted % 20 == 0:
            forest, _ = derivation_forest(grammar, tree, sentence.name)
            assert forest.links.max() == len(sentence.words) - 1
        if converted == 150:
            break
    assert converted > 100
    assert crossing > 0
