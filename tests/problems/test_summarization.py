"""Compressive summarization: objective, graph, roundings, hard constraints, generators, files."""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from checked_graphs import assert_same_graph, summarization_graph
from hypothesis import given, settings
from hypothesis import strategies as st

from problems import get_task
from problems.errors import InputError
from problems.kernels.tree_knapsack import subtree_ends, tree_knapsack
from problems.summarization.compressions import compressions, count_compressions
from problems.summarization.features import deletion_scores, undeletable_arcs
from problems.summarization.graph import build_graph
from problems.summarization.instance import Concept, Sentence, SummarizationInstance
from problems.summarization.rounding import improve, round_paper
from problems.text.sentence import ParsedSentence
from solvers import get_solver

TASK = get_task("summarization")


@st.composite
def instances(draw: st.DrawFn) -> SummarizationInstance:
    """Small problems: up to 3 sentences of up to 5 words, unigram to trigram concepts, scores of both signs."""
    score = st.integers(-4, 8).map(lambda value: value / 2)
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        length = draw(st.integers(1, 5))
        order = draw(st.permutations(range(1, length + 1)))
        heads = [0] * length
        for index in range(1, length):
            heads[order[index] - 1] = order[draw(st.integers(0, index - 1))]
        lists = st.lists(score, min_size=length, max_size=length)
        flags = st.lists(st.booleans(), min_size=length, max_size=length)
        sentences.append(Sentence(tuple(heads), tuple(draw(lists)), tuple(draw(flags))))
    concepts = []
    for number in range(draw(st.integers(0, 4))):
        tokens = set()
        for _ in range(draw(st.integers(1, 3))):
            index = draw(st.integers(0, len(sentences) - 1))
            first = draw(st.integers(1, len(sentences[index])))
            tokens.add((index, first, draw(st.integers(first, min(first + 2, len(sentences[index]))))))
        concepts.append(Concept(f"c{number}", draw(score), tuple(sorted(tokens))))
    budget = draw(st.integers(0, 10))
    return SummarizationInstance("random", tuple(sentences), tuple(concepts), budget, draw(st.integers(0, 3)))


@given(instances())
def test_graph_objective_equals_task_objective(instance: SummarizationInstance) -> None:
    graph = build_graph(instance)
    for summary in itertools.islice(TASK.structures(instance), 200):
        assignment = TASK.assignment(instance, summary)
        assert graph.objective(assignment) == pytest.approx(TASK.objective(instance, summary), abs=1e-9)
        assert TASK.structure(instance, assignment) == summary


@given(instances())
def test_graph_equals_the_one_that_checks_its_factors(instance: SummarizationInstance) -> None:
    assert_same_graph(build_graph(instance), summarization_graph(instance))


@pytest.mark.parametrize("size", ["tiny", "tac", "zipf"])
def test_graphs_of_generated_instances_equal_the_checked_ones(size: str) -> None:
    for seed in range(3):
        instance = TASK.generate(seed=seed, size=size)
        assert_same_graph(build_graph(instance), summarization_graph(instance))


def test_a_graph_without_sentences_has_no_factors() -> None:
    instance = SummarizationInstance("empty", (), (), 5)
    assert_same_graph(build_graph(instance), summarization_graph(instance))


@pytest.mark.parametrize("limits", [{"budget": 2.5}, {"max_sentences": 1.5}, {"budget": True}])
def test_budgets_that_are_not_whole_are_refused(limits: dict[str, float]) -> None:
    instance = dataclasses.replace(TASK.generate(seed=1, size="tiny"), **limits)
    with pytest.raises(InputError, match=r"a budget must be a whole number of at least 0, not (1.5|2.5|True)\."):
        build_graph(instance)


@given(instances())
def test_graph_optimum_equals_brute_force(instance: SummarizationInstance) -> None:
    best = get_solver("brute-force").solve(instance)
    found = get_solver("ilp-highs").solve(instance)
    assert found.status == "optimal"
    assert found.objective == pytest.approx(best.objective, abs=1e-6)


