"""What summarizers learn from besides their own topics: extracts of other topics, sentence pairs, and candidates.

The paper's auxiliary tasks have data of their own: 80 other topics for extraction, 4,481 sentence pairs for compression. Ours are
generated topics and pairs of other seeds; for real corpora the topics of the other corpora in the data folder, and all pairs of
google_eval and turkcorpus that no test set has.

The extracts also train the *pruner*: weights of concepts by which the candidates of a topic are chosen (section 5.1). It is
trained on topics that are nobody's training or test topics; where there are none, two halves of the training topics prune each
other, so that training sees candidates as good as those of new topics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from problems.linear_program import Floats
from problems.summarization.blueprint import Blueprint, blueprint, candidate_limit
from problems.summarization.compression_corpus import google_pairs, own_pairs, turk_pairs
from problems.summarization.corpora import Parser
from problems.summarization.learning_topics import learning_pairs
from problems.text.clusters import CLUSTER_SIZES
from problems.text.sentence import Cluster
from problems.text.topics import BUDGETS, HOME

from ..options import GENERATED
from .data import generated_topics, only_pairs, pair_examples, topics_of
from .examples import EXTRACTION, SECONDS, CompressionExample, TopicExample, extract_example, oracle_extract
from .systems import Settings, fit

AUXILIARY_TOPICS, AUXILIARY_PAIRS = 24, 600  # of generated corpora, where nothing else is asked for
AUXILIARY_SEEDS, PAIR_SEEDS = 250_000, 300_000  # of generated ones: those of no training, development or test topic
WIDER = 3  # candidates of the pruner's own topics, which document counts have chosen, in parts of the usual number
PRUNER = Settings(regularization=10.0, epochs=5)


class Source(NamedTuple):
    """Where auxiliary data comes from: what goes with a corpus of topics."""

    corpus: str
    folder: str
    parser: Parser | None
    seed: int
    size: str  # of generated topics
    bits: int
    pair_corpus: str = ""  # files of pairs, instead of google_eval and turkcorpus


def auxiliary_extracts(source: Source, count: int | None = None, seconds: float = SECONDS) -> list[TopicExample]:
    """Other topics with their oracle extracts; at most `count` of a corpus. Without other topics there are none."""
    found = []
    if source.corpus == GENERATED:
        limits = CLUSTER_SIZES[source.size]
        start, number = AUXILIARY_SEEDS, AUXILIARY_TOPICS if count is None else count
        made = [
            wide(cluster, limits.budget, source.bits, limits.candidate_words)
            for cluster in generated_topics(source.seed, number, source.size, start)
        ]
    else:
        made = [
            wide(cluster, BUDGETS[name], source.bits)
            for name in other_corpora(source)
            for cluster in topics_of(name, source.folder, source.parser, count, source.seed, source.size)
        ]
    for each in made:
        extract = oracle_extract(each, seconds)
        if extract:  # an empty gold has nothing to teach
            found.append(extract_example(each, extract))
    return found


def other_corpora(source: Source) -> list[str]:
    """The corpora with a reader of their own that are in the data folder, without the one that is trained on."""
    home = Path(source.folder) / HOME
    return [name for name in BUDGETS if name != source.corpus and (home / name).is_dir()]


def auxiliary_pairs(source: Source, count: int | None = None) -> list[CompressionExample]:
    """Sentence pairs that go with a corpus: generated ones, all of google_eval and turkcorpus, or those of files."""
    if source.corpus == GENERATED or source.parser is None:
        number = AUXILIARY_PAIRS if count is None else count
        return pair_examples(learning_pairs(PAIR_SEEDS + 1000 * source.seed, number), source.bits)
    folder = Path(source.folder)
    chosen = source.pair_corpus or only_pairs(folder)
    if chosen:
        return pair_examples(own_pairs(chosen, folder, source.parser, count), source.bits)
    pairs = google_pairs(folder, source.parser, count)
    left = None if count is None else count - len(pairs)
    if (folder / "compression" / "turkcorpus").is_dir() and (left is None or left > 0):
        pairs += turk_pairs(folder, source.parser, left)
    return pair_examples(pairs, source.bits)


def wide(cluster: Cluster, budget: int, bits: int, words: int | None = None) -> Blueprint:
    """A topic with more candidates than usual, chosen by document counts."""
    return blueprint(cluster, budget, bits, WIDER * (candidate_limit(budget) if words is None else words))


def fit_pruner(extracts: Sequence[TopicExample], bits: int, settings: Settings = PRUNER) -> Floats | None:
    """Weights of concepts by which candidates are chosen; None where there is nothing to learn from."""
    if not extracts:
        return None
    chosen = Settings(settings.regularization, settings.epochs, settings.initial_step, settings.seed, bits)
    return fit(extracts, chosen)[EXTRACTION]


class Prepared(NamedTuple):
    """Training topics with learned candidates, and the weights that choose those of new topics."""

    blueprints: list[Blueprint]
    pruner: Floats | None


def prepared(
    clusters: Sequence[Cluster], budget: int, bits: int, words: int | None, extracts: Sequence[TopicExample]
) -> Prepared:
    """Candidates by a pruner of auxiliary extracts; without these, by pruners of the other half of the topics."""

    def made(cluster: Cluster, pruner: Floats | None) -> Blueprint:
        return blueprint(cluster, budget, bits, words, pruner=pruner)

    if extracts or len(clusters) < 2:
        pruner = fit_pruner(extracts, bits)
        return Prepared([made(cluster, pruner) for cluster in clusters], pruner)
    return jackknifed(clusters, made, lambda cluster: wide(cluster, budget, bits, words), bits)


def jackknifed(
    clusters: Sequence[Cluster],
    made: Callable[[Cluster, Floats | None], Blueprint],
    widely: Callable[[Cluster], Blueprint],
    bits: int,
) -> Prepared:
    """Each half of the topics pruned by what the other half teaches; new topics by what all teach."""
    wide_ones = [widely(cluster) for cluster in clusters]
    golds = [extract_example(each, oracle_extract(each)) for each in wide_ones]

    def taught(numbers: Iterable[int]) -> Floats | None:
        return fit_pruner([golds[number] for number in numbers if golds[number].gold.any()], bits)

    count = len(clusters)
    halves = [taught(range(half, count, 2)) for half in (0, 1)]
    found = [made(cluster, halves[1 - number % 2]) for number, cluster in enumerate(clusters)]
    return Prepared(found, taught(range(count)))
