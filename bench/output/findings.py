"""What the audit found, on a terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from ..analysis.audit.cells import Finding
from .escaping import plain_text

EXAMPLES = 3


def show(findings: Iterable[Finding], console: Console) -> None:
    """Print findings, errors in red; of many alike only the first few and their number."""
    alike: dict[tuple[str, str, tuple[str, ...]], list[Finding]] = defaultdict(list)
    for finding in findings:
        alike[finding.severity, finding.kind, finding.labels].append(finding)
    for (severity, _, _), group in sorted(alike.items(), key=lambda item: item[0][0]):
        style = "bold red" if severity == "error" else "yellow"
        for finding in group[:EXAMPLES]:
            said = plain_text(f"{severity}: {finding.instance}: {', '.join(finding.labels)}: {finding.text}")
            console.print(Text(said, style=style), soft_wrap=True)
        if len(group) > EXAMPLES:
            more = f"{severity}: ... and {len(group) - EXAMPLES} more like this."
            console.print(Text(more, style=style), soft_wrap=True)