@given(instances(), st.randoms(use_true_random=False))
def test_roundings_are_feasible_and_search_never_loses(instance: SummarizationInstance, random: object) -> None:
    size = build_graph(instance).number_of_variables
    posteriors = np.array([random.choice([0.0, 0.3, 0.5, 0.9, 1.0]) for _ in range(size)])  # type: ignore[attr-defined]
    paper = TASK.round(instance, posteriors, "paper")
    search = TASK.round(instance, posteriors, "search")
    assert TASK.broken(instance, paper) is None
    assert TASK.broken(instance, search) is None
    assert TASK.objective(instance, search) >= TASK.objective(instance, paper) - 1e-9
    best = get_solver("brute-force").solve(instance).objective
    assert TASK.objective(instance, search) <= best + 1e-9


@given(instances(), st.randoms(use_true_random=False))
def test_paper_rounding_is_the_closest_summary_of_the_best_sentences(
    instance: SummarizationInstance, random: object
) -> None:
    nodes = len(instance.layout.words)
    posteriors = np.array([random.random() for _ in range(nodes)])  # type: ignore[attr-defined]
    summary = round_paper(instance, posteriors)
    ranked = np.argsort(-posteriors[instance.layout.starts], kind="stable")[: instance.max_sentences]

    def distance(candidate: object) -> float:
        return float(((TASK.assignment(instance, candidate)[:nodes] - posteriors) ** 2).sum())

    rivals = [s for s in TASK.structures(instance) if {index for index, _ in s} <= set(ranked.tolist())]
    assert distance(summary) == pytest.approx(min(map(distance, rivals)), abs=1e-9)


@given(instances(), st.integers(0, 6))
def test_tree_knapsack_is_the_best_closed_set(instance: SummarizationInstance, budget: int) -> None:
    layout = instance.layout
    rng = np.random.default_rng(budget)
    weights = rng.integers(-3, 4, len(layout.words)).astype(float)
    costs = (layout.words > 0).astype(np.int64)
    kept = tree_knapsack(
        np.arange(len(layout.starts)),
        layout.starts,
        layout.sizes,
        subtree_ends(layout.sizes, layout.parents),
        layout.undeletable,
        costs,
        weights,
        budget,
    )
    free = dataclasses.replace(instance, budget=budget, max_sentences=len(instance.sentences))
    totals = [weights @ TASK.assignment(free, s)[: len(weights)] for s in TASK.structures(free)]
    assert weights @ kept == pytest.approx(max(totals))
    assert TASK.broken(free, TASK.structure(free, kept)) is None


def test_dummy_is_kept_if_and_only_if_the_compression_is_not_empty() -> None:
    """With positive deletion scores everywhere, an empty compression with its dummy kept would pay if it were allowed."""
    sentences = tuple(Sentence((0, 1, 2), (5.0, 5.0, 5.0), (False, False, False)) for _ in range(3))
    instance = SummarizationInstance("positive", sentences, (), budget=1, max_sentences=3)
    solution = get_solver("ilp-highs").solve(instance)
    assert solution.objective == pytest.approx(5.0)  # one root word, its modifier deleted; nothing for the dummies
    assert solution.structure is not None
    ((_, kept),) = solution.structure
    assert kept == (1,)
    for block in build_graph(instance).blocks:
        if block.kind == "subtree":
            _, points = block.maximize(np.zeros(len(block.variables)))
            dummies = points[block.starts[:-1]]
            others = np.add.reduceat(points, block.starts[:-1]) - dummies
            assert ((dummies > 0) == (others > 0)).all()


