"""Recorded results and the four papers' pages, from the files of `results/`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from bench.reproduction.report import COVER, NARROW_COVER, PAPERS, PIECES

from .markdown import demoted, read_table, table, without_title

SHOWN = ("claim", "where", "published", "ours", "verdict", "fastest here")
ORDER = ("beside", "table")  # what a paper's page shows first of a piece: the paper beside ours, then our table
COVERS = (f"{COVER}.png", f"{NARROW_COVER}.svg")  # the cover, and its drawing for small screens
PUBLISHED = "reproduction"  # the folder of results/ that holds the papers' tables


def result_pages(root: Path) -> tuple[dict[str, str], dict[str, Path]]:
    """Pages, and the files (pictures) that they show, by their path in the site."""
    results = root / "results"
    files: dict[str, Path] = {}
    pages = {"results/index.md": (results / "README.md").read_text(encoding="utf-8")}
    for folder in sorted(path for path in results.iterdir() if path.is_dir() and path.name != PUBLISHED):
        pages[f"results/{folder.name}.md"] = _experiment(folder, files)
    pages |= _reproduction(results / PUBLISHED, files)
    return pages, files


def paper_slug(paper: str) -> str:
    """`Almeida & Martins (2013)` becomes `almeida-martins-2013`."""
    return "-".join("".join(sign if sign.isalnum() else " " for sign in paper.lower()).split())


def paper_pages() -> dict[str, str]:
    """The title of each paper's page, by its path in the site."""
    return {f"papers/{paper_slug(paper)}.md": paper for paper in PAPERS}


def _experiment(folder: Path, files: dict[str, Path]) -> str:
    """A published experiment: its question and origin, the table, growth and plots."""
    origin = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    parts = [f"# {folder.name}", str(origin.get("question") or "")]
    parts += ["[All results](index.md) list the commit, the load and the command of this run."]
    for stem in ("table", "growth"):
        if (folder / f"{stem}.md").exists():
            title, rest = without_title((folder / f"{stem}.md").read_text(encoding="utf-8"))
            parts += [f"## {title or stem}", demoted(rest)]
    parts += _pictures(folder, f"results/{folder.name}", folder.name, files)
    return "\n\n".join(part for part in parts if part) + "\n"


def _pictures(folder: Path, home: str, place: str, files: dict[str, Path]) -> list[str]:
    """Every picture of a folder; `place` leads to it from the page."""
    shown = []
    for path in sorted(folder.glob("*.png")):
        files[f"{home}/{path.name}"] = path
        shown.append(f"![{folder.name}: {path.stem}]({place}/{path.name})")
    return shown


def _reproduction(folder: Path, files: dict[str, Path]) -> dict[str, str]:
    """A page for each paper, one for all claims, and one for the cover."""
    _, claims = without_title((folder / "claims.md").read_text(encoding="utf-8"))
    title, cover = without_title((folder / "cover.md").read_text(encoding="utf-8"))
    for name in COVERS:
        files[f"results/reproduction/{name}"] = folder / name
    alt = "How many times faster than the fastest ILP solver, by task and size"
    links = "\n".join(f"- [{paper}](../{path})" for path, paper in paper_pages().items())
    pages = {
        "results/claims.md": f"# Claims and verdicts\n\n{claims}",
        "results/reproduction.md": f"# {title}\n\n![{alt}](reproduction/cover.png)\n\n{cover}\n\n{links}\n",
    }
    for path, paper in paper_pages().items():
        pieces = [
            name for name, piece in PIECES.items() if piece.paper == paper and (folder / "pieces" / name).is_dir()
        ]
        pages[path] = _paper(paper, pieces, folder, files)
    return pages


def _paper(paper: str, pieces: Iterable[str], folder: Path, files: dict[str, Path]) -> str:
    verdicts = read_table((folder / "claims.md").read_text(encoding="utf-8"))
    parts = [
        f"# {paper}",
        "Recorded tables and figures on generated data. [How verdicts are found](../reproducing.md#how-verdicts-are-found) "
        "explains the rules; [all claims](../results/claims.md) adds the rule, the settings and the reason of each.",
    ]
    for name in pieces:
        home = folder / "pieces" / name
        piece = PIECES[name]
        parts += [f"## {piece.where or name}: {piece.title}", f"    dualbench reproduce {name}"]
        claims = [row for row in verdicts if row.get("piece") == name]
        columns = [column for column in SHOWN if any(row.get(column) for row in claims)]
        parts.append(table(columns, ([row[column].replace("\\|", "|") for column in columns] for row in claims)))
        for path in sorted(home.glob("*.md"), key=_rank):
            title, rest = without_title(path.read_text(encoding="utf-8"))
            parts += [f"### {title}", demoted(rest, 2)]
        parts += _pictures(home, f"papers/{name}", name, files)
    return "\n\n".join(part for part in parts if part) + "\n"


def _rank(path: Path) -> tuple[int, str]:
    return (ORDER.index(path.stem) if path.stem in ORDER else len(ORDER), path.stem)
