"""Facts of this machine that timings depend on."""

from __future__ import annotations

import os
import platform
from importlib import metadata


def machine() -> dict[str, str]:
    """Facts that timings depend on."""
    import psutil

    facts = {
        "dualbench": metadata.version("dualbench"),
        "Python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor(),
        "cores": str(psutil.cpu_count(logical=False) or os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 2**30:.1f} GiB",
        "load": ", ".join(f"{load:.2f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown",
    }
    for package in ("numpy", "scipy", "numba"):
        facts[package] = metadata.version(package)
    return facts


def processor() -> str:
    """The CPU's model name."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
