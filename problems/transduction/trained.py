"""The grammar and the discriminative model of generated instances, as a file of the package.

Training them takes 13 CPU seconds, and every user would wait for it. `python -m problems.transduction.trained` trains them
and writes the file; a test trains them and compares. The sentences are generated from fixed seeds.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np

from .discriminative import Discriminative, train
from .grammar import Grammar
from .learn import learn
from .learned.grammar_file import from_plain, to_plain
from .trees import pruned

FILE = Path(__file__).with_name("trained.json.xz")
TRAINING, DEVELOPMENT = 1, 2  # purposes of `generate.example`; 0 are the instances of the task
TRAINING_SENTENCES = 1000  # as in the paper's Table 1


def trained() -> tuple[Grammar, Discriminative]:
    """Both models as the file has them."""
    document = json.loads(lzma.decompress(FILE.read_bytes()))
    weights = np.array(document["weights"])
    return from_plain(document["grammar"]), Discriminative.of(document["features"], weights)


def trained_anew() -> dict[str, Any]:
    """What the file should hold."""
    from .generate import example

    sentences = [example(seed, "news", TRAINING) for seed in range(TRAINING_SENTENCES)]
    pairs = []
    for tree, kept in sentences:
        target = pruned(tree, set(kept))
        assert target is not None
        pairs.append((tree, target, kept))
    grammar = Grammar(pairs)
    learn(grammar, sentences)
    model = train(sentences)
    return {"grammar": to_plain(grammar), "features": model.plain_features(), "weights": model.weights.tolist()}


if __name__ == "__main__":
    text = json.dumps(trained_anew(), ensure_ascii=False, separators=(",", ":"))
    FILE.write_bytes(lzma.compress(text.encode(), preset=9))
