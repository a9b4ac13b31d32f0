"""Models that pieces on learned systems need: trained once for a run, shared by its lanes, made anew when the code has changed."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..learning.options import GENERATED
from ..studies.learned_parsing import Setting
from .imported import sources_digest
from .piece import Context

if TYPE_CHECKING:
    import pandas as pd

PARSER_CORPUS = "en_ewt"
PAIR_CORPUS = "google_eval"
PARSER_EPOCHS = 5
PAIRS, PAIR_EPOCHS = 2000, 3  # kept short: all pairs of the training part take hours
QUICK_SENTENCES, QUICK_PAIRS, QUICK_TOPICS = 300, 200, 6


ORDERS = ("1", "2", "3")
REAL_TREEBANKS = (  # Table 3 of Martins et al.; the first is English
    Setting("en-dev", "en_ewt", "dev", orders=ORDERS, epochs=5),
    Setting("nl-2000", "nl_lassysmall_v1.4", "train", orders=ORDERS, epochs=5, limit=2000),
    Setting("pt-dev", "pt_bosque", "dev", orders=ORDERS, epochs=5),
)
QUICK_REAL_TREEBANKS = (Setting("en-dev-200", "en_ewt", "dev", orders=ORDERS, epochs=1, limit=200),)
GENERATED_TREEBANK = (Setting(GENERATED, GENERATED, orders=ORDERS, epochs=5),)
QUICK_TREEBANK = (Setting(GENERATED, GENERATED, orders=ORDERS, epochs=1, limit=60),)


def treebanks(context: Context) -> tuple[Setting, ...]:
    """What parsers of each order are trained on."""
    if context.data is None:
        return QUICK_TREEBANK if context.quick else GENERATED_TREEBANK
    return QUICK_REAL_TREEBANKS if context.quick else REAL_TREEBANKS


def trained_parsers(context: Context, settings: Sequence[Setting]) -> pd.DataFrame:
    """A row of measures per treebank and order; all rows and models are kept, so that an interrupted run goes on with the next."""
    from ..studies.learned_parsing import learned_rows

    folder = model_folder(context, "treebanks")
    with one_at_a_time(folder):
        return learned_rows(settings, str(context.data or ""), folder, folder / "cells.jsonl")


def third_order_parser(context: Context) -> Path:
    """That of the first treebank: it scores the test sentences of all pieces about third-order parsing."""
    first = treebanks(context)[0]
    trained_parsers(context, [replace(first, orders=ORDERS[-1:])])
    return model_folder(context, "treebanks") / f"{first.name}-{ORDERS[-1]}.model"


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
    from ..learning.loop import Silent
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
            training.run(path, True, Silent())
    return path


def summarizer_file(context: Context) -> Path:
    """A multi-task summarizer trained on Opinosis, so that all topics of MultiLing 2011 are new to it."""
    from ..learning.loop import Silent
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
            training.run(path, True, Silent())
    return path


def compression_models(context: Context) -> Path:
    """The folder of all trained compression systems of Qian & Liu's table."""
    from ..learning.compression.data import load
    from ..studies.learned_compression import SYSTEMS, models_of

    folder = model_folder(context, "compression")
    with one_at_a_time(folder):
        if not all((folder / f"compression-{system}.model").is_file() for system in SYSTEMS):
            models_of(load(*_pairs(context, "train")), folder, {"epochs": PAIR_EPOCHS})
        load(*_pairs(context, "test"))  # parsed once, for all that read them from the cache
    return folder


def transduction_folder(context: Context) -> Path:
    """The folder of the trained transduction model, `transduction.model`."""
    from ..learning.compression.data import load
    from ..learning.loop import Silent
    from ..learning.transduction.training import Training

    folder = model_folder(context, "transduction")
    path = folder / "transduction.model"
    with one_at_a_time(folder):
        if not path.is_file():
            Training(epochs=PAIR_EPOCHS).fit(load(*_pairs(context, "train")), path, True, Silent())
        load(*_pairs(context, "test"))
    return folder


def _pairs(context: Context, split: str) -> tuple[str, str, str, int | None, str]:
    """What `load` needs; all test pairs, since the cache is of all."""
    limit = None if split == "test" else QUICK_PAIRS if context.quick else PAIRS
    return PAIR_CORPUS, str(context.data), split, limit, str(parser_file(context))