def test_further_roots_are_attached_to_the_first() -> None:
    sentence = Sentence((2, 0, 0, 3), (0.0,) * 4, (False,) * 4)
    assert sentence.heads == (2, 0, 2, 3)
    assert sentence.undeletable == (False, True, False, False)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"heads": ()}, "at least one word"),
        ({"heads": (2, 1)}, "no root"),
        ({"heads": (0, 3, 2), "deletion_scores": (0.0,) * 3, "undeletable": (False,) * 3}, "has a cycle"),
        ({"heads": (0, 5)}, "numbers from 0 to 2"),
        ({"deletion_scores": (0.0,)}, "'deletion_scores' must have one entry for each of the 2 words"),
        ({"deletion_scores": (0.0, float("nan"))}, "'deletion_scores' must hold finite numbers"),
        ({"words": ("one",)}, "'words' must have one entry for each of the 2 words, or none"),
    ],
)
def test_broken_sentences_are_refused(fields: dict[str, object], said: str) -> None:
    valid: dict[str, object] = {"heads": (0, 1), "deletion_scores": (0.0, 0.0), "undeletable": (False, False)}
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        Sentence(**{**valid, **fields})  # type: ignore[arg-type]


def test_fields_with_defaults_may_be_left_out(saved: dict[str, object], tmp_path: Path) -> None:
    document = json.loads(json.dumps(saved))
    del document["max_sentences"]
    del document["references"]
    for sentence in document["sentences"]:
        for field in ("words", "tags", "labels", "document", "position"):
            del sentence[field]
    path = tmp_path / "short.json"
    path.write_text(json.dumps(document))
    instance = TASK.load(path)
    assert instance.max_sentences == 6
    assert {(sentence.document, sentence.position) for sentence in instance.sentences} == {(0, 0)}


def test_compressions_of_a_sentence_deeper_than_the_stack() -> None:
    chain = Sentence(tuple(range(1500)), (0.0,) * 1500, (True,) * 1500)
    assert list(compressions(chain)) == [tuple(range(1, 1501))]
    instance = SummarizationInstance("chain", (chain,), (), 2000)
    assert get_solver("brute-force").solve(instance).status == "optimal"


@given(instances(), st.sampled_from([1e-30, 1e-9, 1e9, 1e30]), st.randoms(use_true_random=False))
def test_search_does_not_depend_on_the_unit_of_scores(
    instance: SummarizationInstance, unit: float, random: object
) -> None:
    concepts = tuple(concept._replace(score=concept.score * unit) for concept in instance.concepts)
    sentences = tuple(
        dataclasses.replace(sentence, deletion_scores=tuple(score * unit for score in sentence.deletion_scores))
        for sentence in instance.sentences
    )
    other = dataclasses.replace(instance, concepts=concepts, sentences=sentences)
    size = build_graph(instance).number_of_variables
    posteriors = np.array([random.choice([0.0, 0.3, 0.9]) for _ in range(size)])  # type: ignore[attr-defined]
    found = TASK.objective(other, TASK.round(other, posteriors, "search"))
    assert TASK.objective(other, TASK.round(other, posteriors, "paper")) <= found + 1e-9 * unit
    for name in ("lp-highs", "ilp-glpk"):
        assert get_solver(name).solve(other).bound >= found - 1e-6 * abs(found) - 1e-9 * unit


@given(instances())
def test_compressions_are_counted(instance: SummarizationInstance) -> None:
    for sentence in instance.sentences:
        found = list(compressions(sentence))
        assert len(found) == len(set(found)) == count_compressions(sentence)


