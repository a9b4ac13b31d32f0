"""A piece's folder: tables, figures, claims, and `done.json`, which says what they were made from.

`done.json` is written last. Whoever finds one with the key of the piece as it is now has everything and need not run it.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.files import read_text, replacing

from ..output.plots import save
from ..output.tables import Table
from ..records.log import writing
from .beside_files import write_views
from .claims import Claim
from .piece import Outcome, Passage, Shown

FIGURE_FORMATS = ("png", "svg")
DONE, CLAIMS, CONTENT, TEXTS = "done.json", "claims.json", "content.json", "texts.json"


@dataclass(frozen=True, kw_only=True)
class Kept(Outcome):
    """What a piece's folder holds; its figures are in files."""

    folder: Path
    done: dict[str, Any]


def write_outcome(folder: Path, outcome: Outcome, done: dict[str, Any]) -> Kept:
    """Everything of an earlier run is replaced; done.json comes last."""
    with writing(folder):
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
    for stem, table in outcome.tables.items():
        table.write(folder, stem=stem)
    write_views(folder, outcome.facts)
    for shown in outcome.figures:
        if shown.figure is not None:
            save(shown.figure, folder / shown.stem, FIGURE_FORMATS)
    content = {
        "tables": {stem: asdict(replace(table, terminal=None)) for stem, table in outcome.tables.items()},
        "pictures": [{name: getattr(shown, name) for name in ("stem", "caption", "alt")} for shown in outcome.figures],
        "facts": outcome.facts,
    }
    _write(folder / CLAIMS, [asdict(claim) for claim in outcome.claims])
    _write(folder / CONTENT, content)
    if outcome.passages:
        _write(folder / TEXTS, [asdict(passage) for passage in outcome.passages])
    _write(folder / DONE, done)
    return read_outcome(folder)


def read_outcome(folder: Path) -> Kept:
    """What an earlier run left; an InputError where it is not whole."""
    done, content, claims = (_read(folder / name) for name in (DONE, CONTENT, CLAIMS))
    texts = _read(folder / TEXTS) if (folder / TEXTS).exists() else []
    try:
        return Kept(
            {stem: Table(**table) for stem, table in content["tables"].items()},
            [Shown(**picture) for picture in content["pictures"]],
            [Claim(**claim) for claim in claims],
            [Passage(**text) for text in texts],
            content["facts"],
            folder=folder,
            done=done,
        )
    except (KeyError, TypeError, AttributeError):
        raise InputError(
            f"{folder}: not what `dualbench reproduce` writes; delete it and run the piece again."
        ) from None


def reusable(folder: Path, key: str) -> Kept | None:
    """The outcome of an earlier run with the same key; None if there is none, or if a file of it is gone."""
    try:
        kept = read_outcome(folder)
    except InputError:
        return None
    whole = all((folder / f"{picture.stem}.png").exists() for picture in kept.figures)
    return kept if whole and kept.done.get("key") == key else None


def _write(path: Path, document: Any) -> None:
    with writing(path), replacing(path) as temporary:
        temporary.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _read(path: Path) -> Any:
    try:
        return json.loads(read_text(path))
    except (OSError, ValueError):
        raise InputError(f"{path}: cannot be read; delete its folder and run the piece again.") from None
