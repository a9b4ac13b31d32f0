"""The parts of the page that are plain HTML: they can be read, printed and searched without a script."""

from __future__ import annotations

import base64
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from ...analysis.audit.cells import Finding
from ...analysis.noise import Noise
from ...records.damage import told
from ...records.fields import FAILURES
from ...records.frame import Records
from ...records.marks import machines, processors
from ...records.provenance import code_name
from ..escaping import html_text
from ..tables import Table
from .catalog import NONE, Catalog, Group, counted, listed
from .headline import headline

EXAMPLES = 3
MOST_FAILURES = 200
MOST_DAMAGE = 20


def about_part(records: Records) -> str:
    """What ran, in one line."""
    untraced = int((~records["traced"]).sum())
    pieces = [
        counted(records["instance_digest"].nunique(), "instance"),
        counted(records["label"].nunique(), "solver"),
        counted(untraced, "cell") + (f" and {len(records) - untraced:,} traced" if untraced < len(records) else ""),
    ]
    started = sorted(text for text in records["started"] if text)
    if started:
        pieces.append(f"run {started[0][:16].replace('T', ' ')}")
    code = code_name(records.provenance.get("code", {}), 10)
    pieces += [code] if code else []
    return html_text(" · ".join(pieces))


def damage_part(records: Records) -> str:
    """Lines and fields of the run that cannot be read, and so are in no number of the page."""
    said = told(getattr(records, "damage", None) or [], MOST_DAMAGE)
    return f'<div class="warning"><strong>Damaged files of this run</strong>{_items(said)}</div>\n' if said else ""


def findings_part(findings: Iterable[Finding], scored: int, answers: int) -> str:
    """Contradictions and broken answers, errors first and in red; of many alike the first few and their number."""
    every = list(findings)
    errors = [finding for finding in every if finding.severity == "error"]
    warnings = [finding for finding in every if finding.severity != "error"]
    parts = []
    if errors:
        parts.append(
            '<section class="findings" role="alert"><h2>The audit found '
            f"{counted(len(errors), 'error')}: do not trust these numbers before they are explained</h2>"
            f"{_alike(errors)}</section>"
        )
    if warnings:
        parts.append(f'<div class="warning"><strong>Audit warnings</strong>{_alike(warnings)}</div>')
    if not errors:
        how = f"{scored:,} of {counted(answers, 'stored answer')} scored again from the instance"
        parts.append(f'<p class="clean">Audit: no contradiction between solvers; {how}.</p>')
    return "\n".join(parts)


def _alike(findings: list[Finding]) -> str:
    alike: dict[tuple[str, tuple[str, ...]], list[Finding]] = defaultdict(list)
    for finding in findings:
        alike[finding.kind, finding.labels].append(finding)
    texts = []
    for group in alike.values():
        texts += [f"{one.instance}: {', '.join(one.labels)}: {one.text}" for one in group[:EXAMPLES]]
        texts += [f"… and {len(group) - EXAMPLES:,} more like this"] if len(group) > EXAMPLES else []
    return _items(texts)


def headline_part(groups: list[Group], catalog: Catalog) -> str:
    """The sentences of each size, under its name and its task's where there are several."""
    if not groups:
        return "<p>This run has no cells.</p>"
    parts = []
    for group in groups:
        task, size = catalog.tasks.index(group.task), catalog.sizes.index(group.size)
        name = group_name(group, catalog)
        heading = f"<h3>{html_text(name)}</h3>" if name else ""
        parts.append(f'<div data-of-task="{task}" data-of-size="{size}">{heading}{_items(headline(group))}</div>')
    return "".join(parts)


def group_name(group: Group, catalog: Catalog) -> str:
    """The task and the size, as far as the run has several."""
    size = f"size {group.size or '(none)'}" if len(catalog.sizes) > 1 else ""
    return ", ".join(part for part in (group.task if len(catalog.tasks) > 1 else "", size) if part)


