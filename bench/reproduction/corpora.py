"""Real corpora as sources of experiments: their instances with learned scores, whose texts stay below `runs/`, and treebanks.

For these there are parsers of every order (Tables 2 and 3 of Martins et al. 2013). Training is kept short (a treebank's development part, or its first 2,000 sentences), so accuracies are to be compared by order, not
with the paper's full treebanks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from problems import get_task
from problems.parsing.corpora import treebank_file
from problems.parsing.instance import Order
from problems.parsing.model import ParserModel
from problems.summarization.corpora import Parser
from problems.summarization.model import SummarizerModel
from problems.text.sentence import Cluster
from problems.text.topic_folders import TopicReading, mean_length

from ..applications.parse import to_conllu
from ..experiments.sources import Source, Sources
from ..learning.loop import SILENT
from ..learning.options import GENERATED
from ..learning.parsing.data import read_sentences
from ..learning.parsing.training import Training
from ..learning.summarization.data import own_topics, parsed_topics, read_parser, topics_of
from .context import Context, one_at_a_time
from .models import (
    compression_models,
    made_once,
    model_folder,
    pair_corpus,
    parser_file,
    summarizer_file,
    transduction_folder,
    treebank_name,
)
from .published import TREEBANKS as PUBLISHED
from .real_data import CORPORA, DEALT, TREEBANK, has_parts, own_topics_in

ORDERS: tuple[Order, ...] = ("1", "2", "3")


@dataclass(frozen=True)
class Treebank:
    """What is trained on, and at most how many sentences of the test part are parsed (None: all)."""

    name: str
    corpus: str
    language: str = ""  # its row in the paper's Table 3
    split: str = "train"
    epochs: int = 10
    limit: int | None = None
    tested: int | None = None
    runs: int = 1  # trainings whose weights are averaged
    morphology: bool = False  # features of FEATS and lemmas

    @property
    def made(self) -> bool:
        """Is it generated?"""
        return self.name == GENERATED

    @property
    def folder(self) -> str:
        """Other settings make other models."""
        more = f"-{self.runs}-runs" if self.runs > 1 else ""
        more += "-morphology" if self.morphology else ""
        return f"treebank-{self.name}-{self.split}-{self.limit or 'all'}-{self.epochs}{more}"


REAL = (  # the first is English
    Treebank("en_ewt", "en_ewt", "English", "dev", runs=2),  # morphology gains nothing sure on it
    Treebank("nl_lassysmall", "nl_lassysmall_v1.4", "Dutch", limit=2000, runs=2, morphology=True),
    Treebank("pt_bosque", "pt_bosque", "Portuguese", "dev", runs=2, morphology=True),
    Treebank("af_afribooms", "af_afribooms", "Afrikaans", runs=2, morphology=True),
    Treebank("cs_cac", "cs_cac", "Czech", "dev", runs=2, morphology=True),
    Treebank("cs_cltt", "cs_cltt", "Czech", runs=2, morphology=True),
    Treebank("da_ddt", "da_ddt", "Danish", "dev", runs=2, morphology=True),
    Treebank("de_gsd", "de_gsd", "German", "dev", runs=2, morphology=True),
    Treebank("nl_alpino", "nl_alpino", "Dutch", "dev", runs=2, morphology=True),
    Treebank("sl_ssj", "sl_ssj", "Slovene", "dev", runs=2, morphology=True),
)
QUICK_REAL = (Treebank("en_ewt", "en_ewt", "English", "dev", epochs=1, limit=200, tested=20),)
MADE = (Treebank(GENERATED, GENERATED, tested=50),)
QUICK_MADE = (Treebank(GENERATED, GENERATED, epochs=1, limit=60, tested=10),)


def treebanks(context: Context) -> tuple[Treebank, ...]:
    """What parsers are trained and tested on."""
    if context.data is None:
        return QUICK_MADE if context.quick else MADE
    own = [path.name for path in TREEBANK.owned(context.data)]
    if own and context.quick:
        return tuple(Treebank(name, name, language_of(name), epochs=1, limit=200, tested=20) for name in own)
    if own:
        return tuple(Treebank(name, name, language_of(name)) for name in own)
    return QUICK_REAL if context.quick else REAL


def language_of(name: str) -> str:
    """The language of a treebank of one's own by its name, as those of CoNLL-2006 are named; "" where it says none of the paper's."""
    said = name.lower()
    english = ("ptb", "penn", "wsj")
    known = next((language for language in PUBLISHED if said.startswith(language.lower())), "")
    return "English" if any(word in said for word in english) else known


def trained_parser(context: Context, treebank: Treebank, order: Order) -> Path:
    """The model file of an order, as `dualbench train parsing` makes it; orders share tagger, pruner and labels."""

    def train(path: Path) -> None:
        base = next(iter(sorted(path.parent.glob("order-?.model"))), "")
        options: dict[str, Any] = {"split": treebank.split, "epochs": treebank.epochs, "limit": treebank.limit}
        options |= {"morphology": treebank.morphology, "runs": treebank.runs}
        data = str(context.data or "")
        Training(corpus=treebank.corpus, data=data, order=order, base=str(base), **options).run(path, True, SILENT)

    return made_once(context, treebank.folder, f"order-{order}.model", train)


def sentences_file(context: Context, treebank: Treebank) -> Path:
    """The test part in CoNLL-U."""
    if context.data is not None:
        return treebank_file(treebank.corpus, context.data, "test")
    path = model_folder(context, treebank.folder) / "test.conllu"
    path.write_text(to_conllu(read_sentences(GENERATED, "", "test", treebank.tested, 1)), encoding="utf-8")
    return path


def scored_sentences(context: Context, treebank: Treebank, order: Order, count: int | None = None) -> Source:
    """The first `count` test sentences, or as many as the treebank says, with the scores of a trained parser, as a size `TREEBANK-ORDER` of an experiment."""
    model, size = trained_parser(context, treebank, order), f"{treebank.name}-{order}"
    count = count or treebank.tested
    if context.data is not None:
        values = {"name": treebank.corpus, "split": "test", "model": str(model.resolve())}
        return Source("parsing", "corpus", values if count is None else {**values, "limit": count}, size)
    parser, files = ParserModel.read(model), []
    folder = model.with_suffix("")
    folder.mkdir(exist_ok=True)
    for sentence in read_sentences(GENERATED, "", "test", count, 1):
        files.append(str((folder / f"{sentence.name}.json").resolve()))
        get_task("parsing").save(parser.instance(sentence), files[-1])
    return Source("parsing", "load", files, size)


def many_components(context: Context, treebank: Treebank, count: int) -> Source:
    """The first sentences with the scores of the third order in the older decomposition, as a size `TREEBANK-many`."""
    model, task = trained_parser(context, treebank, ORDERS[-1]), get_task("parsing")
    folder, files = model.with_name(f"many-{count}"), []
    folder.mkdir(exist_ok=True)
    assert context.data is not None
    sentences = task.read_corpus(treebank.corpus, context.data, split="test", model=model, limit=count)
    for number, instance in enumerate(sentences):
        files.append(folder / f"{number:04d}.json")
        task.save(replace(instance, decomposition="many"), files[-1])
    return loaded("parsing", files, f"{treebank.name}-many")


def sentences_said(context: Context) -> str:
    """What the sentences of the pieces on one treebank are, for a note."""
    if context.data is None:
        return "Generated sentences with calibrated scores"
    return f"Test sentences of {treebanks(context)[0].name} with learned scores"


def sentence_limit(context: Context, count: int) -> int | None:
    """So many of our treebank; all of one's own."""
    return None if context.data is not None and TREEBANK.owned(context.data) else count


