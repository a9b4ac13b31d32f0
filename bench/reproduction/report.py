"""One offline HTML page: the answer first, then a section per paper with ours beside the published, then provenance.

Here are all pieces by name, in the order of the papers. Importing this loads the studies; the command does so when it runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from problems.errors import InputError, nearest
from problems.files import replacing

from ..output.plots.canvas import save
from ..output.report import FOLDER as STYLE_FOLDER
from ..output.report import digest, filled
from ..output.report.parts import csv_link, facts_part
from ..records.log import writing
from ..records.marks import at_worst, load_per_core, marks
from ..records.provenance import code_name, command, libraries, machine, now, solver_version, write_provenance
from .answers import answers_part
from .beside import views_of, views_part
from .claims import claims_table
from .claims_page import claims_page
from .cover import contests_by_task, cover_alt, cover_data, cover_figure, cover_table
from .page import claims_part, folded, notes_part, passages_part, picture_part, table_part, verdict_counts
from .paper_rows import first_rows
from .piece import Context, Piece, Shown
from .pieces import comparison, compression, learned_summaries, parsing, summarization, transduction
from .standings import Contest, contest_of
from .store import FIGURE_FORMATS, Kept

MODULES = (learned_summaries, summarization, parsing, compression, transduction, comparison)
PIECES: dict[str, Piece] = {piece.name: piece for module in MODULES for piece in module.PIECES}
PAPERS: tuple[str, ...] = tuple(dict.fromkeys(piece.paper for piece in PIECES.values()))


def chosen(names: list[str] | None) -> list[Piece]:
    """The named pieces, all of them if none is named."""
    for name in names or []:
        if name not in PIECES:
            raise InputError(f"unknown piece {name!r}: {nearest(name, PIECES)}")
    return [PIECES[name] for name in dict.fromkeys(names or PIECES)]


HERE = Path(__file__).parent
QUESTION = "Which claims of the four papers hold here, and which solver is the fastest for which problem?"
TITLE = "Four papers on decoding, reproduced"
REPORT, COVER, NARROW_COVER = "report.html", "cover", "cover-narrow"


def write_report(kept: Mapping[str, Kept], context: Context) -> Path:
    """The page, all claims in one table, the cover's figure and table, and provenance, in the run's folder."""
    target = context.out / REPORT
    with writing(target):
        context.out.mkdir(parents=True, exist_ok=True)
        claims = claims_table((name, claim) for name, each in kept.items() for claim in each.claims)
        claims.write(context.out, ("csv", "tex"), stem="claims")
        page = claims_page({name: each.claims for name, each in kept.items()})
        (context.out / "claims.md").write_text(page, encoding="utf-8")
        facts = _provenance(kept, context)
        write_provenance(context.out, facts)
        page = make_page(kept, context, facts)
        with replacing(target) as temporary:
            temporary.write_text(page, encoding="utf-8")
    return target


def make_page(kept: Mapping[str, Kept], context: Context, facts: dict[str, Any]) -> str:
    style = "".join((folder / "report.css").read_text(encoding="utf-8") for folder in (STYLE_FOLDER, HERE))
    style += (HERE / "beside.css").read_text(encoding="utf-8")
    claims = [claim for each in kept.values() for claim in each.claims]
    by_paper = {
        paper: {name: kept[name] for name, piece in PIECES.items() if piece.paper == paper and name in kept}
        for paper in PAPERS
    }
    contents = [("cover", "Which solver?"), ("verdicts", "Claims"), *((_anchor(paper), paper) for paper in by_paper)]
    contents.append(("provenance", "Provenance"))
    return filled(
        (HERE / "report.html").read_text(encoding="utf-8"),
        {
            "policy": f"default-src 'none'; img-src data:; style-src '{digest(style)}'; base-uri 'none'",
            "title": TITLE,
            "style": style,
            "about": escape(_about(kept, context, facts)),
            "contents": "".join(f'<li><a href="#{anchor}">{escape(name)}</a></li>' for anchor, name in contents),
            "warnings": _warnings(kept, context),
            "answers": answers_part(contests_by_task(kept), claims),
            "cover": _cover(kept, context),
            "verdicts": table_part(
                verdict_counts({paper: list(own.values()) for paper, own in by_paper.items()}), 3, name="verdicts"
            )
            + folded("How verdicts are reached", notes_part(claims_table([]).notes)),
            "papers": "".join(_paper(paper, own, context) for paper, own in by_paper.items()),
            "provenance": _provenance_part(facts),
        },
    )


def _about(kept: Mapping[str, Kept], context: Context, facts: dict[str, Any]) -> str:
    parts = [f"{len(kept)} of {len(PIECES)} tables, figures and comparisons"]
    parts.append("generated data" if context.data is None else "real corpora")
    parts.append(f"written {facts['written'][:16].replace('T', ' ')}")
    code = _code(facts, 10)
    return " · ".join([*parts, code] if code else parts)


def _code(facts: Mapping[str, Any], digits: int | None = None) -> str:
    """The code of every piece: pieces that were kept from earlier runs may be of other commits."""
    commits = facts["code"].get("commits") or [facts["code"].get("commit")]
    return ", ".join(filter(None, (code_name({**facts["code"], "commit": commit}, digits) for commit in commits)))


def _warnings(kept: Mapping[str, Kept], context: Context) -> str:
    said = []
    hasty = [name for name, each in kept.items() if each.done.get("quick")]
    if hasty:
        which = "A quick run" if len(hasty) == len(kept) else f"Quick versions so far: {', '.join(hasty)}. They are"
        which += ":" if len(hasty) == len(kept) else " made of"
        said.append(
            f"{which} a few small instances. Verdicts are a first look; run without --quick for numbers to rely on."
        )
    if any(each.done.get("brief") for each in kept.values()):
        said.append(
            "A brief run: each cell was measured once, two pieces at a time, without slow rows that only we have. "
            "Each piece says what is left out; run without --brief for times to rely on."
        )
    left = [name for name in PIECES if name not in kept]
    if left:
        said.append(f"Not in this report, because they have not been run: {', '.join(left)}.")
    if context.data is None:
        said.append(
            "Texts and scores are generated: runtimes, integrality and search errors can be compared with the papers; "
            "accuracies only in their order."
        )
    return "".join(f'<p class="warning">{escape(text)}</p>' for text in said)


def _cover(kept: Mapping[str, Kept], context: Context) -> str:
    found = contests_by_task(kept)
    if not found:
        return "<p>No comparison of solvers has been run yet: <code>dualbench reproduce compare-parsing</code>.</p>"
    _draw_cover(found, context.out)
    compared = {name: piece_marks(PIECES[name], each) for name, each in kept.items() if "contests" in each.facts}
    table = cover_table(found, [f"Marked, {name}: {'; '.join(why)}." for name, why in compared.items() if why])
    data = cover_data(found)
    table.write(context.out, ("md", "tex"), stem=COVER)
    data.write(context.out, ("csv",), stem=COVER)
    caption = (
        "How many times faster than the fastest ILP solver of each instance the other solvers are, size by size (median over instances, "
        "95 % interval), among answers of the same quality: filled, proved optimal; half, within 0.1 % of the best known objective; "
        "hollow, within 1 %. Crosses: they reach none of these on every instance. Below each size: the ILP solver that is the fastest "
        "most often."
    )
    return picture_part(context.out, Shown(COVER, caption, cover_alt(found)), NARROW_COVER) + table_part(
        table, 3, name=COVER, data=data
    )


_drawn: dict[Path, str] = {}  # what the covers that this process has drawn show


def _draw_cover(found: Mapping[str, Sequence[Contest]], out: Path) -> None:
    """The cover's figures, unless they are there already: drawing them takes most of a report's time."""
    shown = repr(found)
    if _drawn.get(out) == shown and (out / f"{COVER}.png").exists():
        return
    save(cover_figure(found), out / COVER, FIGURE_FORMATS)
    save(cover_figure(found, narrow=True), out / NARROW_COVER, ("svg",))
    _drawn[out] = shown


def _paper(paper: str, kept: Mapping[str, Kept], context: Context) -> str:
    anchor = _anchor(paper)
    parts = [_piece(PIECES[name], each, context) for name, each in kept.items()]
    body = "".join(parts) or "<p>Nothing of this has been run yet.</p>"
    return (
        f'<section class="paper" id="{anchor}" aria-labelledby="{anchor}-heading">'
        f'<h2 id="{anchor}-heading">{escape(paper)}</h2>{body}</section>'
    )


def _piece(piece: Piece, kept: Kept, context: Context) -> str:
    named = piece.title if piece.where == "comparison" else f"{piece.where}: {piece.title}"
    parts = [f'<h3 id="{piece.name}">{escape(named)}</h3>']
    marked = piece_marks(piece, kept)
    if marked:
        reasons = ", ".join(mark.removeprefix("recorded ") for mark in marked)
        parts.append(f'<p class="warning">Times are not for publication: {escape(reasons)}.</p>')
    parts += [f'<p class="note">{escape(text)}</p>' for text in left_out(kept)]
    parts.append(views_part(kept.facts, _tables(piece, kept)) + _view_files(piece, kept))
    pictures = [picture_part(kept.folder, picture) for picture in kept.figures]
    parts.append(f'<div class="figures">{"".join(pictures)}</div>' if len(pictures) > 1 else "".join(pictures))
    parts.append(passages_part(kept.passages))
    parts.append(claims_part(kept.claims, piece.name))
    run = kept.facts.get("run")
    if run and (context.run_folder(run) / REPORT).exists():  # no link: runs are not committed with the page
        where = f"<code>runs/{escape(run)}/{REPORT}</code>"
        parts.append(
            f'<p class="note run">Every cell, interactive: {where} in the folder of `dualbench reproduce`.</p>'
        )
    return "".join(parts)


def _view_files(piece: Piece, kept: Kept) -> str:
    """The paper's tables beside ours as files."""
    links = [
        f"{escape(view.where)} {csv_link(view.table(), f'{piece.name}-{stem}')}"
        for stem, view in views_of(kept.facts).items()
    ]
    return f'<p class="note run">Beside ours, as a file: {"; ".join(links)}</p>' if links else ""


