"""Where the summarizer's training and test topics come from: generated clusters, or a corpus parsed by our own parser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from problems.compression.corpora import file_hash
from problems.compression.pairs import HOME as PAIR_HOME
from problems.compression.pairs import has_split
from problems.errors import InputError, nearest, quoted
from problems.linear_program import Floats
from problems.parsing.model import ParserModel
from problems.summarization.blueprint import Blueprint, blueprint
from problems.summarization.corpora import Parser, parsed_corpus, parsed_topic
from problems.summarization.learning_topics import learning_topic
from problems.summarization.model import SummarizerModel
from problems.summarization.pairs import CompressionPair, explained
from problems.text.clusters import CLUSTER_SIZES
from problems.text.raw import split_text
from problems.text.sentence import Cluster, ParsedSentence
from problems.text.splits import Dealing
from problems.text.topic_folders import Topic, TopicReading, common_limit
from problems.text.topics import BUDGETS, own_folder, read_topics
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
            "real text needs a parser: train one (dualbench train parsing) and name its file, --option parser=FILE."
        )
    return LearnedParser(ParserModel.read(path), file_hash(Path(path))[:32])


GENERATED_TOPICS = 12
TEST_SEEDS, DEVELOPMENT_SEEDS = 500_000, 750_000  # generated topics of these seeds are in no training


def generated_topics(seed: int, count: int, size: str, start: int = 0) -> list[Cluster]:
    """Generated topics for learning; `start` says for what: training (0), development, testing."""
    if size not in CLUSTER_SIZES:
        raise InputError(f"unknown size {size!r} of generated topics: {nearest(size, CLUSTER_SIZES)}")
    return [learning_topic(1000 * seed + start + number, size) for number in range(count)]


def check_corpus(corpus: str, folder: str = "") -> None:
    known = (GENERATED, *BUDGETS)
    if corpus not in known and own_folder(corpus, Path(folder)) is None:
        raise InputError(
            f"unknown corpus {corpus!r} of summarization: {nearest(corpus, known)} A folder of topics can be named, too."
        )


@dataclass(kw_only=True)
class TopicFolder:
    """How one's own folder of topics is read. `lines`: each line of a plain document is a sentence. `test_share`: of a folder
    without splits, the share of topics that are for testing; `split_seed` says which.
    """

    lines: bool = False
    test_share: float = 0.0
    split_seed: int = 1

    def reading(self) -> TopicReading:
        if not 0 <= self.test_share < 1:
            raise InputError(f"option 'test_share' must be at least 0 and below 1, not {self.test_share!r}.")
        return TopicReading(self.lines, Dealing(self.test_share, self.split_seed))


def own_topics(corpus: str, folder: str, split: str, reading: TopicReading, limit: int | None) -> list[Topic]:
    """The topics of one's own corpus; none where the corpus is generated or has a reader of its own."""
    if corpus == GENERATED or own_folder(corpus, Path(folder)) is None:
        if reading != TopicReading():
            raise InputError(f"options 'lines' and 'test_share' are for folders of topics, and {corpus!r} is none.")
        return []
    found = list(islice(read_topics(corpus, Path(folder), split, reading), limit))
    if not found:
        raise InputError(f"corpus {corpus!r} has no topics in its part {split!r}.")
    return found


def parsed_topics(topics: Sequence[Topic], parser: Parser | None) -> list[Cluster]:
    if parser is None:
        raise InputError("own topics need trees: name a trained parser with the option parser=FILE.")
    return [parsed_topic(topic, parser) for topic in topics]


def refuse_seen(corpus: str, topics: Sequence[Topic], seen: frozenset[int], drop: bool) -> list[Topic]:
    """The topics without a document that the model was trained on: all of them, unless those with one are dropped."""
    known = [topic for topic in topics if topic.hashes() & seen]
    if known and not drop:
        raise InputError(
            f"{len(known)} of {len(topics)} topics of {corpus} have documents of the model's training topics, the first is "
            f"{quoted(known[0].name)}: test on others, or leave them out with the option overlap=drop."
        )
    if len(known) == len(topics):
        raise InputError(f"all {len(topics)} topics of {corpus} have documents of the model's training topics.")
    return [topic for topic in topics if topic not in known]


def topics_of(
    corpus: str, folder: str, parser: Parser | None, limit: int | None, seed: int, size: str, test: bool = False
) -> list[Cluster]:
    """The topics of a corpus by name: `generated`, `multiling2011`, `opinosis`, or all topics (the training part) of one's own."""
    if corpus == GENERATED:
        return generated_topics(seed, limit or GENERATED_TOPICS, size, TEST_SEEDS if test else 0)
    check_corpus(corpus, folder)
    if parser is None:
        raise InputError(f"corpus {corpus!r} needs trees: name a trained parser with the option parser=FILE.")
    return list(islice(parsed_corpus(corpus, Path(folder), parser), limit))


def default_budget(corpus: str, size: str, own: Sequence[Topic] = ()) -> int:
    if own:
        return common_limit(own)
    return CLUSTER_SIZES[size].budget if corpus == GENERATED else BUDGETS[corpus]


def candidate_words(corpus: str, size: str) -> int | None:
    """Generated topics of a size say how many candidates they have; None: in proportion to the budget."""
    return CLUSTER_SIZES[size].candidate_words if corpus == GENERATED else None


def topic_examples(made: Blueprint, seconds: float = SECONDS) -> TopicExamples:
    """A topic with its oracle summary and oracle extract as gold."""
    return TopicExamples.of(made, oracle_summary(made, seconds), oracle_extract(made, seconds))


def blueprints(
    clusters: Iterable[Cluster], budget: int, bits: int, words: int | None, pruner: Floats | None = None
) -> list[Blueprint]:
    return [blueprint(cluster, budget, bits, words, pruner=pruner) for cluster in clusters]


def pair_examples(pairs: Iterable[CompressionPair], bits: int) -> list[CompressionExample]:
    """The pairs that a tree can explain, as examples of the compression task."""
    found = (explained(pair, bits) for pair in pairs)
    return [CompressionExample.of(*pair) for pair in found if pair is not None]


def only_pairs(folder: Path) -> str:
    """Where google_eval is not in the data folder: the only other corpus of pairs there, if there is one."""
    home = folder / PAIR_HOME
    if (home / "google_eval").exists() or not home.is_dir():
        return ""
    found = [path.name for path in sorted(home.iterdir()) if path.is_dir() and has_split(str(path), folder, "train")]
    return found[0] if len(found) == 1 else ""


def unseen(model: SummarizerModel, clusters: Sequence[Cluster]) -> list[Cluster]:
    """The topics that the model was not trained on; without one there is nothing to measure."""
    left = [cluster for cluster in clusters if cluster.name not in model.topics]
    if not left:
        raise InputError(
            f"all {len(clusters)} topics were seen in training; train with the options folds and fold to leave some out."
        )
    return left
