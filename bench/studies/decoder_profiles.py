"""Where the CPU time of every decoder of parsing, compression and transduction goes, at a typical and a large size.

    python -m bench.studies.decoder_profiles results/decoder-profiles [--quick] [--parser FILE] [--only TEXT]

Times are CPU milliseconds of everything that decoding a sentence takes: the whole `solve()` call, with the checking and scoring that
the harness does off the solver's clock. Per sentence the least of some repetitions counts, per row the mean over sentences. Shares are
of the same repetitions together. To compare two versions of the code, copy `phase_clock.py` and this file into the older one
and run both in turn. `--parser` measures a trained parser on generated news sentences as well.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from solvers import get_solver

from ..provenance import load_average, now, provenance
from ..tables import Table
from .phase_clock import REST, Phases, clocked

SEED = 6001
SENTENCES = {"typical": 8, "large": 3}
SECONDS = 1.0  # of repetitions per sentence, at least two
JUDGES = (
    "conclude",
    "beam",
    "rerank",
    "subgradient",
    "ad3",
    "dynamic.dp_mst",
    "dynamic.dp_eisner",
    "dynamic.compression",
)
JUDGES += (
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
        Decoder("ad3, order 2, no pruning", "parsing", "ad3", DUAL, {"max_iterations": 50}, "2 all", (15, 40)),
        Decoder("ad3, order 3, no pruning", "parsing", "ad3", DUAL, {"max_iterations": 50}, "3 all", (15, 40)),
        Decoder("subgradient, order 3", "parsing", "subgradient", DUAL, {"max_iterations": 200}, "3"),
        Decoder("dp-mst", "parsing", "dp-mst", PROGRAMS, variant="1", sizes=(25, 200)),
        Decoder("dp-eisner, order 1", "parsing", "dp-eisner", PROGRAMS, {"order": 1}, "1", (25, 200)),
        Decoder("dp-eisner, siblings", "parsing", "dp-eisner", PROGRAMS, {}, "2", (25, 200)),
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


@cache
def sentences(family: str, variant: str, words: int, count: int) -> tuple[Any, ...]:
    """Generated sentences of one length, the same in every version of the code."""
    seeds = range(SEED, SEED + count)
    if family == "parsing":
        return tuple(_parsing_sentence(seed, words, variant) for seed in seeds)
    if family == "compression":
        from problems.compression.generate import generate_planted

        return tuple(generate_planted(seed, words) for seed in seeds)
    from problems.transduction.generate import Example, instance_of
    from problems.transduction.gold import gold_compression
    from problems.transduction.models import fluency, models
    from problems.transduction.sentences import sentence_of

    found = []
    for seed in seeds:
        rng = np.random.default_rng([seed, words])
        tree = sentence_of(rng, words)
        example = Example(tree, gold_compression(tree, rng, fluency))
        scores = "trigram" if variant == "trigram" else "bigram"
        found.append(instance_of(example, models(), f"profile-{seed}", scores, variant == "fixed"))  # type: ignore[arg-type]
    return tuple(found)


def _parsing_sentence(seed: int, words: int, variant: str) -> Any:
    from problems.parsing.generate import noisy_instance
    from problems.parsing.gold import PROFILES, draw_tree, draw_words
    from problems.parsing.instance import with_order

    order, _, everything = variant.partition(" ")
    rng = np.random.default_rng([seed, words])
    tree = draw_tree(rng, words, PROFILES["en"])
    chosen = {"most_heads": None} if everything else {}
    instance = noisy_instance(rng, f"profile-{seed}", *draw_words(rng, tree), tree, **chosen)  # type: ignore[arg-type]
    return with_order(instance, order)  # type: ignore[arg-type]


def profile(run: Callable[[], Any], phases: Phases, seconds: float) -> tuple[float, dict[str, float]]:
    """The least CPU seconds of one run, and of all repetitions the seconds by phase."""
    run()
    least, total = np.inf, 0.0
    shares: dict[str, float] = {}
    repetitions = 0
    while repetitions < 2 or total < seconds:
        start = time.process_time()
        run()
        taken = time.process_time() - start
        least, total, repetitions = min(least, taken), total + taken, repetitions + 1
    with clocked(phases) as clock:
        for _ in range(max(1, repetitions // 2)):
            run()
        shares = clock.stop()
    return least, shares


def measure(decoder: Decoder, quick: bool) -> list[dict[str, Any]]:
    """A row per size."""
    rows = []
    for place, words in enumerate(decoder.sizes):
        size = list(SENTENCES)[place]
        sample = sentences(decoder.family, decoder.variant, words, 1 if quick else SENTENCES[size])
        solver = get_solver(decoder.solver, **decoder.options)
        times, shares, objectives = [], dict[str, float](), []
        for instance in sample:
            least, found = profile(lambda one=instance: solver.solve(one), decoder.phases, 0.0 if quick else SECONDS)
            times.append(1e3 * least)
            objectives.append(solver.solve(instance).objective)
            for phase, seconds in found.items():
                shares[phase] = shares.get(phase, 0.0) + seconds
        rows.append(row(decoder.name, words, times, shares, objectives))
    return rows


def measure_parser(path: Path, quick: bool) -> list[dict[str, Any]]:
    """A trained parser from words to labelled trees, with the solver that it was trained with."""
    from problems.parsing.model import ParserModel

    from ..learning.parse_text import parse_sentences
    from ..learning.parser_learners import parser_decoder
    from ..learning.parsing import read_sentences

    model = ParserModel.read(path)
    sample = read_sentences("generated", "", "test", 5 if quick else 60, SEED)
    bare = [type(one)(one.name, one.words, (), ()) for one in sample]
    rounds = [parse_sentences(model, bare, parser_decoder(model.order)) for _ in range(1 if quick else 5)]
    best = min(rounds, key=lambda parsed: sum(parsed.seconds.values()))
    words = best.words / len(bare)
    ms = 1e3 * sum(best.seconds.values()) / len(bare)
    return [row(f"trained parser, order {model.order}", round(words), [ms], best.seconds, [])]


def row(
    name: str, words: int, times: Sequence[float], shares: dict[str, float], objectives: Sequence[float]
) -> dict[str, Any]:
    total = sum(shares.values())
    return {
        "decoder": name,
        "words": words,
        "ms": float(np.mean(times)),
        "shares": {phase: seconds / total for phase, seconds in sorted(shares.items(), key=lambda one: -one[1])},
        "objectives": [None if not np.isfinite(value) else value for value in objectives],
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def table(rows: Sequence[dict[str, Any]]) -> Table:
    shown = []
    for one in rows:
        parts = [f"{phase} {share:.0%}" for phase, share in one["shares"].items() if share >= 0.01]
        shown.append([one["decoder"], str(one["words"]), f"{one['ms']:.3g}", ", ".join(parts)])
    notes = [
        "CPU milliseconds per sentence: the whole solve() call with checking and scoring, warm, the least of some repetitions.",
        f"Shares are exclusive; {REST!r} is all that no other phase counts. Iterations of ad3 and subgradient are compiled code as a whole.",
    ]
    return Table("Profiles of decoders", ["decoder", "words", "ms", "shares"], shown, notes)


def main(folder: Path, quick: bool, parser: Path | None = None, only: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started, rows = now(), []
    for decoder in DECODERS:
        if only in decoder.name or only == decoder.family:
            rows += measure(decoder, quick)
            for one in rows[-len(decoder.sizes) :]:
                print(
                    f"{one['decoder']:32s} {one['words']:4d} {one['ms']:10.3f}",
                    {k: round(v, 2) for k, v in one["shares"].items()},
                    flush=True,
                )
    if parser is not None:
        rows += measure_parser(parser, quick)
        print(rows[-1], flush=True)
    table(rows).write(folder)
    (folder / "rows.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    origin = provenance({one.solver for one in DECODERS}, started=started, load=load_average(), seed=SEED, quick=quick)
    (folder / "provenance.json").write_text(json.dumps(origin, indent=1) + "\n", encoding="utf-8")


def _option(name: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else ""


if __name__ == "__main__":
    given = _option("--parser")
    folders = [one for one in sys.argv[1:2] if not one.startswith("--")]
    main(
        Path(folders[0] if folders else "results/decoder-profiles"),
        "--quick" in sys.argv,
        Path(given) if given else None,
        _option("--only"),
    )
