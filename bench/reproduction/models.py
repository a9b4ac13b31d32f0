"""Models that pieces on learned systems need: trained once for a run, shared by its lanes, made anew when the code has changed."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

from .imported import sources_digest
from .piece import Context

PARSER_CORPUS = "en_ewt"
PAIR_CORPUS = "google_eval"
PARSER_EPOCHS = 5
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


def parser_file(context: Context) -> Path:
    """A second-order parser trained on the English treebank, or the one that the user has named."""
    if context.parser is not None:
        return context.parser
    from ..learning.loop import SILENT
    from ..learning.parsing.training import Training

    folder = model_folder(context, "parser")
    path = folder / "parser.model"
    with one_at_a_time(folder):
        if not path.exists():
            split, limit = ("dev", QUICK_SENTENCES) if context.quick else ("train", None)
            training = Training(
                corpus=PARSER_CORPUS,
                data=str(context.data),
                split=split,
                limit=limit,
                order="2",  # the third is no better on the test part, and slower
                epochs=PARSER_EPOCHS,
            )
            training.run(path, True, SILENT)
    return path


def parser_facts(path: Path) -> str:
    """A parser's order and training, for a note."""
    from problems.parsing.model import ParserModel

    model = ParserModel.read(path)
    facts = model.figures
    trained = f"{facts.get('sentences', 0):.0f} sentences of {facts.get('corpus')} ({facts.get('split')})"
    return f"our parser, order {model.order}, trained on {trained}, {facts.get('epochs')} epochs, tags predicted"


def summarizer_file(context: Context) -> Path:
    """A multi-task summarizer trained on Opinosis, so that all topics of MultiLing 2011 are new to it."""
    from ..learning.loop import SILENT
    from ..learning.summarization.training import Training

    folder = model_folder(context, "summarizer")
    path = folder / "summarizer.model"
    parser = parser_file(context)
    with one_at_a_time(folder):
        if not path.exists():
            limit = QUICK_TOPICS if context.quick else None
            training = Training(
                corpus="opinosis", data=str(context.data), limit=limit, parser=str(parser), regularization=10.0
            )
            training.run(path, True, SILENT)
    return path


def scored_topics(context: Context, name: str) -> Path:
    """The folder of a setting of Almeida & Martins' Table 2: each topic as every system scores it, trained on other topics."""
    from ..learning.summarization.folds import FACTS, SETTINGS, generated, write_problems

    setting = SETTINGS[name]
    if context.quick:
        setting = generated("tiny", QUICK_TOPICS) if context.data is None else replace(setting, topics=QUICK_TOPICS)
        training = replace(setting.validation.settings, epochs=3)
        setting = replace(setting, validation=replace(setting.validation, grid=(1.0,), settings=training))
    parser = "" if context.data is None else str(parser_file(context))
    folder = model_folder(context, f"summaries-{name}")
    with one_at_a_time(folder):
        if not (folder / FACTS).exists():
            write_problems(folder, setting, str(context.data or ""), parser)
    return folder


def compression_models(context: Context) -> Path:
    """The folder of all trained compression systems of Qian & Liu's table."""
    from ..learning.compression.data import load
    from ..learning.compression.training import Training
    from ..learning.loop import SILENT

    folder = model_folder(context, "compression")
    with one_at_a_time(folder):
        for system in COMPRESSION_SYSTEMS:
            path = folder / f"compression-{system}.model"
            if not path.is_file():
                training = Training(system=system, epochs=PAIR_EPOCHS)
                training.fit(load(*_pairs(context, "train")), path, True, SILENT)
        load(*_pairs(context, "test"))  # parsed once, for all that read them from the cache
    return folder


def transduction_folder(context: Context) -> Path:
    """The folder of the trained transduction model, `transduction.model`."""
    from ..learning.compression.data import load
    from ..learning.loop import SILENT
    from ..learning.transduction.training import Training

    folder = model_folder(context, "transduction")
    path = folder / "transduction.model"
    with one_at_a_time(folder):
        if not path.is_file():
            Training(epochs=PAIR_EPOCHS).fit(load(*_pairs(context, "train")), path, True, SILENT)
        load(*_pairs(context, "test"))
    return folder


def _pairs(context: Context, split: str) -> tuple[str, str, str, int | None, str]:
    """What `load` needs; all test pairs, since the cache is of all."""
    limit = None if split == "test" else QUICK_PAIRS if context.quick else PAIRS
    return PAIR_CORPUS, str(context.data), split, limit, str(parser_file(context))
