"""Yao et al.'s systems with a model trained on real sentence pairs: the experiment on the test pairs with the model's scores.

Lengths are free, as in the paper: rewards per kept word meet the gold rate on held-out pairs. The reranker, which knows no reward, has a
row with the length of the model's rule. Relations are those that a parser finds in each output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd

from problems import get_task
from problems.compression.corpora import ParsedPair
from problems.transduction.learned.model import TransductionModel

from ...experiments.experiment import Experiment
from ...experiments.sources import Source, Sources
from ...learning.compression.data import Data, load, measured
from ..models import PAIR_CORPUS, model_folder, one_at_a_time, parser_file, transduction_folder
from ..piece import Context
from ..runs import run_experiment
from .transduction_systems import EXPERIMENT, LANGUAGE_MODEL, MEASURES, TransductionRun, transduction_run

TEST_PAIRS, QUICK_TEST_PAIRS = 294, 8
SECONDS = 5.0  # of a cell: trigrams of a hundred words take branch and bound minutes
SETTINGS: dict[
    str, tuple[str, bool]
] = {  # sizes of the experiment: the model's setting, and whether the length is fixed
    "discriminative alone": ("discriminative alone", False),
    f"{LANGUAGE_MODEL}, fixed length": ("trigram", True),
    "rules alone": ("rules alone", False),
    LANGUAGE_MODEL: ("trigram", False),
    "discriminative": ("discriminative", False),
}


def learned_run(context: Context) -> TransductionRun:
    path, parser = transduction_folder(context) / "transduction.model", str(parser_file(context))
    count = QUICK_TEST_PAIRS if context.quick else TEST_PAIRS
    test = load(PAIR_CORPUS, str(context.data), "test", count, parser)
    found = transduction_run(run_experiment(EXPERIMENT, context, partial(learned, context, path, test.pairs)))
    notes = (
        f"Test pairs of {PAIR_CORPUS} ({test.dropped} could not be aligned), with a model trained on other pairs. Lengths are free.",
        "Relations: a parser's labelled arcs on each output.",
        "G&A2010 is given a length by a line fitted to the training pairs, since no reward steers it.",
    )
    return replace(found, sentences=parsed(found, test), notes=notes)


def learned(context: Context, path: Path, pairs: Sequence[ParsedPair], experiment: Experiment) -> Experiment:
    """The experiment on generated sentences, with the test pairs and the trained model instead."""
    solvers = tuple(
        replace(spec, options=spec.options | {"model": str(path.resolve())}) if spec.name == "rerank" else spec
        for spec in experiment.solvers
    )
    return replace(
        experiment,
        name="transduction-learned",
        source=Sources(tuple(instance_files(context, path, pairs))),
        solvers=solvers,
        limits=replace(experiment.limits, seconds=SECONDS),
        repetitions=1 if context.quick else experiment.repetitions,
    )


def instance_files(context: Context, path: Path, pairs: Sequence[ParsedPair]) -> list[Source]:
    """The test sentences with the scores of every setting, as files; they are bulky and stay below `runs/`."""
    folder, found = model_folder(context, f"transduction-{len(pairs)}"), []
    with one_at_a_time(folder):
        model, task = TransductionModel.read(path), get_task("transduction")
        for place, (size, (setting, fixed)) in enumerate(SETTINGS.items()):
            files = [folder / f"{place}-{number}.json" for number in range(len(pairs))]
            for number, (pair, file) in enumerate(zip(pairs, files, strict=True)):
                length = model.rule.length(len(pair.sentence)) if fixed else None
                if not file.exists():
                    task.save(model.instance(pair.sentence, f"{size}-{number}", setting, length, pair.kept), file)
            found.append(Source("transduction", "load", [str(file.resolve()) for file in files], size))
    return found


def parsed(run: TransductionRun, test: Data) -> pd.DataFrame:
    """The run's sentences, with the relations that the parser finds in what was kept."""
    answered = run.sentences[run.sentences["kept"].notna()]
    pairs = [test.pairs[number] for number in answered.index.get_level_values("sentence")]
    found = measured(pairs, list(answered["kept"]), test.parse)
    return run.sentences.drop(columns=list(MEASURES)).join(pd.DataFrame(found, index=answered.index))
