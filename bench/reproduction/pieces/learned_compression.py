"""Qian & Liu's Table 2 with models trained on real sentence pairs: an experiment on the test pairs with each model's scores.

All systems keep the same number of words of a sentence, by a line fitted to the training pairs. Relations are those that a parser finds
in each output, as in the paper. ILP solvers, and the algorithms as published, run on a few sentences only (`PART`), on which speed is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from problems.compression.corpora import ParsedPair
from problems.compression.model import CompressionModel
from problems.compression.task import CompressionTask

from ...experiments.experiment import Experiment, SolverSpec
from ...experiments.sources import Source, Sources
from ...learning.compression.data import Data, gold_rate, load, measured
from ...output.tables import Table
from ...records.frame import Records
from ..models import PAIR_CORPUS, compression_models, loaded, model_folder, one_at_a_time, parser_facts, parser_file
from ..piece import Context, Outcome
from ..runs import run_experiment
from .compression import quickly, table2
from .compression_systems import (
    APPROXIMATE,
    BASELINE,
    BIGRAMS,
    CELL,
    CRF,
    EXACT,
    EXPERIMENT,
    FAST_APPROXIMATE,
    FAST_EXACT,
    MEASURES,
    SUBTREE,
    SystemsRun,
    compression_claims,
)

TEST_PAIRS, QUICK_TEST_PAIRS = 1000, 20
PART_PAIRS, QUICK_PART_PAIRS = 8, 2
LONGEST = 30  # words of a sentence that ILP solvers get
JOINT, PART, ANY_TREES = "joint", "part", "any trees"
"""Sizes: all test pairs with the joint model's scores, those that ILP solvers get, and these without projectivity."""
RATE = "CRF, same average rate"
PLACES: dict[str, tuple[str, ...]] = {  # the scores that a system decodes; it is left out where there is none
    APPROXIMATE: (PART,),
    "Lagrangian, no repair": (JOINT,),
    FAST_APPROXIMATE: (JOINT, PART),
    EXACT: (PART,),
    FAST_EXACT: (JOINT, PART),
    SUBTREE: ("subtree",),
    "TM13, any trees": (ANY_TREES,),
    BASELINE: (PART,),
    BIGRAMS: ("bigram",),
    "CRF": (JOINT,),
    CRF: (JOINT,),
    RATE: (JOINT,),
}


def compression_outcome(context: Context) -> Outcome:
    models, parser = compression_models(context), parser_file(context)
    test = load(PAIR_CORPUS, str(context.data), "test", None, str(parser))
    records = run_experiment(EXPERIMENT, context, partial(learned, context, models, test.pairs))
    run = SystemsRun.of(records, parsed_measures(records, test))
    quality, speed = run.sized(JOINT, "subtree", "bigram"), run.sized(PART, ANY_TREES)
    tables = {"table": table2(quality, notes(context, test)), "part": part_table(speed)}
    return Outcome(tables, claims=compression_claims(quality, speed))


def learned(context: Context, models: Path, pairs: Sequence[ParsedPair], experiment: Experiment) -> Experiment:
    """The experiment on generated sentences, with the test pairs and the trained models instead."""
    crf = {"model": str((models / "compression-crf.model").resolve())}
    specs = (*experiment.solvers, SolverSpec("crf", RATE, {"length": "rate"}))
    solvers = [
        replace(spec, sizes=PLACES[system], options=spec.options | (crf if spec.name == "crf" else {}))
        for spec in specs
        if (system := spec.label.partition(":")[0]) in PLACES
    ]
    changed = replace(
        experiment, name="compression-learned", source=sources(context, models, pairs), solvers=tuple(solvers)
    )
    return replace(changed, repetitions=quickly(experiment).repetitions) if context.quick else changed


def sources(context: Context, models: Path, pairs: Sequence[ParsedPair]) -> Sources:
    corpus = {"name": PAIR_CORPUS, "split": "test", "limit": QUICK_TEST_PAIRS if context.quick else TEST_PAIRS}
    files = {name: str((models / f"compression-{name}.model").resolve()) for name in (JOINT, "subtree", "bigram")}
    wholes = [Source("compression", "corpus", {**corpus, "model": path}, name) for name, path in files.items()]
    return Sources((*wholes, *(part_files(context, models, pairs, name) for name in (PART, ANY_TREES))))


def part_files(context: Context, models: Path, pairs: Sequence[ParsedPair], name: str) -> Source:
    """The first short test sentences with the joint model's scores, as files; their names tell them from the same ones of the whole."""
    count = QUICK_PART_PAIRS if context.quick else PART_PAIRS
    changes: dict[str, Any] = {"projective": False, "formulation": "flow"} if name == ANY_TREES else {}
    folder = model_folder(context, f"compression-{name.replace(' ', '-')}")
    with one_at_a_time(folder):
        model = CompressionModel.read(models / "compression-joint.model")
        for pair in [pair for pair in pairs if len(pair.sentence) <= LONGEST][:count]:
            instance = model.instance(pair.sentence, f"{name}: {pair.name}", gold=pair, **changes)
            CompressionTask().save(instance, folder / f"{pair.name}.json")
    return loaded("compression", sorted(folder.glob("*.json")), name)


def parsed_measures(records: Records, test: Data) -> pd.DataFrame:
    """Measures by label and instance, with the relations that the parser finds in what was kept."""
    pairs = {pair.name: pair for pair in test.pairs}
    cells = records[records["structure"].notna()].drop_duplicates(CELL)
    kept = [tuple(structure[0]) for structure in cells["structure"]]
    own = [pairs[str(name).rpartition(": ")[2]] for name in cells["instance"]]
    found = measured(own, kept, test.parse)
    index = pd.MultiIndex.from_frame(cells[CELL])
    return pd.DataFrame({name: found[name] for name in MEASURES}, index=index)


def notes(context: Context, test: Data) -> list[str]:
    return [
        f"Test pairs of {PAIR_CORPUS} ({test.dropped} of all could not be aligned); gold rate of all {gold_rate(test.pairs):.3f}.",
        "Every system keeps the same number of words of a sentence, by a line fitted to the training pairs, but for the CRF of its own labelling, the CRF "
        "of the same average rate, and the Lagrangian program without repair, which keeps the nearest length that a multiplier gives.",
        "Relations: a parser's labelled arcs on each output. The paper has RASP's relations, other sentences and a rate of 0.68: only orders "
        f"can be compared. Trees: {parser_facts(parser_file(context))}.",
    ]


def part_table(run: SystemsRun) -> Table:
    """The same systems beside ILP solvers, on the sentences that these had."""
    note = f"The first test sentences of at most {LONGEST} words, with the joint model's scores. TM13: its weights, decoded by ILP solvers."
    table = table2(run, [note])
    return replace(table, title=f"{table.title}, on the sentences that ILP solvers had")
