"""The systems of Table 2 of Yao, Wan & Xiao (2014) in a run of the runner: what each made of every sentence.

A system is a label of the run. Systems decode different scores of the same sentences, so that a sentence is several instances; their names
end with its number. With real data the experiment runs on test pairs with the scores of a model trained on real sentence pairs. Lengths are free, as in the
paper: rewards per kept word meet the gold rate on held-out pairs. The reranker, which knows no reward, has a row with the length of
the model's rule. Relations are those that a parser finds in each output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pandas as pd

from problems import get_task
from problems.compression.corpora import ParsedPair
from problems.transduction.instance import TransductionInstance
from problems.transduction.learned.model import TransductionModel

from ...analysis.statistics.cells import best_known, current, reduce_cells
from ...analysis.statistics.ratios import SpeedUp, speed_up
from ...experiments.experiment import Experiment
from ...experiments.sources import Source, Sources, instances_of
from ...learning.compression.data import Data, load, measured
from ...output.tables import Table
from ...records.frame import Records
from ..context import Context, one_at_a_time
from ..corpora import loaded
from ..models import model_folder, pair_corpus, parser_file, transduction_folder
from ..runs import run_experiment
from .transduction_checks import NAMES, checks_table, variant_settings, variant_solvers

EXPERIMENT = "transduction-systems"
LANGUAGE_MODEL = "language model"  # the size on which beam search and dual decomposition decode the same scores
BIGRAM_MODEL = "discriminative"  # the one on which dual decomposition and the joint table do
DISCRIMINATIVE, PURE = "Discriminative", "Pure Tree-Transduction"
BEAM, LM_SYSTEM, DISCRIMINATIVE_SYSTEM = "T3+LM (Beam Search)", "T3+LM (Dual Decomp.)", "T3+Discr. (Dual Decomp.)"
MEASURES = ("compression rate", "relation F1", "unigram F1", "exact match")
RERANKER, JOINT_TABLE = "G&A2010", "T3+Discr., exact"
NEAR = 0.01  # of the best known objective: the quality at which times are compared


@dataclass(frozen=True)
class TransductionRun:
    """`sentences` has a row per system and sentence: the measures, the kept words, the status and the median seconds."""

    sentences: pd.DataFrame
    originals: dict[int, TransductionInstance]  # by sentence, with words and gold compression
    beam_speed_up: SpeedUp | None  # of dual decomposition over beam search
    table_speed_up: SpeedUp | None = None  # of dual decomposition over one dynamic program
    notes: tuple[str, ...] = ()
    checks: Table | None = None  # with real data: what the systems are checked with
    variants: pd.DataFrame | None = None  # and the sentences of what they are checked with

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(self.sentences.index.get_level_values("label")))

    def of_system(self, name: str) -> pd.DataFrame:
        """Its sentences."""
        return self.sentences[self.sentences.index.get_level_values("label") == name]

    def table(self, measure: str) -> pd.DataFrame:
        """Sentences by systems."""
        return self.sentences[measure].unstack("label")[self.systems]


def sentence_number(instance: str) -> int:
    return int(instance.rpartition("-")[2])


def transduction_run(records: Records) -> TransductionRun:
    cells = reduce_cells(records)
    found = current(records).drop_duplicates(["label", "instance_digest"]).set_index(["label", "instance_digest"])
    kept = found["structure"].map(lambda structure: None if structure is None else tuple(structure[0]))
    cells["kept"] = list(kept.reindex(list(zip(cells["label"], cells["instance_digest"], strict=True))))
    cells["sentence"] = cells["instance"].map(sentence_number)
    order = [spec["label"] for spec in records.experiment["solvers"]]
    cells["place"] = cells["label"].map(order.index)
    cells = cells.sort_values(["place", "sentence"])
    measures = {f"metrics.{name}": name for name in MEASURES}
    sentences = cells.set_index(["label", "sentence"]).reindex(columns=[*measures, "kept", "status", "seconds"])
    sentences = sentences.rename(columns=measures)
    first = records[records["label"] == order[0]]
    made = instances_of(first)
    originals = {sentence_number(instance.name): instance for instance in made.values()}
    best, (trigrams, bigrams) = (
        best_known(records),
        (cells[cells["size"] == each] for each in (LANGUAGE_MODEL, BIGRAM_MODEL)),
    )
    return TransductionRun(
        sentences,
        originals,
        speed_up(trigrams, best, LM_SYSTEM, BEAM, NEAR, everywhere=False),
        speed_up(bigrams, best, DISCRIMINATIVE_SYSTEM, JOINT_TABLE, "optimal", everywhere=False),
    )


TEST_PAIRS, QUICK_TEST_PAIRS = 294, 8
SECONDS = 5.0  # of a cell: trigrams of a hundred words take branch and bound minutes
SETTINGS = {  # sizes of the experiment: the model's setting, and whether the length is fixed
    "discriminative alone": ("discriminative alone", False),
    f"{LANGUAGE_MODEL}, fixed length": ("trigram", True),
    "rules alone": ("rules alone", False),
    LANGUAGE_MODEL: ("trigram", False),
    BIGRAM_MODEL: ("discriminative", False),
}


def learned_run(context: Context) -> TransductionRun:
    path, parser = transduction_folder(context) / "transduction.model", str(parser_file(context))
    count = QUICK_TEST_PAIRS if context.quick else TEST_PAIRS
    test = load(pair_corpus(context), str(context.data), "test", count, parser)
    found = transduction_run(run_experiment(EXPERIMENT, context, partial(learned, context, path, test.pairs)))
    sentences = parsed(found, test)
    variants = sentences.index.get_level_values("label").isin(NAMES)
    notes = (
        f"Test pairs of {pair_corpus(context)} ({test.dropped} could not be aligned), with a model trained on other pairs. Lengths are free.",
        "Relations: a parser's labelled arcs on each output.",
        "G&A2010 is given a length by a line fitted to the training pairs, since no reward steers it.",
    )
    return replace(
        found,
        sentences=sentences[~variants],
        notes=notes,
        checks=checks_table(sentences),
        variants=sentences[variants],
    )


def learned(context: Context, path: Path, pairs: Sequence[ParsedPair], experiment: Experiment) -> Experiment:
    """The experiment on generated sentences, with the test pairs and the trained model instead."""
    solvers = tuple(
        replace(spec, options=spec.options | {"model": str(path.resolve())}) if spec.name == "rerank" else spec
        for spec in experiment.solvers
    )
    model = TransductionModel.read(path)
    sizes = SETTINGS | variant_settings(set(model.settings))
    return replace(
        experiment,
        name="transduction-learned",
        source=Sources(tuple(instance_files(context, model, pairs, sizes))),
        solvers=(*solvers, *variant_solvers(set(model.settings))),
        limits=replace(experiment.limits, seconds=SECONDS),
        repetitions=1 if context.quick else experiment.repetitions,
    )


def instance_files(
    context: Context, model: TransductionModel, pairs: Sequence[ParsedPair], sizes: Mapping[str, tuple[str, bool]]
) -> list[Source]:
    """The test sentences with the scores of every setting, as files; they are bulky and stay below `runs/`."""
    folder, found = model_folder(context, f"transduction-{len(pairs)}"), []
    with one_at_a_time(folder):
        task = get_task("transduction")
        for place, (size, (setting, fixed)) in enumerate(sizes.items()):
            files = [folder / f"{place}-{number}.json" for number in range(len(pairs))]
            for number, (pair, file) in enumerate(zip(pairs, files, strict=True)):
                length = model.rule.length(len(pair.sentence)) if fixed else None
                if not file.exists():
                    task.save(model.instance(pair.sentence, f"{size}-{number}", setting, length, pair.kept), file)
            found.append(loaded("transduction", files, size))
    return found


def parsed(run: TransductionRun, test: Data) -> pd.DataFrame:
    """The run's sentences, with the relations that the parser finds in what was kept."""
    answered = run.sentences[run.sentences["kept"].notna()]
    pairs = [test.pairs[number] for number in answered.index.get_level_values("sentence")]
    found = measured(pairs, list(answered["kept"]), test.parse)
    return run.sentences.drop(columns=list(MEASURES)).join(pd.DataFrame(found, index=answered.index))
