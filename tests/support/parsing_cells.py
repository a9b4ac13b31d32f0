"""Reduced cells of made-up parsing runs."""

from __future__ import annotations

from typing import Any

import pandas as pd
from made_records import made_records

from bench.analysis.statistics.cells import reduce_cells


def parsing_cell(label: str, size: str, number: int, seconds: float = 1.0, **facts: Any) -> dict[str, Any]:
    """A record of sentence `number`, of 10 words without punctuation, 8 of which have the right head."""
    right = facts.pop("right", 8)
    return {
        "task": "parsing",
        "solver": label.split()[0],
        "label": label,
        "size": size,
        "instance": f"s{number}",
        "instance_digest": f"{size}/s{number}",
        "length": 10,
        "cpu_seconds": seconds,
        "objective": 1.0,
        "bound": 1.0,
        "structure": [0],
        "metrics": {}
        if right is None
        else {"correct without punctuation": float(right), "words without punctuation": 10.0},
        **facts,
    }


def cells_of(*rows: dict[str, Any]) -> pd.DataFrame:
    return reduce_cells(made_records(rows))
