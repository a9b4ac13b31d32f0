"""For tests of toulbar2's .wcsp and .cfn files."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

with_toulbar2 = pytest.mark.skipif(importlib.util.find_spec("pytoulbar2") is None, reason="pytoulbar2 is not installed")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
