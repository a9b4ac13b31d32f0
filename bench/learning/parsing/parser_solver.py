"""A plug-in: the whole learned parser as a solver, so that a run times pruning and features together with decoding.

An instance of a model has its scores already. This solver looks the sentence up by the instance's name, prunes and scores it with
the same model, and decodes what comes out: the same problem, with the time that parsers report.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from bench.learning.parsing.learners import parser_decoder
from problems.errors import InputError
from problems.parsing.model import ParserModel
from problems.text.conll import read_treebank
from problems.text.treebank import Sentence, from_conll
from solvers.base import Solution, Solver

model_in = cache(ParserModel.read)


@cache
def sentences_in(path: str) -> dict[str, Sentence]:
    """The sentences of a CoNLL-U file by name."""
    return {sentence.name: sentence for sentence in map(from_conll, read_treebank(path))}


@dataclass(kw_only=True)
class LearnedParser(Solver):
    """`model` is a file that `dualbench train parsing` wrote, `sentences` a CoNLL-U file with tags."""

    name = "learned-parser"
    tasks = frozenset({"parsing"})

    model: str = ""
    sentences: str = ""

    def solve(self, instance: Any) -> Solution:
        model, known = model_in(self.model), sentences_in(self.sentences)
        sentence = known.get(instance.name)
        if sentence is None:  # a harness warms up on other sentences: everything is loaded and compiled all the same
            self._parsed(model, next(iter(known.values())))
            raise InputError(f"{self.sentences}: there is no sentence {instance.name!r} in it.")
        return self._parsed(model, sentence)

    def _parsed(self, model: ParserModel, sentence: Sentence) -> Solution:
        return parser_decoder(model.order).solve(model.instance(sentence), "parsing")
