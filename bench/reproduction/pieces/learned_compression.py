"""Qian & Liu's Table 2 with models trained on real sentence pairs: an experiment on the test pairs with each model's scores.

All systems keep the same number of words of a sentence, by a line fitted to the training pairs. Relations are those that a parser finds
in each output, as in the paper. ILP solvers run on a few sentences only (`PART`), on which they are compared; dynamic programs run on all, as long as they may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from problems.compression.corpora import ParsedPair
from problems.compression.features import System
from problems.compression.model import CompressionModel
from problems.compression.task import CompressionTask
from problems.compression.trees import is_subtree

from ...experiments.experiment import Experiment, SolverSpec
from ...experiments.sources import Source, Sources
from ...learning.compression.data import Data, gold_rate, load, measured
from ...learning.compression.training import DECODERS, own_length
from ...records.frame import Records
from ..beside import facts
from ..claims import difference_text
from ..context import Context, one_at_a_time
from ..corpora import loaded
from ..evidence import paired_bootstrap
from ..models import (
    QUICK_PAIRS,
    compression_models,
    model_folder,
    pair_corpus,
    parser_facts,
    parser_file,
)
from ..piece import Outcome
from ..runs import run_experiment
from .compression import part_table, quickly, table2
from .compression_claims import compression_claims
from .compression_growth import growth_claims, same_model_claims
from .compression_rivals import not_subtrees
from .compression_systems import (
    ANY_TREES,
    APPROXIMATE,
    BASELINE,
    BIGRAMS,
    CELL,
    CRF,
    EXACT,
    EXPERIMENT,
    FAST_APPROXIMATE,
    FAST_EXACT,
    JOINT_ILP,
    MEASURES,
    PART,
    PUBLISHED_SUBTREE,
    SUBTREE,
    SystemsRun,
)
from .sentence_views import compression_view, features_table

TEST_PAIRS, QUICK_TEST_PAIRS = 1000, 20
PART_PAIRS, QUICK_PART_PAIRS = 100, 2  # a quarter of them or more are hits, on which speeds are compared
LONGEST = 25  # words of a sentence that ILP solvers get: of more, Gurobi's licence does not hold the program
JOINT = "joint"
"""Size: all test pairs with the joint model's scores. `PART` are those that ILP solvers get, `ANY_TREES` these without projectivity."""
DRAWN = (
    f"The sentences are the first ones of the test part with at most {LONGEST} words, so that Gurobi has all of them."
)
PAPER = "joint, features of Table 1"
"""Size: all test pairs with the scores of a joint model that has the paper's features alone."""
RATE, SUBTREE_BIGRAM = "CRF, same average rate", "subtree-bigram"
AT_RATE: dict[System, str] = {system: f"{system}, own lengths" for system in ("joint", "subtree", "bigram")}
"""Sizes: all test pairs, at the lengths that a model chooses itself with the gold rate on average (the paper's protocol)."""
PLACES: dict[str, tuple[str, ...]] = {  # the scores that a system decodes; it is left out where there is none
    APPROXIMATE: (JOINT, PART, AT_RATE["joint"]),
    "Lagrangian, no repair": (JOINT,),
    FAST_APPROXIMATE: (JOINT, PART),
    EXACT: (JOINT, PART),
    FAST_EXACT: (JOINT, PART, AT_RATE["joint"], PAPER),
    PUBLISHED_SUBTREE: (SUBTREE_BIGRAM,),
    SUBTREE: ("subtree", AT_RATE["subtree"]),
    JOINT_ILP: (ANY_TREES,),
    BASELINE: (PART,),
    BIGRAMS: ("bigram", AT_RATE["bigram"]),
    "CRF": (JOINT,),
    CRF: (JOINT,),
    RATE: (JOINT,),
}


def compression_outcome(context: Context) -> Outcome:
    models, parser = compression_models(context), parser_file(context)
    test = load(pair_corpus(context), str(context.data), "test", None, str(parser))
    records = run_experiment(EXPERIMENT, context, partial(learned, context, models, test.pairs))
    run = SystemsRun.of(records, parsed_measures(records, test))
    quality, speed = run.sized(JOINT, SUBTREE_BIGRAM, "subtree", "bigram"), run.sized(PART, ANY_TREES)
    few = f"{DRAWN} They have the joint model's scores. TM13: its weights, decoded by ILP solvers."
    own = table2(run.sized(*AT_RATE.values()), OWN_LENGTHS, intervals=True)
    own = replace(own, title=f"{own.title}, at lengths of their own")
    paper = table2(run.sized(PAPER), [*TABLE_1, *templates_note(run)], intervals=True)
    paper = replace(paper, title=f"{paper.title}, with the features of Table 1 alone")
    tables = {"table": table2(quality, notes(context, test), intervals=True), "rate": own, "paper": paper}
    tables["part"] = part_table(speed, [few], intervals=True)
    tables["features"] = features_table()
    views = facts({"beside": compression_view(quality, speed, notes(context, test))})
    train = load(
        pair_corpus(context),
        str(context.data),
        "train",
        QUICK_PAIRS if context.quick else None,
        str(parser),
        training=True,
    )
    golds = [(gold.kept, pair.sentence.heads) for pair in (*train.pairs, *test.pairs) for gold in pair.references]
    subtrees = not_subtrees([not is_subtree(*each) for each in golds], parser_facts(parser))
    claims = [
        *compression_claims(quality, speed, drawn=DRAWN),
        *growth_claims(quality),
        *same_model_claims(speed),
        subtrees,
    ]
    return Outcome(tables, claims=claims, facts=views)


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
    corpus = {"name": pair_corpus(context), "split": "test", "limit": QUICK_TEST_PAIRS if context.quick else TEST_PAIRS}
    files = {
        name: str((models / f"compression-{name}.model").resolve())
        for name in (JOINT, SUBTREE_BIGRAM, "subtree", "bigram")
    }
    wholes = [Source("compression", "corpus", {**corpus, "model": path}, name) for name, path in files.items()]
    parts = (part_files(context, models, pairs, name) for name in (PART, ANY_TREES))
    rates = (rate_files(context, models, pairs, system) for system in AT_RATE)
    return Sources((*wholes, paper_files(context, models, pairs), *rates, *parts))


