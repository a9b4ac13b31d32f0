"""Dynamic programs and other exact algorithms for single tasks, one file each. The table names them without importing."""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    "dp-eisner": "solvers.dynamic.dp_eisner:Eisner",
    "dp-mst": "solvers.dynamic.dp_mst:MaximumSpanningTree",
}
