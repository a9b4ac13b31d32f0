"""The linear-chain CRF as a compression model: every word is labelled kept or deleted (python-crfsuite, an optional package).

It sees what the joint model's tokens see, the unigram templates of Table 1 of Qian & Liu (2014), and which labels follow each
other. `kept_words` are the best labelling, the words above a `threshold` of their marginals, or the L likeliest. Its
model file has the system "crf" and the array `crf`, which is CRFsuite's own file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, quoted
from ..linear_program import Floats
from ..models.model_file import Array, read_model, write_model
from ..models.reading import reading
from ..storage import Fields
from ..text.sentence import ParsedSentence
from ..text.words import FUNCTION_WORDS
from .corpora import ParsedPair
from .crf_bytes import check_crf
from .features import BEFORE, BEHIND
from .model import KIND, LengthRule

SYSTEM = "crf"
KEPT, DELETED = "1", "0"
OPTIONS: dict[str, Any] = {"c1": 0.1, "c2": 0.1, "feature.possible_transitions": True}


def unigram_features(sentence: ParsedSentence) -> list[list[str]]:
    """Of each word: near words and tags, and their combinations."""
    words = [*BEFORE, *(word.lower() for word in sentence.words), *BEHIND]
    tags = [*BEFORE, *sentence.tags, *BEHIND]
    found = []
    for p in range(3, len(words) - 3):
        here = [f"w{k}={words[p + k]}" for k in range(-2, 3)] + [f"t{k}={tags[p + k]}" for k in range(-2, 3)]
        here += [f"wt={words[p]} {tags[p]}", f"w-1w={words[p - 1]} {words[p]}", f"ww+1={words[p]} {words[p + 1]}"]
        here += [f"tt{k}={tags[p + k]} {tags[p + k + 1]}" for k in range(-2, 2)]
        here += [f"ttt{k}={tags[p + k]} {tags[p + k + 1]} {tags[p + k + 2]}" for k in range(-2, 1)]
        here.append(f"stop={words[p] in FUNCTION_WORDS}")
        found.append(here)
    return found


def crfsuite() -> Any:
    try:
        import pycrfsuite
    except ImportError:
        raise InputError("the linear-chain CRF needs the package python-crfsuite, which is not installed.") from None
    return pycrfsuite


@dataclass(frozen=True, eq=False)
class Labeller:
    crf: bytes
    rule: LengthRule
    threshold: float = 0.5  # of the marginal probability of being kept, where it meets the gold rate
    parser: str = ""
    parser_hash: str = ""

    @cached_property
    def _tagger(self) -> Any:
        tagger = crfsuite().Tagger()
        tagger.open_inmemory(self.crf)
        return tagger

    def check(self) -> None:
        """An InputError where CRFsuite cannot read the model, or its labels are others."""
        check_crf(self.crf)
        tagger = self._tagger
        if not {KEPT, DELETED} >= set(tagger.labels()):
            raise InputError(f"the CRF has other labels than {KEPT!r} and {DELETED!r}.")

    def marginals(self, sentence: ParsedSentence) -> Floats:
        """The probability that each word is kept."""
        tagger = self._tagger
        tagger.set(unigram_features(sentence))
        return np.array([tagger.marginal(KEPT, place) for place in range(len(sentence))])

    def labelled(self, sentence: ParsedSentence) -> tuple[int, ...]:
        """The words of the best labelling: nothing controls how many."""
        labels = self._tagger.tag(unigram_features(sentence))
        return tuple(word for word, label in enumerate(labels, 1) if label == KEPT)

    def above(self, sentence: ParsedSentence, threshold: float | None = None) -> tuple[int, ...]:
        """The words whose marginals are above the threshold."""
        least = self.threshold if threshold is None else threshold
        return tuple((np.flatnonzero(self.marginals(sentence) > least) + 1).tolist())

    def likeliest(self, sentence: ParsedSentence, length: int) -> tuple[int, ...]:
        """The words of the highest marginals, exactly `length`."""
        chosen = np.argsort(-self.marginals(sentence), kind="stable")[:length] + 1
        return tuple(sorted(chosen.tolist()))

    def write(self, path: str | Path) -> None:
        header = {
            "system": SYSTEM,
            "length": [self.rule.intercept, self.rule.slope],
            "threshold": self.threshold,
            "parser": self.parser,
            "parser_hash": self.parser_hash,
        }
        write_model(path, KIND, header, {"crf": np.frombuffer(self.crf, dtype=np.uint8)})

    @classmethod
    def read(cls, path: str | Path) -> Labeller:
        return cls.of(*read_model(path, KIND), path)

    @classmethod
    def of(cls, header: dict[str, Any], arrays: dict[str, Array], path: str | Path) -> Labeller:
        """From what a model file holds."""
        with reading(path, "a labeller"):
            given, crf = Fields(header), arrays["crf"]
            if given.text("system") != SYSTEM:
                raise InputError(f"a model of the system {quoted(header['system'])}, expected {SYSTEM!r}.")
            if crf.ndim != 1 or crf.dtype != np.uint8:
                raise InputError("array 'crf' must hold the bytes of a model of CRFsuite.")
            made = cls(
                crf.tobytes(),
                LengthRule.of(given),
                given.number("threshold"),
                given.text("parser"),
                given.text("parser_hash"),
            )
            made.check()
            return made


def train_labeller(pairs: Sequence[ParsedPair], iterations: int, folder: Path) -> bytes:
    """CRFsuite's model of the pairs, after at most so many iterations of L-BFGS; `folder` is for its file."""
    suite = crfsuite()
    trainer = suite.Trainer(algorithm="lbfgs", params={**OPTIONS, "max_iterations": iterations}, verbose=False)
    for pair in pairs:
        gold = set(pair.kept)
        labels = [KEPT if word in gold else DELETED for word in range(1, len(pair.sentence) + 1)]
        trainer.append(unigram_features(pair.sentence), labels)
    path = folder / "model.crf"
    trainer.train(str(path))
    return path.read_bytes()


def threshold_for(marginals: Sequence[Floats], rate: float) -> float:
    """The threshold at which the mean over sentences of the share of kept words comes nearest to a rate."""
    values = np.concatenate(marginals)
    shares = np.concatenate([np.full(len(one), 1.0 / (len(one) * len(marginals))) for one in marginals])
    order = np.argsort(-values, kind="stable")
    kept = np.concatenate([[0.0], np.cumsum(shares[order])])
    best = int(np.abs(kept - rate).argmin())
    edges = np.concatenate([[1.0], values[order], [0.0]])
    return float(0.5 * (edges[best] + edges[best + 1]))