@given(instances())
def test_instances_survive_json(instance: SummarizationInstance) -> None:
    document = json.loads(json.dumps(TASK._to_document(instance)))
    assert TASK._from_document(document) == instance


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    path = tmp_path_factory.mktemp("saved") / "tiny.json"
    TASK.save(TASK.generate(1, "tiny"), path)
    return json.loads(path.read_text())  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.pop("budget"), "field 'budget' is missing; expected a whole number of at least 0"),
        (lambda d: d.update(budget=-5), "field 'budget' must be a whole number of at least 0 and below 2^63, not -5"),
        (lambda d: d.update(task="extraction"), "field 'task' is 'extraction', expected 'summarization'"),
        (lambda d: d["sentences"][1].update(heads="x"), "field 'sentences[1].heads' must be a list of whole numbers"),
        (lambda d: d["sentences"][0]["heads"].__setitem__(0, 99), "sentences[0]: field 'heads' must hold numbers"),
        (lambda d: d["concepts"][2].update(score=None), "field 'concepts[2].score' must be a finite number, not null"),
        (lambda d: d["concepts"][0].update(tokens=[0, 1]), "'concepts[0].tokens' must hold three whole numbers"),
        (lambda d: d["concepts"][0].update(tokens=[99, 1, 2]), "names words 1-2 of sentence 99"),
        (lambda d: d.update(sentences=3), "field 'sentences' must be a list of objects, not 3"),
        (
            lambda d: d["concepts"][0].update(tokens=[0, 1, 1, 0, 1, 1]),
            "'concepts[0].tokens' names words 1-1 of sentence 0",
        ),
        (lambda d: d["concepts"][0].update(tokens=[0, 1, 2, 0, 1, 2]), "names words 1-2 of sentence 0 twice"),
        (lambda d: d.update(max_sentence=3), "unknown field 'max_sentence': did you mean 'max_sentences'?"),
        (
            lambda d: d["sentences"][1].update(postion=3),
            "unknown field 'sentences[1].postion': did you mean 'position'?",
        ),
        (
            lambda d: d["sentences"][0]["words"].__setitem__(0, "\ud800"),
            "'sentences[0].words' must be a list of texts in",
        ),
    ],
)
def test_broken_files_are_named_by_field(saved: dict[str, object], tmp_path: Path, change: object, said: str) -> None:
    document = json.loads(json.dumps(saved))
    change(document)  # type: ignore[operator]
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError) as caught:
        TASK.load(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


def parsed(text: str) -> ParsedSentence:
    """A sentence from `word/TAG/head/label` items."""
    items = [item.rsplit("/", 3) for item in text.split()]
    words, tags, heads, labels = zip(*items, strict=True)
    return ParsedSentence(words, tags, tuple(int(head) for head in heads), labels)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("police/NNS/2/SUB arrested/VBD/0/ROOT him/PRP/2/OBJ yesterday/NN/2/VMOD", "1110"),
        ("he/PRP/2/SUB spoke/VBD/0/ROOT in/IN/2/VMOD Paris/NNP/3/PMOD", "1101"),
        ("he/PRP/2/SUB may/MD/0/ROOT leave/VB/2/VC soon/RB/3/VMOD", "1110"),
        ("it/PRP/2/SUB is/VBZ/0/ROOT big/JJ/2/PRD", "111"),
        ("old/JJ/2/NMOD men/NNS/5/SUB and/CC/2/COORD boys/NNS/2/COORD ran/VBD/0/ROOT", "11111"),
        ("they/PRP/2/SUB settled/VBD/0/ROOT down/RP/2/PRT quickly/RB/2/VMOD", "1110"),
        ("he/PRP/2/SUB made/VBD/0/ROOT it/PRP/2/OBJ available/JJ/2/VMOD", "1111"),
        ("she/PRP/2/SUB said/VBD/0/ROOT that/IN/2/VMOD", "111"),
        ("allowed/VBN/0/ROOT to/TO/1/VMOD come/VB/1/VMOD", "111"),
        ("it/PRP/3/SUB never/RB/3/VMOD rained/VBD/0/ROOT hard/RB/3/VMOD", "1110"),
        ("the/DT/3/NMOD two/CD/3/NMOD big/JJ/4/NMOD dogs/NNS/5/SUB slept/VBD/0/ROOT", "11011"),
        ("Jean/NNP/2/NMOD Martin/NNP/3/SUB left/VBD/0/ROOT", "111"),
        ("he/PRP/2/SUB sang/VBD/0/ROOT \"/``/5/P old/JJ/5/NMOD songs/NNS/2/VMOD \"/''/5/P loudly/RB/2/VMOD", "1101000"),
    ],
)
def test_hard_constraints_of_section_3_5(text: str, kept: str) -> None:
    assert "".join(str(int(flag)) for flag in undeletable_arcs(parsed(text))) == kept


