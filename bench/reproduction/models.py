"""Models that pieces on learned systems need: trained once for a run, shared by its lanes, made anew when the code has changed."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

from problems.parsing.instance import Order
from problems.parsing.model import ParserModel

from ..experiments.sources import Source
from ..learning.compression.data import PairTraining, load
from ..learning.compression.training import Training as CompressionTraining
from ..learning.loop import SILENT
from ..learning.parsing.training import Training as ParserTraining
from ..learning.summarization.folds import FACTS, SETTINGS, generated, write_problems
from ..learning.summarization.training import Training as SummarizerTraining
from ..learning.transduction.training import Training as TransductionTraining
from .imported import sources_digest
from .piece import Context

PARSER_CORPUS = "en_ewt"
PAIR_CORPUS = "google_eval"
PARSER_EPOCHS = 5
PARSER_ORDER: Order = "2"  # the third is no better on the test part, and slower
COMPRESSION_SYSTEMS: tuple[Literal["joint", "subtree", "bigram", "crf"], ...] = ("joint", "subtree", "bigram", "crf")
PAIRS, PAIR_EPOCHS = 2000, 3  # kept short: all pairs of the training part take hours
QUICK_SENTENCES, QUICK_PAIRS, QUICK_TOPICS = 300, 200, 6


def model_folder(context: Context, name: str) -> Path:
    """Beside the records, which are not committed either; another version of the code has another folder."""
    kind = ("quick" if context.quick else "full") + ("" if context.data is None else "-real")
    folder = context.run_folder("models") / f"{kind}-{sources_digest(__name__)[:10]}" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Whoever comes second waits, and then finds what the first has made."""
    with open(folder / "lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def made_once(context: Context, folder: str, file: str, make: Callable[[Path], object]) -> Path:
    """A file that is made where it is not there yet."""
    path = model_folder(context, folder) / file
    with one_at_a_time(path.parent):
        if not path.exists():
            make(path)
    return path


def loaded(task: str, files: Iterable[Path], size: str = "") -> Source:
    """Instances in files as a source of an experiment."""
    return Source(task, "load", [str(path.resolve()) for path in files], size)


def parser_file(context: Context) -> Path:
    """A second-order parser trained on the English treebank, or the one that the user has named."""
    if context.parser is not None:
        return context.parser
    split, limit = ("dev", QUICK_SENTENCES) if context.quick else ("train", None)
    data = str(context.data)
    training = ParserTraining(
        corpus=PARSER_CORPUS, data=data, split=split, limit=limit, order=PARSER_ORDER, epochs=PARSER_EPOCHS
    )
    return made_once(context, "parser", "parser.model", lambda path: training.run(path, True, SILENT))


def parser_facts(path: Path) -> str:
    """A parser's order and training, for a note."""
    model = ParserModel.read(path)
    facts = model.figures
    trained = f"{facts.get('sentences', 0):.0f} sentences of {facts.get('corpus')} ({facts.get('split')})"
    return f"our parser, order {model.order}, trained on {trained}, {facts.get('epochs')} epochs, tags predicted"


def summarizer_file(context: Context) -> Path:
    """A multi-task summarizer trained on Opinosis, so that all topics of MultiLing 2011 are new to it."""
    data, parser, limit = str(context.data), str(parser_file(context)), QUICK_TOPICS if context.quick else None
    training = SummarizerTraining(corpus="opinosis", data=data, limit=limit, parser=parser, regularization=10.0)
    return made_once(context, "summarizer", "summarizer.model", lambda path: training.run(path, True, SILENT))


def scored_topics(context: Context, name: str) -> Path:
    """The folder of a setting of Almeida & Martins' Table 2: each topic as every system scores it, trained on other topics."""
    setting = SETTINGS[name]
    if context.quick:
        setting = generated("tiny", QUICK_TOPICS) if context.data is None else replace(setting, topics=QUICK_TOPICS)
        setting = replace(setting, grid=(1.0,), settings=replace(setting.settings, epochs=3))
    parser = "" if context.data is None else str(parser_file(context))

    def write(path: Path) -> None:
        write_problems(path.parent, setting, str(context.data or ""), parser)

    return made_once(context, f"summaries-{name}", FACTS, write).parent


def compression_models(context: Context) -> Path:
    """The folder of all trained compression systems of Qian & Liu's table."""
    for system in COMPRESSION_SYSTEMS:
        path = _fitted(context, CompressionTraining(system=system, epochs=PAIR_EPOCHS), f"compression-{system}.model")
    return path.parent


def transduction_folder(context: Context) -> Path:
    """The folder of the trained transduction model, `transduction.model`."""
    return _fitted(context, TransductionTraining(epochs=PAIR_EPOCHS), "transduction.model").parent


def _fitted(context: Context, training: PairTraining, file: str) -> Path:
    """A model of the training pairs. All test pairs are parsed as well: who reads them finds them in the cache."""
    data, parser, limit = str(context.data), str(parser_file(context)), QUICK_PAIRS if context.quick else PAIRS

    def fit(path: Path) -> None:
        load(PAIR_CORPUS, data, "test", None, parser)
        training.fit(load(PAIR_CORPUS, data, "train", limit, parser), path, True, SILENT)

    return made_once(context, training.task, file, fit)