def noise_part(noise: Noise) -> str:
    """Can the times be trusted?"""
    kind = "note" if noise.level == "quiet" else "warning"
    return f'<p class="{kind}"><strong>Noise: {html_text(noise.level)}.</strong> {html_text(noise.sentence)}</p>'


def nodes_part(records: Records) -> str:
    """A warning where times of several machines stand side by side."""
    nodes = machines(records)
    if len(nodes) < 2:
        return ""
    said = f"These cells ran on {len(nodes)} machines ({listed(nodes)}); their times are not comparable."
    return f'<p class="warning">{html_text(said)}</p>'


def filters_part(records: Records, catalog: Catalog) -> str:
    """Filters by task, size, solver and status."""
    parts = []
    if len(catalog.tasks) > 1:
        parts.append(_choice("task", "Task", "all tasks", catalog.tasks))
    if len(catalog.sizes) > 1:
        parts.append(_choice("size", "Size", "all sizes", [size or "(none)" for size in catalog.sizes]))
    labels = "".join(
        f'<label><input type="checkbox" name="label" value="{index}" checked>'
        f'<span data-swatch="{index}"></span>{html_text(label)}</label>'
        for index, label in enumerate(catalog.labels)
    )
    counts = records["status"].value_counts()
    statuses = "".join(
        f'<label><input type="checkbox" name="status" value="{index}" checked>{html_text(status)} ({counts[status]:,})</label>'
        for index, status in enumerate(catalog.statuses)
    )
    parts.append(f"<fieldset><legend>Solvers</legend>{labels}</fieldset>")
    parts.append(f"<fieldset><legend>Status (cells, failures and runtime points)</legend>{statuses}</fieldset>")
    parts.append('<button type="reset">Show everything</button>')
    return "\n".join(parts)


def failures_part(records: Records, catalog: Catalog) -> str:
    """Cells without an answer: the same message of the same solver is one row."""
    failed = records[records["status"].isin(FAILURES)]
    if failed.empty:
        return '<p class="clean">Every cell ended with an answer.</p>'
    groups: list[Any] = list(failed.groupby(["task", "label", "status", "message"], sort=False, dropna=False))
    rows, texts = [], []
    for (task, label, status, message), cells in groups[:MOST_FAILURES]:
        names = list(dict.fromkeys(cells["instance"]))
        texts.append([str(label), str(task), str(status), str(len(cells)), " ".join(names), str(message)])
        rows.append(
            f'<tr data-of-task="{catalog.tasks.index(task)}" data-of-label="{catalog.labels.index(label)}" '
            f'data-of-status="{catalog.statuses.index(status)}"><th scope="row">{html_text(label)}</th>'
            f'<td>{html_text(task)}</td><td class="bad">{html_text(status)}</td>'
            f'<td class="number" data-v="{len(cells)}">{len(cells):,}</td><td class="wide">{html_text(listed(names))}</td>'
            f'<td class="wide">{html_text(message) or NONE}</td></tr>'
        )
    left = len(groups) - len(rows)
    more = f'<p class="note">{left:,} more kinds of failure are among the cells below.</p>' if left else ""
    heads = ["Solver", "Task", "Status", "Cells", "Instances", "Message"]
    title = "Cells that ended without an answer"
    link = f"<p>{csv_link(Table(title, heads, texts, []), 'failures')}</p>"
    return link + table_part(title, heads, rows, numeric={3}) + more


