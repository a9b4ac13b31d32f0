"""Parsers of every order for each treebank at hand (Tables 2 and 3 of Martins et al. 2013): model files, and experiments with them.

Training is kept short (a treebank's development part, or its first 2,000 sentences), so accuracies are to be compared by order, not
with the paper's full treebanks.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from problems import get_task
from problems.parsing.corpora import treebank_file
from problems.parsing.instance import Order
from problems.parsing.model import ParserModel

from ..experiments.sources import Source
from ..learning.options import GENERATED
from .models import model_folder, one_at_a_time
from .piece import Context

ORDERS: tuple[Order, ...] = ("1", "2", "3")


@dataclass(frozen=True)
class Treebank:
    """What is trained on, and at most how many sentences of the test part are parsed."""

    name: str
    corpus: str
    language: str = ""  # its row in the paper's Table 3
    split: str = "train"
    epochs: int = 5
    limit: int | None = None
    tested: int = 300

    @property
    def folder(self) -> str:
        """Other settings make other models."""
        return f"treebank-{self.name}-{self.split}-{self.limit or 'all'}-{self.epochs}"


REAL = (  # the first is English
    Treebank("en_ewt", "en_ewt", "English", "dev"),
    Treebank("nl_lassysmall", "nl_lassysmall_v1.4", "Dutch", limit=2000),
    Treebank("pt_bosque", "pt_bosque", "Portuguese", "dev"),
)
QUICK_REAL = (Treebank("en_ewt", "en_ewt", "English", "dev", epochs=1, limit=200, tested=20),)
MADE = (Treebank(GENERATED, GENERATED, tested=50),)
QUICK_MADE = (Treebank(GENERATED, GENERATED, epochs=1, limit=60, tested=10),)


def treebanks(context: Context) -> tuple[Treebank, ...]:
    """What parsers are trained and tested on."""
    if context.data is None:
        return QUICK_MADE if context.quick else MADE
    return QUICK_REAL if context.quick else REAL


def trained_parser(context: Context, treebank: Treebank, order: Order) -> Path:
    """The model file of an order, as `dualbench train parsing` makes it; orders share tagger, pruner and labels."""
    from ..learning.loop import Silent
    from ..learning.parsing.training import Training

    folder = model_folder(context, treebank.folder)
    path = folder / f"order-{order}.model"
    with one_at_a_time(folder):
        if not path.exists():
            base = next(iter(sorted(folder.glob("order-?.model"))), "")
            options: dict[str, Any] = {"split": treebank.split, "epochs": treebank.epochs, "limit": treebank.limit}
            training = Training(
                corpus=treebank.corpus, data=str(context.data or ""), order=order, base=str(base), **options
            )
            training.run(path, True, Silent())
    return path


def third_order_parser(context: Context) -> Path:
    """That of the first treebank: it scores the test sentences of all pieces about third-order parsing."""
    return trained_parser(context, treebanks(context)[0], ORDERS[-1])


def sentences_file(context: Context, treebank: Treebank) -> Path:
    """The test part in CoNLL-U."""
    from ..applications.parse import to_conllu
    from ..learning.parsing.training import read_sentences

    if context.data is not None:
        return treebank_file(treebank.corpus, context.data, "test")
    path = model_folder(context, treebank.folder) / "test.conllu"
    path.write_text(to_conllu(read_sentences(GENERATED, "", "test", treebank.tested, 1)), encoding="utf-8")
    return path


def scored_sentences(context: Context, treebank: Treebank, order: Order, count: int | None = None) -> Source:
    """Test sentences with the scores of a trained parser, as a size `TREEBANK-ORDER` of an experiment."""
    from ..learning.parsing.training import read_sentences

    model, size = trained_parser(context, treebank, order), f"{treebank.name}-{order}"
    count = count or treebank.tested
    if context.data is not None:
        values = {"name": treebank.corpus, "split": "test", "model": str(model.resolve()), "limit": count}
        return Source("parsing", "corpus", values, size)
    parser, files = ParserModel.read(model), []
    folder = model.with_suffix("")
    for sentence in read_sentences(GENERATED, "", "test", count, 1):
        files.append(str((folder / f"{sentence.name}.json").resolve()))
        folder.mkdir(exist_ok=True)
        get_task("parsing").save(parser.instance(sentence), files[-1])
    return Source("parsing", "load", files, size)
