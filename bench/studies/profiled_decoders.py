"""The decoders whose profiles are taken, with their phases as functions of ours, and the sizes of their sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .phase_clock import Phases

JUDGES = (
    "conclude",
    "beam",
    "rerank",
    "subgradient",
    "ad3",
    "dynamic.dp_mst",
    "dynamic.dp_eisner",
    "dynamic.compression",
    "dynamic.dp_bigram",
    "dynamic.dp_tree",
    "dynamic.transduction_exact",
    "dynamic.dp_transduction",
    "dynamic.ngram_paths",
)
CONCLUDING: Phases = {"check and score": tuple(f"solvers.{module}:judge" for module in JUDGES)}
DUAL: Phases = {
    "layout": ("problems.parsing.task:build_graph", "problems.compression.task:build_graph"),
    "graph": ("problems.transduction.task:build_graph",),
    "consensus": ("solvers.ad3_engine:Engine.__init__", "solvers.subgradient_engine:SubgradientEngine.__init__"),
    "iterations": ("problems.kernels.ad3:iterate", "problems.kernels.subgradient:descend"),
    "bound": ("problems.kernels.ad3:dual_value",),
    "rounding": tuple(
        f"problems.{task}.task:{name}.{method}"
        for task, name in (
            ("parsing", "ParsingTask"),
            ("compression", "CompressionTask"),
            ("transduction", "TransductionTask"),
        )
        for method in ("structure", "round")
    ),
    **CONCLUDING,
}
PROGRAMS: Phases = {
    "tables": ("solvers.dynamic.tables:FastTables.__init__", "solvers.dynamic.tables:PaperTables.__init__"),
    "all lengths": ("solvers.dynamic.tables:FastTables.score", "solvers.dynamic.tables:PaperTables.score"),
    "traceback": ("solvers.dynamic.tables:FastTables.decode", "solvers.dynamic.tables:PaperTables.decode"),
    "relaxed program": ("solvers.dynamic.relaxation:Relaxation.maximize",),
    "max-marginals": ("solvers.dynamic.relaxation:Relaxation.max_marginals",),
    "path": ("problems.kernels.compression_models:best_path",),
    "subtree": ("problems.kernels.compression_models:best_subtree",),
    "tree": (
        "problems.parsing.decode:_arborescence",
        "problems.kernels.eisner:eisner_first",
        "problems.kernels.eisner:eisner_siblings",
    ),
    "bound": ("solvers.dynamic.dp_mst:most_of_others", "solvers.dynamic.dp_eisner:covered_score"),
    "features": ("solvers.crf:features", "solvers.crf:_features"),
    **CONCLUDING,
}
FORESTS: Phases = {
    "fill": ("problems.kernels.transduction_exact:fill",),
    "trace": ("problems.kernels.transduction_exact:trace",),
    "search": ("problems.kernels.transduction_beam:search",),
    "program": (
        "problems.kernels.transduction_models:best_transduction",
        "problems.kernels.transduction_models:best_bigram_path",
        "problems.kernels.transduction_models:best_trigram_path",
    ),
    "arrays": (
        "solvers.dynamic.transduction:rules_of",
        "solvers.beam:rules_of",
        "solvers.dynamic.transduction_exact:rules_of",
    ),
    "structure": ("solvers.beam:transduction_of", "solvers.dynamic.transduction_exact:transduction_of"),
    "derivations": ("solvers.rerank:derive", "solvers.dynamic.ngram_paths:derive", "solvers.rerank:best_derivations"),
    "first stage": ("solvers.deletion_model:DeletionModel.log_odds",),
    "candidates": ("solvers.rerank:candidates",),
    "second stage": ("solvers.rerank:facts_of", "solvers.rerank:Facts.of"),
    **CONCLUDING,
}


@dataclass(frozen=True)
class Decoder:
    """A solver with its options on the sentences of a family; `sizes` has the words of the typical and the large ones."""

    name: str
    family: str
    solver: str
    phases: Phases
    options: dict[str, Any] = field(default_factory=dict)
    variant: str = ""
    sizes: tuple[int, ...] = (25, 100)


def _parsing() -> list[Decoder]:
    found = [Decoder(f"ad3, order {order}", "parsing", "ad3", DUAL, variant=order) for order in ("1", "2", "2+", "3")]
    found += [
        Decoder("ad3, order 3, short", "parsing", "ad3", DUAL, variant="3", sizes=(6,)),
        Decoder("ad3, order 2, no pruning", "parsing", "ad3", DUAL, {"max_iterations": 50}, "2 all", (15, 30)),
        Decoder("ad3, order 3, no pruning", "parsing", "ad3", DUAL, {"max_iterations": 50}, "3 all", (15, 30)),
        Decoder("subgradient, order 3", "parsing", "subgradient", DUAL, {"max_iterations": 200}, "3"),
        Decoder("dp-mst", "parsing", "dp-mst", PROGRAMS, variant="1", sizes=(25, 200)),
        Decoder("dp-eisner, order 1", "parsing", "dp-eisner", PROGRAMS, {"order": 1}, "1 projective", (25, 100)),
        Decoder("dp-eisner, siblings", "parsing", "dp-eisner", PROGRAMS, {}, "2 projective", (25, 100)),
    ]
    return found


def _compression() -> list[Decoder]:
    both = (25, 100)
    return [
        Decoder("dp-exact", "compression", "dp-exact", PROGRAMS, sizes=both),
        Decoder("dp-exact, given length", "compression", "dp-exact", PROGRAMS, {"lengths": "given"}, sizes=both),
        Decoder("dp-exact, paper", "compression", "dp-exact", PROGRAMS, {"algorithm": "paper"}, sizes=(25, 60)),
        Decoder("dp-lagrangian", "compression", "dp-lagrangian", PROGRAMS, sizes=both),
        Decoder(
            "dp-lagrangian, as published",
            "compression",
            "dp-lagrangian",
            PROGRAMS,
            {"algorithm": "paper", "search": "subgradient", "repair": False},
            sizes=(25, 60),
        ),
        Decoder("dp-bigram", "compression", "dp-bigram", PROGRAMS, sizes=both),
        Decoder("dp-tree", "compression", "dp-tree", PROGRAMS, sizes=both),
        Decoder("ad3, compression", "compression", "ad3", DUAL, sizes=(25, 60)),
    ]


def _transduction() -> list[Decoder]:
    both = (25, 100)
    return [
        Decoder("dp-exact, transduction", "transduction", "dp-exact", FORESTS, sizes=both),
        Decoder("dp-exact, fixed length", "transduction", "dp-exact", FORESTS, variant="fixed", sizes=(25, 60)),
        Decoder("dp-transduction", "transduction", "dp-transduction", FORESTS, sizes=both),
        Decoder("dp-ngram, trigrams", "transduction", "dp-ngram", FORESTS, variant="trigram", sizes=both),
        Decoder("beam", "transduction", "beam", FORESTS, sizes=both),
        Decoder("rerank", "transduction", "rerank", FORESTS, sizes=both),
        Decoder("ad3, transduction", "transduction", "ad3", DUAL, sizes=both),
        Decoder("subgradient, transduction", "transduction", "subgradient", DUAL, sizes=both),
    ]


DECODERS = (*_parsing(), *_compression(), *_transduction())


UNFIT = (  # at 200 words: minutes, more memory than there is, no projective tree after pruning, or nothing new
    "ad3, order 3, short",
    "dp-eisner, order 1",
    "dp-eisner, siblings",
    "ad3, order 2, no pruning",
    "ad3, order 3, no pruning",
    "dp-exact, paper",
    "dp-lagrangian, as published",
    "ad3, compression",
    "rerank",
    "dp-exact, fixed length",
)