def _tables(piece: Piece, kept: Kept) -> str:
    """The piece's tables, the rows of the paper first."""
    found = [contest_of(contest) for contest in kept.facts.get("contests", [])]
    return "".join(
        table_part(table, first=first_rows(piece.name, table, found), name=f"{piece.name}-{stem}")
        for stem, table in kept.tables.items()
    )


def piece_marks(piece: Piece, kept: Kept) -> list[str]:
    """Why the times of a piece must be taken with care: those of its runs, or its own if it has none and measures any.

    Of the runs' loads the highest counts.
    """
    parts = kept.done.get("runs") or ([kept.done] if piece.timed else [])
    loads = [load_per_core(part) for part in parts]
    highest = max((math.inf if load is None else load for load in loads), default=0.0)
    worst: Mapping[str, Any] = next(
        (part for part, load in zip(parts, loads, strict=True) if load in (None, highest)), {}
    )
    shared = {"quick": False, "load": worst.get("load"), "machine": worst.get("machine")}
    return list(dict.fromkeys(mark for part in parts for mark in marks({**part, **shared})))


def left_out(kept: Kept) -> list[str]:
    """What a brief run did not measure of a piece, run by run."""
    runs = [run for run in kept.done.get("runs") or [] if run.get("left_out")]
    return [f"Left out of {run['experiment']} in this brief run: {run['left_out']}." for run in runs]


