"""One self-contained HTML page about a run: it opens offline, filters, draws, and asks no server for anything."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from problems.files import replacing

from ...analysis.audit import audit, instances_for, with_audit
from ...analysis.audit.cells import Finding
from ...analysis.noise import noise
from ...analysis.statistics.cells import time_column
from ...records.frame import Records
from ...records.log import writing
from ..escaping import html_text
from ..plots.looks import palette_css
from . import parts
from .catalog import catalog_of, groups_of
from .data import embedded, report_data
from .examples import examples_part
from .summary_table import growth_part, summary_part

FOLDER = Path(__file__).parent
SCRIPTS = ("chart.js", "plots.js", "report.js")


def write_report(records: Records, path: str | Path) -> list[Finding]:
    """Write the page and return what the audit found, so that the caller can show it and choose an exit code."""
    page, findings = make_report(records)
    with writing(path), replacing(Path(path)) as temporary:
        temporary.write_text(page, encoding="utf-8", errors="replace")
    return findings


def make_report(
    records: Records, instances: Mapping[str, Any] | None = None, *, title: str | None = None, time: str | None = None
) -> tuple[str, list[Finding]]:
    """The page's text and what the audit found.

    `instances` (by digest) let the audit score structures again and the page show example outputs; a loaded run has its
    own. `time` is "cpu" or "wall"; by default what the experiment's table says.
    """
    clock = time or records.experiment.get("table", {}).get("time") or "cpu"
    time_column(clock)
    known = instances_for(records) if instances is None else instances
    findings = audit(records, instances)
    checked = with_audit(records, instances)
    answers = checked["instance_digest"][checked["structure"].notna()]
    catalog = catalog_of(checked)
    groups = list(groups_of(checked, catalog, clock))
    script = "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS)
    script = f'"use strict";\n{{\n{script}\n}}'
    style = (FOLDER / "report.css").read_text(encoding="utf-8") + palette_css()
    names = ", ".join(dict.fromkeys(filter(None, records["experiment"]))) or "report"
    named = title or records.experiment.get("title") or f"Benchmark {names}"
    page = filled(
        (FOLDER / "page.html").read_text(encoding="utf-8"),
        {
            "policy": f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; base-uri 'none'",
            "title": html_text(str(named)),
            "style": style,
            "about": parts.about_part(checked),
            "findings": parts.damage_part(records)
            + parts.findings_part(findings, int(answers.isin(list(known)).sum()), len(answers)),
            "headline": parts.headline_part(groups, catalog),
            "noise": parts.noise_part(noise(checked)) + parts.nodes_part(checked),
            "filters": parts.filters_part(checked, catalog),
            "summary": summary_part(checked, groups, catalog, clock),
            "growth": growth_part(checked, clock),
            "examples": examples_part(checked, known, catalog),
            "failures": parts.failures_part(checked, catalog),
            "provenance": parts.provenance_part(checked),
            "data": embedded(report_data(checked, groups, catalog, clock)),
            "script": script,
        },
    )
    return page, findings


def digest(text: str) -> str:
    """The policy admits exactly this script or style, so that nothing from a record can ever run."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def filled(template: str, values: dict[str, str]) -> str:
    """Each {{name}} replaced, once: what is filled in is not looked at again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)
