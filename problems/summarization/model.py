"""A trained summarizer: one weight vector over hashed features of concepts and arcs, and how it is to be used.

The file (kind `summarizer`) has the array `weights`, the array `pruner` where candidates are chosen by weights, and the header fields `system` (such as "multi-task"), `bits`, `budget` (words of
the training summaries), `topics` (names of the training topics), `regularization`, and `parser`: null for generated topics, else
the parser's file, as a path relative to this file, and the fingerprint it must have.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, quoted
from ..linear_program import Floats
from ..models.model_file import read_model, write_model
from ..models.reading import hashed_weights, reading
from ..storage import Fields
from ..text.sentence import Cluster
from .blueprint import Blueprint, blueprint

KIND = "summarizer"
SYSTEMS = ("extractive", "post-combined", "single-task", "multi-task")


@dataclass(frozen=True, eq=False)
class SummarizerModel:
    system: str
    bits: int
    budget: int
    weights: Floats
    topics: tuple[str, ...] = ()
    regularization: float = 0.0
    parser_file: Path | None = None
    parser_fingerprint: str = ""
    pruner: Floats | None = None  # what candidates are chosen by; None: document counts

    @property
    def extractive(self) -> bool:
        """Does the system take whole sentences?"""
        return self.system == "extractive"

    def blueprint(self, cluster: Cluster, budget: int | None = None) -> Blueprint:
        return blueprint(cluster, self.budget if budget is None else budget, self.bits, pruner=self.pruner)

    def scores(self, topic: Blueprint) -> Floats:
        """The score of every part of a topic."""
        return topic.features.scores(self.weights)

    def write(self, path: Path) -> None:
        parser = None
        if self.parser_file is not None:
            file = os.path.relpath(self.parser_file, path.parent)
            parser = {"file": Path(file).as_posix(), "fingerprint": self.parser_fingerprint}
        header: dict[str, Any] = {
            "system": self.system,
            "bits": self.bits,
            "budget": self.budget,
            "topics": list(self.topics),
            "regularization": self.regularization,
            "parser": parser,
        }
        pruner = {} if self.pruner is None else {"pruner": self.pruner}
        write_model(path, KIND, header, {"weights": self.weights, **pruner})

    @classmethod
    def read(cls, path: str | Path) -> SummarizerModel:
        path = Path(path)
        header, arrays = read_model(path, KIND)
        with reading(path, "a summarizer"):
            given, parser = Fields(header), header.get("parser")
            system, bits = given.text("system"), given.integer("bits", 1)
            if system not in SYSTEMS:
                raise InputError(f"field 'system' must be one of {', '.join(SYSTEMS)}, not {quoted(system)}.")
            trees = None if parser is None else Fields(parser, "parser")
            return cls(
                system=system,
                bits=bits,
                budget=given.integer("budget", 1),
                weights=hashed_weights(arrays, "weights", bits),
                topics=given.texts("topics"),
                regularization=given.number("regularization"),
                parser_file=None if trees is None else path.parent / trees.text("file"),
                parser_fingerprint="" if trees is None else trees.text("fingerprint"),
                pruner=hashed_weights(arrays, "pruner", bits) if "pruner" in arrays else None,
            )
