"""Qian & Liu's and Yao et al.'s tables with models trained on real sentence pairs; the same claims as on generated sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...learning.transduction.systems import SYSTEMS, outputs
from ...studies import learned_compression, learned_transduction
from ...studies.compression_table import Result as Compressed
from ...studies.transduction_table import Result as Transduced
from ..models import PAIR_CORPUS, compression_models, parser_file, transduction_folder
from ..piece import Context, Outcome
from .compression_claims import BASELINE, FAST_APPROXIMATE, FAST_EXACT, compression_claims
from .transduction_claims import transduction_claims

ILP_SENTENCES = 20
TEST_PAIRS, QUICK_TEST_PAIRS = 1000, 30
Values = Mapping[str, Any]  # measure -> a value per sentence
ROWS = {  # the claims' names for the rows of the learned table
    FAST_APPROXIMATE: learned_compression.JOINT,
    FAST_EXACT: learned_compression.EXACT,
    BASELINE: learned_compression.ILP,
    "Subtree, DP": learned_compression.SUBTREE,
    "McDonald06": learned_compression.BIGRAM,
    "CRF": learned_compression.CRF,
}
SPEED_CLAIMS = ("lagrangian-ten-times-faster-than-ilp", "exact-not-faster-than-ilp")


def compression_outcome(context: Context) -> Outcome:
    models, parser = compression_models(context), str(parser_file(context))
    count = QUICK_TEST_PAIRS if context.quick else TEST_PAIRS
    ilp = 3 if context.quick else ILP_SENTENCES
    study = learned_compression.run(PAIR_CORPUS, str(context.data), parser, models, test_limit=count, ilp_sentences=ilp)
    part = same_part(len(study.values[learned_compression.EXACT]["seconds"]), ilp)
    whole = {name: compressed(study.values[row]) for name, row in ROWS.items() if row in study.values}
    timed = {name: found if name == BASELINE else [found[place] for place in part] for name, found in whole.items()}
    claims = {claim.name: claim for claim in compression_claims(whole)}
    claims |= {claim.name: claim for claim in compression_claims(timed) if claim.name in SPEED_CLAIMS}
    table = learned_compression.table(study, PAIR_CORPUS, parser)
    return Outcome({"table": table}, claims=list(claims.values()))


def same_part(sentences: int, count: int) -> list[int]:
    """The places of the sentences that the study gives to the ILP, so that times are of the same sentences."""
    order = np.random.default_rng(learned_compression.PART_SEED).permutation(sentences)
    return [int(place) for place in np.sort(order[:count])]


def compressed(values: Values) -> list[Compressed]:
    names = [name for name in values if name != "seconds"]
    return [
        Compressed({name: float(values[name][place]) for name in names}, float(seconds), "", "")
        for place, seconds in enumerate(values["seconds"])
    ]


def transduction_outcome(context: Context) -> Outcome:
    """Lengths are free, as in the paper: rewards meet the gold rate on held-out pairs."""
    models, parser = transduction_folder(context), str(parser_file(context))
    count = QUICK_TEST_PAIRS if context.quick else TEST_PAIRS
    study = learned_transduction.run(PAIR_CORPUS, str(context.data), parser, models, test_limit=count, length="free")
    results = {name: transduced(values) for name, values in study.values.items()}
    table = learned_transduction.table(study, PAIR_CORPUS, parser)
    return Outcome({"table": table}, claims=transduction_claims(results))


def transduced(values: Values) -> list[Transduced]:
    names = [name for name in values if name != "seconds"]
    return [
        Transduced((), {name: float(values[name][place]) for name in names}, False, float(seconds))
        for place, seconds in enumerate(values["seconds"])
    ]


def transduction_examples(
    context: Context, count: int
) -> tuple[list[tuple[str, ...]], dict[str, list[tuple[int, ...]]]]:
    """Words of the first test sentences, and what each system and the gold standard keep of them."""
    from problems.transduction.learned.model import TransductionModel

    from ...learning.compression.data import load

    path = transduction_folder(context) / "transduction.model"
    model = TransductionModel.read(path)
    pairs = load(PAIR_CORPUS, str(context.data), "test", count, str(parser_file(context))).pairs
    found = {
        system.name: [tuple(each.kept) for each in outputs(system, model, path, pairs, [None] * len(pairs))]
        for system in SYSTEMS
    }
    return [tuple(pair.sentence.words) for pair in pairs], found | {
        "Gold-Standard": [tuple(pair.kept) for pair in pairs]
    }
