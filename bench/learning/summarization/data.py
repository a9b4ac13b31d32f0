"""Where the summarizer's training and test topics come from: generated clusters, or a corpus parsed by our own parser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from problems.compression.corpora import file_hash
from problems.errors import InputError, nearest
from problems.parsing.model import ParserModel
from problems.summarization.blueprint import Blueprint, blueprint
from problems.summarization.compression_corpus import google_pairs
from problems.summarization.corpora import Parser, parsed_corpus
from problems.summarization.model import SummarizerModel
from problems.summarization.pairs import CompressionPair, explained, generated_pairs
from problems.text.clusters import CLUSTER_SIZES, cluster_of_size
from problems.text.raw import split_text
from problems.text.sentence import Cluster, ParsedSentence
from problems.text.topics import BUDGETS
from problems.text.treebank import Sentence

from ..options import GENERATED
from ..parsing.learners import parser_decoder
from ..parsing.parse import parse_sentences
from .examples import SECONDS, CompressionExample, TopicExamples, oracle_extract, oracle_summary


class LearnedParser:
    """A parser model with its default decoder. Sentences are tokenised and tagged by the model's own means."""

    def __init__(self, model: ParserModel, fingerprint: str) -> None:
        self.model = model
        self.fingerprint = fingerprint

    def tokens(self, sentence: str) -> Sequence[str]:
        """The tokens of one sentence, also where the tokeniser would make several sentences of it."""
        if not sentence.strip():
            return ()
        return tuple(word for part in split_text(sentence) for word in part.words)

    def parse(self, sentences: Sequence[str]) -> list[ParsedSentence]:
        listed = [Sentence(str(number), tuple(self.tokens(text)), (), ()) for number, text in enumerate(sentences)]
        decoder = parser_decoder(self.model.order)
        parsed = parse_sentences(self.model, [one for one in listed if one.words], decoder)
        found = {one.name: ParsedSentence(one.words, one.coarse, one.heads, one.labels) for one in parsed.sentences}
        return [found.get(one.name, ParsedSentence((), (), (), ())) for one in listed]


def read_parser(path: str) -> Parser:
    """The parser of a model file; its fingerprint is the file's content."""
    if not path:
        raise InputError(
            "real text needs a parser: train one (dualbench train parsing) and name its file, parser=FILE."
        )
    return LearnedParser(ParserModel.read(path), file_hash(Path(path))[:32])


GENERATED_TOPICS = 6
TEST_SEEDS = 500_000  # generated test topics come from seeds that no training uses


def generated_topics(seed: int, count: int, size: str, test: bool = False) -> list[Cluster]:
    """Generated topics; those for testing are never among those for training."""
    if size not in CLUSTER_SIZES:
        raise InputError(f"unknown size {size!r} of generated topics: {nearest(size, CLUSTER_SIZES)}")
    start = 1000 * seed + (TEST_SEEDS if test else 0)
    return [cluster_of_size(start + number, size) for number in range(count)]


def check_corpus(corpus: str) -> None:
    known = (GENERATED, *BUDGETS)
    if corpus not in known:
        raise InputError(f"unknown corpus {corpus!r} of summarization: {nearest(corpus, known)}")


def topics_of(
    corpus: str, folder: str, parser: Parser | None, limit: int | None, seed: int, size: str, test: bool = False
) -> list[Cluster]:
    """The topics of a corpus by name: `generated`, `multiling2011` or `opinosis`."""
    if corpus == GENERATED:
        return generated_topics(seed, limit or GENERATED_TOPICS, size, test)
    check_corpus(corpus)
    if parser is None:
        raise InputError(f"corpus {corpus!r} needs trees: name a trained parser with the option parser=FILE.")
    return list(islice(parsed_corpus(corpus, Path(folder), parser), limit))


def default_budget(corpus: str, size: str) -> int:
    return CLUSTER_SIZES[size].budget if corpus == GENERATED else BUDGETS[corpus]


def candidate_words(corpus: str, size: str) -> int | None:
    """Generated topics of a size say how many candidates they have; None: in proportion to the budget."""
    return CLUSTER_SIZES[size].candidate_words if corpus == GENERATED else None


def topic_examples(made: Blueprint, seconds: float = SECONDS) -> TopicExamples:
    """A topic with its oracle summary and oracle extract as gold."""
    return TopicExamples.of(made, oracle_summary(made, seconds), oracle_extract(made, seconds))


def blueprints(clusters: Iterable[Cluster], budget: int, bits: int, words: int | None) -> list[Blueprint]:
    return [blueprint(cluster, budget, bits, words) for cluster in clusters]


def pair_examples(pairs: Iterable[CompressionPair], bits: int) -> list[CompressionExample]:
    """The pairs that a tree can explain, as examples of the compression task."""
    found = (explained(pair, bits) for pair in pairs)
    return [CompressionExample.of(*pair) for pair in found if pair is not None]


def training_pairs(
    corpus: str, folder: str, parser: Parser | None, count: int, seed: int, bits: int
) -> list[CompressionExample]:
    """Sentence pairs that go with a corpus: generated ones, or those of google_eval."""
    if corpus == GENERATED or parser is None:
        return pair_examples(generated_pairs(seed, count), bits)
    return pair_examples(google_pairs(Path(folder), parser, count), bits)


def unseen(model: SummarizerModel, clusters: Sequence[Cluster]) -> list[Cluster]:
    """The topics that the model was not trained on; without one there is nothing to measure."""
    left = [cluster for cluster in clusters if cluster.name not in model.topics]
    if not left:
        raise InputError(
            f"all {len(clusters)} topics were seen in training; train with the options folds and fold to leave some out."
        )
    return left
