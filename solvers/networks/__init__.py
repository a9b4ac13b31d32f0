"""Exact solvers of cost function networks that are no ILP solvers. The table names them without importing anything."""

from __future__ import annotations

NETWORK_SOLVERS: dict[str, str] = {
    "maxsat-rc2": "solvers.networks.maxsat:MaxsatRc2",
    "wcsp-toulbar2": "solvers.networks.toulbar2:WcspToulbar2",
}
