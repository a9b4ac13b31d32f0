"""Models that pieces on learned systems need: trained once for a run, shared by its lanes, made anew when the code has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from problems.parsing.corpora import TREEBANKS
from problems.parsing.instance import Order
from problems.parsing.model import ParserModel
from problems.text.topic_folders import common_limit
from problems.text.topics import read_topics

from ..learning.compression.data import PairTraining, load
from ..learning.compression.training import Training as CompressionTraining
from ..learning.loop import SILENT
from ..learning.parsing.training import Training as ParserTraining
from ..learning.summarization.folds import FACTS, SETTINGS, CorpusSetting, generated, write_problems
from ..learning.summarization.training import Training as SummarizerTraining
from ..learning.transduction.training import Training as TransductionTraining
from . import real_data
from .context import Context, one_at_a_time
from .imported import sources_digest

PARSER_EPOCHS = 5
PARSER_ORDER: Order = "2"  # the third is not significantly better, and slower
COMPRESSION_SYSTEMS: tuple[Literal["joint", "subtree", "subtree-bigram", "bigram", "crf"], ...] = (
    "joint",
    "subtree",
    "subtree-bigram",
    "bigram",
    "crf",
)
PAIR_EPOCHS = 3  # of a quick run
COMPRESSION_EPOCHS, TRANSDUCTION_EPOCHS = 12, 5  # at most: the best one is chosen on pairs held out, of all pairs
ILP_PATIENCE = 1  # epochs without a gain: an ILP for each sentence takes two minutes an epoch
OWN_FOLDS = 5
QUICK_SENTENCES, QUICK_PAIRS, QUICK_TOPICS = 300, 200, 6


def model_folder(context: Context, name: str) -> Path:
    """Beside the records, which are not committed either; another version of the code, other data or another parser has another folder."""
    kind = ("quick" if context.quick else "full") + ("" if context.data is None else "-real")
    settings = context.settings()
    state = json.dumps([sources_digest(__name__), settings["data"], settings["parser"]])
    folder = context.run_folder("models") / f"{kind}-{hashlib.sha256(state.encode()).hexdigest()[:10]}" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def made_once(context: Context, folder: str, file: str, make: Callable[[Path], object]) -> Path:
    """A file that is made where it is not there yet."""
    path = model_folder(context, folder) / file
    with one_at_a_time(path.parent):
        if not path.exists():
            make(path)
    return path


def pair_corpus(context: Context) -> str:
    """The corpus of sentence pairs: google_eval, or the user's own."""
    return real_data.PAIRS.name_in(_data(context))


def treebank_name(context: Context) -> str:
    return real_data.TREEBANK.name_in(_data(context))


def _data(context: Context) -> Path:
    assert context.data is not None
    return context.data


def parser_file(context: Context) -> Path:
    """A second-order parser trained on the English treebank, or the one that the user has named."""
    if context.parser is not None:
        return context.parser
    split, limit = (
        ("dev" if treebank_name(context) in TREEBANKS else "train", QUICK_SENTENCES)
        if context.quick
        else ("train", None)
    )
    data = str(context.data)
    training = ParserTraining(
        corpus=treebank_name(context), data=data, split=split, limit=limit, order=PARSER_ORDER, epochs=PARSER_EPOCHS
    )
    return made_once(context, "parser", "parser.model", lambda path: training.run(path, True, SILENT))


def parser_facts(path: Path) -> str:
    """A parser's order and training, for a note."""
    model = ParserModel.read(path)
    facts = model.figures
    trained = f"{facts.get('sentences', 0):.0f} sentences of {facts.get('corpus')} ({facts.get('split')})"
    return f"our parser, order {model.order}, trained on {trained}, {facts.get('epochs')} epochs, tags predicted"


def summarizer_file(context: Context) -> Path:
    """A multi-task summarizer trained on Opinosis, so that all topics of MultiLing 2011 are new to it; or on one's own other topics."""
    data, parser, limit = str(context.data), str(parser_file(context)), QUICK_TOPICS if context.quick else None
    own = real_data.own_topics_in(_data(context))
    share = real_data.DEALT.dealing.test_share if own is not None and not real_data.has_parts(own) else 0.0
    training = SummarizerTraining(
        corpus="opinosis" if own is None else own.name,
        data=data,
        limit=limit,
        parser=parser,
        regularization=10.0,
        test_share=share,
    )
    return made_once(context, "summarizer", "summarizer.model", lambda path: training.run(path, True, SILENT))


def scored_topics(context: Context, name: str) -> Path:
    """The folder of a setting of Almeida & Martins' Table 2: each topic as every system scores it, trained on other topics."""
    setting = SETTINGS[name] if name in SETTINGS else own_setting(context, name)
    if context.quick:
        setting = (
            generated("tiny", QUICK_TOPICS, QUICK_TOPICS)
            if context.data is None
            else replace(setting, topics=QUICK_TOPICS, pairs=QUICK_PAIRS, auxiliary=QUICK_TOPICS)
        )
        setting = replace(setting, grid=(1.0,), settings=replace(setting.settings, epochs=3))
    parser = "" if context.data is None else str(parser_file(context))

    def write(path: Path) -> None:
        write_problems(path.parent, setting, str(context.data or ""), parser)

    return made_once(context, f"summaries-{name}", FACTS, write).parent


def own_setting(context: Context, name: str) -> CorpusSetting:
    """One's own topics, cross-validated like the others, at their own word limit."""
    topics = list(read_topics(name, _data(context)))
    return CorpusSetting(name, common_limit(topics), folds=OWN_FOLDS if len(topics) > OWN_FOLDS else 0)


def compression_models(context: Context) -> Path:
    """The folder of all trained compression systems of Qian & Liu's table; the joint model also with the features of their Table 1 alone."""
    epochs = PAIR_EPOCHS if context.quick else COMPRESSION_EPOCHS
    paper = CompressionTraining(system="joint", templates="paper", epochs=epochs)
    path = _fitted(context, paper, "compression-joint-paper.model")
    for system in COMPRESSION_SYSTEMS:
        patience = ILP_PATIENCE if system == "subtree-bigram" else CompressionTraining.patience
        training = CompressionTraining(system=system, epochs=epochs, patience=patience)
        _fitted(context, training, f"compression-{system}.model")
    return path.parent


def transduction_folder(context: Context) -> Path:
    """The folder of the trained transduction model, `transduction.model`."""
    training = TransductionTraining(ablation=True, epochs=TRANSDUCTION_EPOCHS)
    return _fitted(context, training, "transduction.model").parent


def _fitted(context: Context, training: PairTraining, file: str) -> Path:
    """A model of all training pairs. All test pairs are parsed as well: who reads them finds them in the cache."""
    data, parser, limit = str(context.data), str(parser_file(context)), QUICK_PAIRS if context.quick else None
    corpus = pair_corpus(context)

    def fit(path: Path) -> None:
        load(corpus, data, "test", None, parser)
        training.fit(load(corpus, data, "train", limit, parser, training=True), path, True, SILENT)

    return made_once(context, training.task, file, fit)
