"""Instances of the real corpora with learned scores, as sources of experiments. Their texts stay below `runs/`."""

from __future__ import annotations

from pathlib import Path

from problems import get_task

from ..experiments.sources import Source, Sources
from .models import (
    compression_models,
    model_folder,
    one_at_a_time,
    parser_file,
    summarizer_file,
    transduction_folder,
)
from .piece import Context, Corpus
from .treebanks import third_order_parser

TREEBANK = Corpus("treebanks/en_ewt", "the English Web Treebank in CoNLL-U (train, dev and test)")
PAIRS = Corpus("compression/google_eval", "the evaluation part of the Google compression corpus (two text files)")
TOPICS = Corpus("summarization/multiling2011", "the topics of MultiLing 2011 with their references")
OPINIONS = Corpus("summarization/opinosis", "the topics of Opinosis with their references")
CORPORA: dict[str, tuple[Corpus, ...]] = {
    "parsing": (TREEBANK,),
    "compression": (TREEBANK, PAIRS),
    "transduction": (TREEBANK, PAIRS),
    "summarization": (TREEBANK, PAIRS, TOPICS, OPINIONS),
    "extraction": (TREEBANK, PAIRS, TOPICS, OPINIONS),
}
WORDS = 100  # of a summary


def real_source(task: str, context: Context, limit: int) -> Sources:
    """The first `limit` test instances of a task's corpus; models are trained where there are none yet."""
    if task in ("summarization", "extraction"):
        files = [str(path.resolve()) for path in topic_files(task, context, limit)]
        return Sources((Source(task, "load", files),))
    model = {
        "parsing": lambda: third_order_parser(context),
        "compression": lambda: compression_models(context) / "compression-joint.model",
        "transduction": lambda: transduction_folder(context) / "transduction.model",
    }[task]()
    name = "en_ewt" if task == "parsing" else "google_eval"
    values = {"name": name, "split": "test", "model": str(model.resolve()), "limit": limit}
    return Sources((Source(task, "corpus", values),))


def topic_files(task: str, context: Context, limit: int) -> list[Path]:
    """Topics of MultiLing 2011 with the scores of a model that has seen none of them, as files."""
    from problems.summarization.model import SummarizerModel

    from ..learning.summarization.data import read_parser, topics_of

    trained = summarizer_file(context)
    folder = model_folder(context, f"topics-{limit}")
    with one_at_a_time(folder):
        if not list(folder.glob("extraction-*.json")):
            model = SummarizerModel.read(trained)
            parser = read_parser(str(parser_file(context)))
            for topic in topics_of("multiling2011", str(context.data), parser, limit, 1, "tac"):
                made = model.blueprint(topic, WORDS)
                scores = model.scores(made)
                get_task("summarization").save(
                    made.compressive_problem(scores), folder / f"summarization-{topic.name}.json"
                )
                get_task("extraction").save(made.extractive_problem(scores), folder / f"extraction-{topic.name}.json")
    return sorted(folder.glob(f"{task}-*.json"))
