"""Where the CPU time of every decoder of parsing, compression and transduction goes, at a typical and a large size.

    python -m bench.studies.decoder_profiles [FOLDER] [--quick] [--parser FILE] [--only NAME]

Per sentence the least of some repetitions counts, per row the mean over sentences. `--only` takes a decoder or a family (parsing, compression, transduction), `--parser` measures a
trained parser on generated news sentences as well. What memory decoders take is a column of the experiments `scaling-*`.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from problems.compression.generate import generate_planted
from problems.parsing.decode import best_tree
from problems.parsing.generate import noisy_instance
from problems.parsing.gold import PROFILES, draw_tree, draw_words
from problems.parsing.instance import with_order
from problems.parsing.model import ParserModel
from problems.transduction.generate import Example, instance_of
from problems.transduction.gold import gold_compression
from problems.transduction.models import fluency, models
from problems.transduction.sentences import sentence_of
from solvers import get_solver

from ..learning.parsing.data import read_sentences
from ..learning.parsing.learners import parser_decoder
from ..learning.parsing.parse import parse_sentences
from ..output.tables import Table
from .profiled_decoders import DECODERS, REST, Decoder, Phases, clocked
from .study import Study, Tables

SEED = 6001
STUDY = Study(
    "decoder-profiles",
    "Where does the CPU time of each decoder of sentences go?",
    sorted({decoder.solver for decoder in DECODERS}),
    {"seed": SEED},
)
SENTENCES = (6, 3)  # of the typical and of the large size
SECONDS = 0.15  # of repetitions per sentence, at least two


@cache
def sentences(family: str, variant: str, words: int, count: int) -> tuple[Any, ...]:
    """Generated sentences of one length, the same in every version of the code."""
    seeds = range(SEED, SEED + count)
    if family == "parsing":
        return tuple(_parsing_sentence(seed, words, variant) for seed in seeds)
    if family == "compression":
        return tuple(generate_planted(seed, words) for seed in seeds)
    found = []
    for seed in seeds:
        rng = np.random.default_rng([seed, words])
        tree = sentence_of(rng, words)
        example = Example(tree, gold_compression(tree, rng, fluency))
        scores = "trigram" if variant == "trigram" else "bigram"
        found.append(instance_of(example, models(), f"profile-{seed}", scores, variant == "fixed"))  # type: ignore[arg-type]
    return tuple(found)


def _parsing_sentence(seed: int, words: int, variant: str) -> Any:
    order, _, kind = variant.partition(" ")
    chosen = {"most_heads": None} if kind == "all" else {}
    for attempt in count():  # pruning may leave no projective tree
        rng = np.random.default_rng([seed, words, attempt])
        tree = draw_tree(rng, words, PROFILES["en"])
        instance = noisy_instance(rng, f"profile-{seed}", *draw_words(rng, tree), tree, **chosen)  # type: ignore[arg-type]
        arcs = words, instance.heads, instance.modifiers, instance.arc_scores
        if kind != "projective" or best_tree(*arcs, projective=True) is not None:
            break
    return with_order(instance, order)  # type: ignore[arg-type]


def profile(run: Callable[[], Any], phases: Phases, seconds: float) -> tuple[float, dict[str, float]]:
    """The least CPU seconds of one run, and of all repetitions the seconds by phase."""
    run()
    least, total, repetitions = np.inf, 0.0, 0
    while repetitions < 2 or total < seconds:
        start = time.process_time()
        run()
        taken = time.process_time() - start
        least, total, repetitions = min(least, taken), total + taken, repetitions + 1
    with clocked(phases) as clock:
        for _ in range(max(1, repetitions // 2)):
            run()
        return least, clock.stop()


def measure(decoder: Decoder, quick: bool) -> list[dict[str, Any]]:
    """A row per size."""
    rows = []
    for words, number in zip(decoder.sizes, SENTENCES, strict=False):
        sample = sentences(decoder.family, decoder.variant, words, 1 if quick else number)
        solver = get_solver(decoder.solver, **decoder.options)
        times, shares, objectives = [], Counter[str](), []
        for instance in sample:
            least, found = profile(partial(solver.solve, instance), decoder.phases, 0.0 if quick else SECONDS)
            times.append(1e3 * least)
            objectives.append(solver.solve(instance).objective)
            shares.update(found)  # a counter adds up seconds as well
        rows.append(row(decoder.name, words, times, shares, objectives))
    return rows


PARSER_PHASES: Phases = {
    "tagging": ("problems.text.tagger:Tagger.tagged",),
    "pruning": ("problems.parsing.model:ParserModel.arcs",),
    "features": ("problems.parsing.scoring:PartScorer.instance",),
    "decoding": ("bench.learning.parsing.parse:decoded_tree",),
    "labels": ("problems.parsing.labels:Labeler.label",),
}


def measure_parser(path: Path, quick: bool) -> list[dict[str, Any]]:
    """A trained parser from words to labelled trees, with the solver that it was trained with."""
    model = ParserModel.read(path)
    sample = read_sentences("generated", "", "test", 5 if quick else 60, SEED)
    bare = [type(one)(one.name, one.words, (), ()) for one in sample]
    run = partial(parse_sentences, model, bare, parser_decoder(model.order))
    least, shares = profile(run, PARSER_PHASES, 0.0 if quick else SECONDS)
    words = sum(map(len, bare)) / len(bare)
    return [row(f"trained parser, order {model.order}", round(words), [1e3 * least / len(bare)], shares, [])]


def row(
    name: str, words: int, times: Sequence[float], shares: Mapping[str, float], objectives: Sequence[float]
) -> dict[str, Any]:
    total = sum(shares.values())
    return {
        "decoder": name,
        "words": words,
        "ms": float(np.mean(times)),
        "shares": {phase: seconds / total for phase, seconds in sorted(shares.items(), key=lambda one: -one[1])},
        "objectives": [None if not np.isfinite(value) else value for value in objectives],
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


def study(folder: Path, quick: bool, parser: Path | None = None, only: str = "") -> Tables:
    """The profiles, also as lines of JSON."""
    chosen = [one for one in DECODERS if not only or only in (one.name, one.family)]
    rows: list[dict[str, Any]] = []
    for decoder in chosen:
        rows += measure(decoder, quick)
        print(f"{decoder.name}: {rows[-1]['words']} words, {rows[-1]['ms']:.3g} ms", flush=True)
    if parser is not None:
        rows += measure_parser(parser, quick)
    (folder / "rows.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return {"table": table(rows)}


if __name__ == "__main__":
    STUDY.main(study, parser=Path, only="")