def test_deletion_scores_like_time_expressions_and_spare_negations() -> None:
    sentence = parsed(
        "he/PRP/2/SUB left/VBD/0/ROOT on/IN/2/VMOD Friday/NNP/3/PMOD with/IN/2/VMOD "
        "friends/NNS/5/PMOD without/IN/2/VMOD money/NN/7/PMOD"
    )
    scores = deletion_scores(sentence)
    assert scores[2] > scores[4] > scores[6]


@pytest.mark.parametrize("size", ["tiny", "tac", "zipf"])
def test_generators_are_deterministic(size: str) -> None:
    assert TASK.generate(5, size) == TASK.generate(5, size)
    assert TASK.generate(5, size) != TASK.generate(6, size)


def test_tac_has_the_size_of_the_paper() -> None:
    for seed in range(5):
        instance = TASK.generate(seed)
        assert (instance.budget, instance.max_sentences, len(instance.references)) == (100, 6, 4)
        assert 950 <= instance.number_of_words <= 1000
        assert 300 <= len(instance.concepts) <= 600
        assert any(
            TASK.objective(instance, ((index, tuple(range(1, len(s) + 1))),)) > 0
            for index, s in enumerate(instance.sentences)
        )


def test_zipf_has_the_declared_shape() -> None:
    instance = TASK.generate(7, "zipf")
    assert len(instance.sentences) == 40
    assert (instance.budget, instance.max_sentences) == (100, 6)
    lengths = np.array([len(sentence) for sentence in instance.sentences])
    assert abs(lengths.mean() - 25) < 3
    tokens = [len(concept.tokens) for concept in instance.concepts]
    assert max(tokens) <= 5
    assert len(instance.concepts) <= 700
    assert abs(sum(tokens) / (lengths - 1).sum() - 0.75) < 0.05
    deletions = np.concatenate([sentence.deletion_scores for sentence in instance.sentences])
    assert deletions.min() < 0 < deletions.max()
    for concept in instance.concepts:
        documents = {instance.sentences[index].document for index, _, _ in concept.tokens}
        assert len(documents) <= concept.score <= 1.2 * len(documents)


def test_large_is_ten_times_tac() -> None:
    instance = TASK.generate(1, "large")
    assert 9_500 <= instance.number_of_words <= 10_000
    assert len(instance.concepts) >= 2_000


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_search_beats_the_papers_rounding_on_lp_solutions(seed: int) -> None:
    instance = TASK.generate(seed, "zipf")
    relaxed = get_solver("lp-highs", rounding="paper").solve(instance)
    better = TASK.round(instance, relaxed.posteriors, "search")
    assert TASK.broken(instance, better) is None
    assert relaxed.objective <= TASK.objective(instance, better) <= relaxed.bound
    assert TASK.objective(instance, better) >= 0.9 * relaxed.bound


def test_improve_from_nothing_finds_a_summary() -> None:
    instance = TASK.generate(2, "zipf")
    summary = improve(instance, (), np.arange(len(instance.sentences)))
    assert TASK.broken(instance, summary) is None
    assert TASK.objective(instance, summary) > 0


def test_summaries_are_readable() -> None:
    instance = TASK.generate(3, "tiny")
    summary = get_solver("ilp-highs").solve(instance).structure
    assert summary is not None
    for line, words in zip(TASK.render(instance, summary), TASK.marked(instance, summary), strict=True):
        assert line[0].isupper()
        assert line.endswith(".")
        kept = " ".join(word for word, keep in words if keep)
        assert line[1:-1] == kept[1:]