def loaded(task: str, files: Iterable[Path], size: str = "") -> Source:
    """Instances in files as a source of an experiment."""
    return Source(task, "load", [str(path.resolve()) for path in files], size)


def real_source(task: str, context: Context, limit: int | None) -> Sources:
    """The first `limit` test instances of a task's corpus (None: all); models are trained where there are none yet."""
    if task in ("summarization", "extraction"):
        return Sources((loaded(task, topic_files(task, context, limit)),))
    if task == "parsing":
        name, model = treebank_name(context), trained_parser(context, treebanks(context)[0], ORDERS[-1])
    elif task == "compression":
        name, model = pair_corpus(context), compression_models(context) / "compression-joint.model"
    else:
        name, model = pair_corpus(context), transduction_folder(context) / "transduction.model"
    values = {"name": name, "split": "test", "model": str(model.resolve())}
    return Sources((Source(task, "corpus", values if limit is None else {**values, "limit": limit}),))


WORDS = 100  # of a summary of MultiLing's topics, as in the paper


def topics_said(context: Context) -> str:
    """What the topics of a real run are, for a note."""
    assert context.data is not None
    own = own_topics_in(context.data)
    if own is None:
        return "topics of MultiLing 2011, scores learned on Opinosis"
    return (
        f"topics of {own.name}, scores learned on {'its training part' if has_parts(own) else 'the other half of them'}"
    )


def _test_topics(context: Context, parser: Parser, limit: int | None) -> list[tuple[Cluster, int]]:
    """The topics, each with the words of its summary: own ones have their limit, or the mean length of their references."""
    assert context.data is not None
    own = own_topics_in(context.data)
    if own is None:
        return [(topic, WORDS) for topic in topics_of("multiling2011", str(context.data), parser, limit, 1, "tac")]
    reading = TopicReading() if has_parts(own) else DEALT
    topics = own_topics(own.name, str(context.data), "test", reading, limit)
    limits = [topic.words or mean_length(topic.references) for topic in topics]
    return list(zip(parsed_topics(topics, parser), limits, strict=True))


def topic_files(task: str, context: Context, limit: int | None) -> list[Path]:
    """Topics of MultiLing 2011, or one's own, with the scores of a model that has seen none of them, as files."""
    trained = summarizer_file(context)
    folder = model_folder(context, f"topics-{limit or 'all'}")
    with one_at_a_time(folder):
        if not list(folder.glob("extraction-*.json")):
            model = SummarizerModel.read(trained)
            parser = read_parser(str(parser_file(context)))
            for topic, words in _test_topics(context, parser, limit):
                made = model.blueprint(topic, words)
                scores = model.scores(made)
                for problem in (made.compressive_problem(scores), made.extractive_problem(scores)):
                    get_task(problem.task).save(problem, folder / f"{problem.task}-{topic.name}.json")
    return sorted(folder.glob(f"{task}-*.json"))


__all__ = ["CORPORA", "loaded", "real_source", "scored_sentences", "sentences_file", "trained_parser", "treebanks"]
