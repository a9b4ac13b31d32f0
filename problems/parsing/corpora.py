"""Real treebanks as parsing problems.

With a trained model (`parsing/model.py`) the scores are the model's. Without one they are a stand-in: noisy evidence around the gold
tree, as `generate` makes it, seeded by the sentence's name. Then lengths, trees and non-projectivity are the treebank's;
scores, and with them attachment scores, are NOT a parser's: they say how decoders compare on real sentences, never how well a
language can be parsed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import InputError, nearest, to_get
from ..text.conll import CONLL_ENDINGS, ConllSentence, read_treebank
from ..text.splits import SPLITS, split_of
from .generate import noisy_instance
from .instance import ParsingInstance

TREEBANKS = (
    "af_afribooms",
    "cs_cac",
    "cs_cltt",
    "da_ddt",
    "de_gsd",
    "en_ewt",
    "nl_alpino",
    "nl_lassysmall_v1.4",
    "pt_bosque",
    "sl_ssj",
)
ENDINGS = (*CONLL_ENDINGS, *(f"{ending}.gz" for ending in CONLL_ENDINGS))
HOME = "treebanks"  # the folder of these corpora within the data folder
NO_TAG = "_"


def own_home(name: str, folder: Path) -> Path | None:
    """The file or folder of a treebank that is none of those above, by its path or its name below `treebanks`."""
    if name in TREEBANKS:
        return None
    return next((path for path in (Path(name), folder / HOME / name) if path.is_file() or path.is_dir()), None)


def treebank_file(name: str, folder: Path, split: str) -> Path:
    """The file of a treebank's split: `treebanks/NAME/*-ud-SPLIT.conllu`, or the same gzipped; of one's own also `SPLIT.conllu` and CoNLL-X.

    A file is taken whole, whatever the split.
    """
    home = own_home(name, folder)
    if home is None and name not in TREEBANKS:
        raise InputError(f"unknown treebank {name!r}: {nearest(name, TREEBANKS)}")
    if split not in SPLITS:
        raise InputError(f"unknown split {split!r} of treebank {name!r}: {nearest(split, SPLITS)}")
    if home is None:
        home = folder / HOME / name
        found = [path for ending in ("", ".gz") for path in sorted(home.glob(f"*-ud-{split}.conllu{ending}"))]
        if not found:
            raise InputError(
                f"{home}: expected a CoNLL-U file *-ud-{split}.conllu or *-ud-{split}.conllu.gz in this folder; {to_get(name)}"
            )
        return found[0]
    if home.is_file():
        return home
    own = split_of(home, split, ENDINGS)
    if own is None:
        raise InputError(
            f"{home}: expected a treebank {split}.conllu (or *-{split}.conllu, .conll, .gz) in this folder."
        )
    return own


def read_corpus(
    name: str, folder: Path, split: str = "test", model: str | Path | None = None
) -> Iterator[ParsingInstance]:
    """The sentences of a treebank in order, also one that is no tree (there is one, in Dutch): its heads are scored all the same."""
    make = stand_in if model is None else _scored_by(model)
    return map(make, read_treebank(treebank_file(name, folder, split)))


def _scored_by(model: str | Path) -> Callable[[ConllSentence], ParsingInstance]:
    """Instances with the scores of a trained parser, for the treebank's own tags."""
    from ..text.treebank import from_conll
    from .model import ParserModel

    parser = ParserModel.read(model)
    return lambda sentence: parser.instance(from_conll(sentence))


def stand_in(sentence: ConllSentence) -> ParsingInstance:
    """A sentence with scores around its gold tree; several roots are allowed where the gold tree has several."""
    rng = np.random.default_rng([2013, zlib.crc32(sentence.name.encode()), len(sentence.words)])
    tags = sentence.fine_tags if any(tag != NO_TAG for tag in sentence.fine_tags) else sentence.coarse_tags
    single_root = sentence.heads.count(0) == 1
    instance = noisy_instance(rng, sentence.name, sentence.words, tags, sentence.heads, single_root=single_root)
    return replace(instance, labels=sentence.relations)


__all__ = ["SPLITS", "TREEBANKS", "own_home", "read_corpus", "stand_in", "treebank_file"]
