"""Shared fixtures and hypothesis profiles: `default` in `make test`, `thorough` in `make test-all`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("default", max_examples=40, deadline=None, suppress_health_check=CHECKS, derandomize=True)
settings.register_profile("thorough", max_examples=300, deadline=None, suppress_health_check=CHECKS)
settings.load_profile(os.environ.get("DUALBENCH_HYPOTHESIS", "default"))

ROOT = Path(__file__).parent.parent
os.environ.setdefault("DUALBENCH_DATA", str(ROOT.parent / "shared" / "data"))
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under `nohup` the commands that tests start would ignore it as well
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # the same in the background of a shell script
    signal.signal(signal.SIGINT, signal.default_int_handler)


LONG_FILES = (
    "test_fuzzing.py",
    "test_damaged_runs.py",
    "test_runner_attacks.py",
    "test_conformance.py",
    "test_runner.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first: one that comes last leaves the other processes without work (`--no-loadscope-reorder`)."""
    items.sort(key=lambda item: item.path.name not in LONG_FILES)


@pytest.fixture(autouse=True)
def _no_plugins_left() -> Iterator[None]:
    """What a test loads as a plug-in is gone after it."""
    yield
    if "bench.experiments.plugins" in sys.modules:
        from bench.experiments.plugins import loaded_plugins, unload_plugin

        for plugin in loaded_plugins():
            unload_plugin(plugin.path)


@pytest.fixture(autouse=True)
def _data_as_before() -> Iterator[None]:
    """`reproduce --data DIR` names the folder of the corpora for the rest of its process."""
    before = os.environ["DUALBENCH_DATA"]
    yield
    os.environ["DUALBENCH_DATA"] = before


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The real corpora, where present."""
    folder = Path(os.environ["DUALBENCH_DATA"])
    if not folder.is_dir():
        pytest.skip(f"no real data in {folder}; set DUALBENCH_DATA")
    return folder