def provenance_part(records: Records) -> str:
    """Commit, machine, versions, commands and load."""
    known = records.provenance
    facts: list[tuple[str, str]] = [("Run folder", str(records.folder.resolve()))] if records.folder.name else []
    code = code_name(known.get("code", {}))
    facts += [("Code", code)] if code else []
    nodes = Counter(records["node"])
    facts += [("Cells by machine", ", ".join(f"{node or '(not said)'}: {count:,}" for node, count in nodes.items()))]
    for limits in {str(limit): limit for limit in records["limits"]}.values():
        facts.append(("Limits", ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in limits.items())))
    facts += [(name, str(value)) for name, value in known.get("machine", {}).items()]
    for node, each in processors(records).items() if len(nodes) > 1 else ():
        facts.append((f"Processor of {node}", ", ".join(each) or "unknown"))
    if known.get("seeds"):
        facts.append(("Seeds", listed([str(seed) for seed in known["seeds"]], most=40)))
    parts = [facts_part("Code and machine", facts)]
    parts += [
        facts_part(title, [(name, str(value)) for name, value in known[key].items()])
        for title, key in (("Solvers", "solvers"), ("Libraries", "libraries"))
        if known.get(key)
    ]
    sessions = known.get("sessions", [])
    if sessions:
        rows = [_session(session) for session in sessions]
        heads = ["Started", "Ended", "Cells", "At a time", "Load before", "Load after", "Command"]
        parts.append(f"<h3>Sessions</h3>{table_part('Sessions', heads, rows, numeric={2, 3})}")
    if not known:
        parts.insert(
            0, '<p class="warning">This run has no provenance.json: commit, machine and versions are unknown.</p>'
        )
    return "\n".join(parts)


def table_part(caption: str, heads: list[str], rows: list[str], numeric: set[int]) -> str:
    """A sortable table in a box of its own that scrolls sideways."""
    head = "".join(
        f'<th scope="col"{" class=number" if place in numeric else ""}>{html_text(text)}</th>'
        for place, text in enumerate(heads)
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{html_text(caption)}"><table class="sortable">'
        f'<caption class="hidden-text">{html_text(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def csv_link(table: Table, name: str) -> str:
    """The whole table as a file that the browser keeps: nothing is asked of a server."""
    data = base64.b64encode(table.csv().encode("utf-8", "replace")).decode()
    return f'<a class="csv" download="{html_text(name)}.csv" href="data:text/csv;charset=utf-8;base64,{data}">CSV</a>'


def _session(session: Mapping[str, Any]) -> str:
    ended = session.get("ended") or "not ended"
    ended += " (interrupted)" if session.get("interrupted") else ""
    loads = [", ".join(f"{load:.2f}" for load in session.get(key) or []) or NONE for key in ("load_start", "load_end")]
    command = " ".join(map(str, session.get("command", [])))
    texts = [str(session.get("started", "")), ended, *(str(session.get(key, "")) for key in ("cells", "jobs")), *loads]
    numbers = {2, 3}
    cells = "".join(
        f"<td{' class=number' if place in numbers else ''}>{html_text(text)}</td>" for place, text in enumerate(texts)
    )
    return f'<tr>{cells}<td class="wide"><code>{html_text(command)}</code></td></tr>'


def _choice(name: str, title: str, everything: str, texts: list[str]) -> str:
    options = "".join(f'<option value="{index}">{html_text(text)}</option>' for index, text in enumerate(texts))
    return (
        f'<label class="field">{title}<select name="{name}"><option value="">{everything}</option>{options}'
        "</select></label>"
    )


def facts_part(title: str, facts: Iterable[tuple[str, str]]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{html_text(name)}</th><td>{html_text(value)}</td></tr>' for name, value in facts
    )
    return f'<h3>{html_text(title)}</h3><div class="scroll"><table class="facts"><tbody>{rows}</tbody></table></div>'


def _items(texts: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{html_text(text)}</li>" for text in texts) + "</ul>"


def words_part(line: Iterable[Sequence[Any]]) -> str:
    """Words of which some were removed; neighbours with the same fate share an element."""
    parts = []
    for kept, words in groupby(line, key=lambda word: bool(word[1])):
        text = html_text(" ".join(str(word) for word, _ in words))
        parts.append(text if kept else f"<del>{text}</del>")
    return " ".join(parts)