def _anchor(paper: str) -> str:
    return "paper-" + "".join(character for character in paper.split()[0].lower() if character.isalnum())


def _provenance(kept: Mapping[str, Kept], context: Context) -> dict[str, Any]:
    from solvers.registry import SOLVERS

    parts = [part for each in kept.values() for part in (each.done.get("runs") or [each.done])]
    return {
        "question": QUESTION,
        "command": command(),
        "written": now(),
        **at_worst(parts),
        "settings": {"quick": context.quick, "data": context.data is not None},
        "quick": any(each.done.get("quick") for each in kept.values()),
        "pieces": {name: each.done for name, each in kept.items()},
        "solvers": {name: solver_version(name) for name in SOLVERS},
        "libraries": libraries(),
        "machine": machine(),
    }


def _provenance_part(facts: dict[str, Any]) -> str:
    first = [("Command", " ".join(facts["command"])), ("Written", facts["written"])]
    first.append(("Code", _code(facts) or "unknown"))
    pieces = {
        name: f"started {done['started']}, {done['seconds']} s{', quick' if done.get('quick') else ''}, key {done['key']}"
        for name, done in facts["pieces"].items()
    }
    more = {"Pieces": pieces, "Solvers": facts["solvers"], "Libraries": facts["libraries"]}
    return facts_part("Code and machine", [*first, *facts["machine"].items()]) + folded(
        "Pieces, solvers and libraries", "".join(facts_part(title, known.items()) for title, known in more.items())
    )
