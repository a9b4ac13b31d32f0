"""Where real corpora are on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

VARIABLE = "DUALBENCH_DATA"


def data_folder() -> Path:
    """What the variable DUALBENCH_DATA names, else the folder `data` here if there is one, else the user's data folder."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    return Path("data") if Path("data").is_dir() else user_data_path("dualbench", appauthor=False) / "data"