def rate_files(context: Context, models: Path, pairs: Sequence[ParsedPair], system: System) -> Source:
    """The test sentences with a model's scores and the lengths that it chooses, as files."""
    name, folder = AT_RATE[system], model_folder(context, f"compression-{system}-rate")
    with one_at_a_time(folder):
        model = CompressionModel.read(models / f"compression-{system}.model")
        for number, pair in enumerate(pairs[: QUICK_TEST_PAIRS if context.quick else TEST_PAIRS]):
            length = own_length(model, pair.sentence, DECODERS[system])
            instance = model.instance(pair.sentence, f"{name}: {pair.name}", length, gold=pair)
            CompressionTask().save(instance, folder / f"{number:05d}.json")
    return loaded("compression", sorted(folder.glob("*.json")), name)


def paper_files(context: Context, models: Path, pairs: Sequence[ParsedPair]) -> Source:
    """The test sentences with the scores of the joint model that has the paper's features alone, as files."""
    folder = model_folder(context, "compression-joint-paper")
    with one_at_a_time(folder):
        model = CompressionModel.read(models / "compression-joint-paper.model")
        for number, pair in enumerate(pairs[: QUICK_TEST_PAIRS if context.quick else TEST_PAIRS]):
            instance = model.instance(pair.sentence, f"{PAPER}: {pair.name}", gold=pair)
            CompressionTask().save(instance, folder / f"{number:05d}.json")
    return loaded("compression", sorted(folder.glob("*.json")), PAPER)


def part_files(context: Context, models: Path, pairs: Sequence[ParsedPair], name: str) -> Source:
    """The first short test sentences with the joint model's scores, as files; their names tell them from the same ones of the whole."""
    count = QUICK_PART_PAIRS if context.quick else PART_PAIRS
    changes: dict[str, Any] = {"projective": False, "formulation": "flow"} if name == ANY_TREES else {}
    folder = model_folder(context, f"compression-{name.replace(' ', '-')}")
    with one_at_a_time(folder):
        model = CompressionModel.read(models / "compression-joint.model")
        for number, pair in enumerate([pair for pair in pairs if len(pair.sentence) <= LONGEST][:count]):
            instance = model.instance(pair.sentence, f"{name}: {pair.name}", gold=pair, **changes)
            CompressionTask().save(instance, folder / f"{number:05d}.json")
    return loaded("compression", sorted(folder.glob("*.json")), name)


def parsed_measures(records: Records, test: Data) -> pd.DataFrame:
    """Measures by label and instance, with the relations that the parser finds in what was kept."""
    pairs = {pair.name: pair for pair in test.pairs}
    cells = records[records["structure"].notna()].drop_duplicates(CELL)
    kept = [tuple(structure[0]) for structure in cells["structure"]]
    own = [pairs[name if name in pairs else name.partition(": ")[2]] for name in map(str, cells["instance"])]
    found = measured(own, kept, test.parse)
    index = pd.MultiIndex.from_frame(cells[CELL])
    return pd.DataFrame({name: found[name] for name in MEASURES}, index=index)


OWN_LENGTHS = [
    "Each model keeps the number of words of a sentence that it likes best at a price of a kept word; the price is the one at which held-out training pairs "
    "have the gold rate. So average rates are equal, as in the paper, and lengths are not.",
    "These are lengths at which a multiplier hits: the approximate program misses none, and is exact.",
]

TABLE_1 = [
    "The other tables have features that the paper does not: what the source tree says of words and of bigrams (docs/learning-compression.md). Here the joint "
    "model has those of Table 1 alone, trained in the same way, and keeps the same numbers of words as in the first table."
]


def templates_note(run: SystemsRun) -> list[str]:
    """Both joint models against each other, sentence by sentence."""
    own, paper = (run.sized(size).sentences(FAST_EXACT)["relation F1"] for size in (JOINT, PAPER))
    paper.index = [str(name).removeprefix(f"{PAPER}: ") for name in paper.index]
    both = pd.DataFrame({"own": own, "paper": paper}).dropna()
    if both.empty:
        return []
    found = paired_bootstrap(both["own"].tolist(), both["paper"].tolist())
    return [f"Relation F1 of the first table's model less that of this one: {difference_text(found, 3)}."]


def notes(context: Context, test: Data) -> list[str]:
    return [
        f"Test pairs of {pair_corpus(context)} ({test.dropped} of all could not be aligned); gold rate of all {gold_rate(test.pairs):.3f}.",
        "Every system keeps the same number of words of a sentence, by a line fitted to the training pairs, but for the CRF of its own labelling, the CRF "
        "of the same average rate, and the Lagrangian program without repair, which keeps the nearest length that a multiplier gives.",
        "Relations: a parser's labelled arcs on each output. The paper has RASP's relations, other sentences and a rate of 0.68: only orders "
        f"can be compared. Trees: {parser_facts(parser_file(context))}.",
    ]
