"""Models for those who have none: trained at first use and kept in the cache.

The parser is trained on a real treebank where there is one: that of English, as the tokens of plain text are. Text has no gold tags, so it
is trained on predicted ones. All other models know generated sentences only.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.parsing.corpora import treebank_file

from ..data.folder import data_folder
from ..learning.loop import Watcher
from ..learning.options import MODULES, training

TREEBANK = "en_ewt"
PARSER = {"limit": 4000, "order": "2", "epochs": 5, "tags": "jackknifed"}  # two or three minutes on one core


def choice(task: str, folder: Path) -> tuple[dict[str, Any], str]:
    """The options of a training, and what to tell people of the model."""
    if task == "parsing":
        for split in ("train", "dev"):
            try:
                file = treebank_file(TREEBANK, folder, split)
            except InputError:
                continue
            options = {**PARSER, "corpus": TREEBANK, "data": str(folder), "split": split}
            said = f"this one is trained on the first {PARSER['limit']} sentences of {file}, at first use"
            return options, f"No --model was given: {said}; see `dualbench train parsing --help` for more."
    known = "" if task != "parsing" else f" `dualbench data get {TREEBANK}` gets a treebank for a better one."
    return {}, (
        f"No --model was given: this one was trained on generated English sentences and knows little of real ones.{known} "
        f"See `dualbench train {task} --help`."
    )


def built_in_model(task: str, watcher: Watcher) -> Path:
    """The file of the model; says what it knows."""
    from problems.kernels.cache import cache_directory

    from ..reproduction.imported import sources_digest

    options, said = choice(task, data_folder())
    watcher.say(said)
    key = hashlib.sha256(json.dumps([sources_digest(MODULES[task]), options]).encode()).hexdigest()
    path = cache_directory().parent / "models" / f"{task}-{key[:12]}.model"
    if not path.exists():
        training(task, options).run(path, False, watcher)
    return path
