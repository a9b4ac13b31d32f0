"""Models trained on generated sentences with fixed seeds: the grammar, language models, and the discriminative model.

They are trained once and kept in the cache folder, under a hash of the sources that make them.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..language import NgramModel, bigram_table, estimate, trigram_table
from ..linear_program import Floats
from .discriminative import Discriminative, train
from .grammar import Grammar
from .sentences import Speaker
from .sizes import Scores
from .trees import Tree, pruned

TRAINING, DEVELOPMENT = 1, 2  # purposes of `generate.example`; 0 are the instances of the task
TRAINING_SENTENCES = 1000  # as in the paper's Table 1
TEXT_SENTENCES = 8000  # of the language models


class Settings(NamedTuple):
    """Weights of the two parts, and the reward per kept word that meets the gold rate on development sentences."""

    rule_weight: float
    ngram_weight: float
    reward: float


SETTINGS: dict[str, Settings] = {  # by `bench.studies.transduction_tuning`
    "bigram": Settings(1.0, 0.3, 1.5),
    "trigram": Settings(1.0, 0.3, 1.5),
    "discriminative": Settings(1.0, 1.0, 0.0),
    "rules alone": Settings(1.0, 0.0, 0.0),
    "discriminative alone": Settings(0.0, 1.0, 0.0),
}


@dataclass(frozen=True)
class Models:
    """All that turns a source tree into an instance."""

    grammar: Grammar
    bigrams: NgramModel
    trigrams: NgramModel
    discriminative: Discriminative

    def ngram_scores(self, tree: Tree, scores: Scores) -> Floats:
        if scores == "discriminative":
            return self.discriminative.table(self.discriminative.features(tree))
        if scores == "trigram":
            return trigram_table(self.trigrams, tree.words())
        return bigram_table(self.bigrams, tree.words())


@cache
def models() -> Models:
    """The trained models, from the cache folder if they are there."""
    from ..kernels.cache import cache_directory

    path = cache_directory().parent / f"transduction-{_source_hash()}.pickle"
    try:
        found = pickle.loads(path.read_bytes())
        if isinstance(found, Models):
            return found
    except Exception:  # not there, cut off, or of another version: all mean that they have to be trained
        pass
    trained = _train()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(pickle.dumps(trained))
        unfinished.replace(path)
    except OSError:
        pass  # a cache that cannot be written is no reason to fail
    return trained


def _source_hash() -> str:
    digest = hashlib.sha256(np.__version__.encode())
    here = Path(__file__).parent
    for path in [*sorted(here.glob("*.py")), *sorted((here.parent / "language").glob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _train() -> Models:
    from .generate import example

    sentences = [example(seed, "news", TRAINING) for seed in range(TRAINING_SENTENCES)]
    pairs = []
    for tree, kept in sentences:
        target = pruned(tree, set(kept))
        assert target is not None
        pairs.append((tree, target, kept))
    text = list(_text())
    return Models(Grammar(pairs), estimate(text, 2), estimate(text, 3), train(sentences))


def _text() -> list[tuple[str, ...]]:
    """Sentences as they come, short and long."""
    rng = np.random.default_rng([2014, 3])
    return [(*Speaker(rng, 0.4 + 1.2 * rng.random()).sentence().words(), ".") for _ in range(TEXT_SENTENCES)]
