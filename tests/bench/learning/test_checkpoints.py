"""Checkpoints of trainings that were stopped, and of those that were not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.learning.loop import SILENT, Watcher
from bench.learning.options import training
from problems.errors import InputError
from problems.models.model_file import read_model
from problems.parsing.model import KIND as PARSER_KIND
from problems.summarization.model import KIND as SUMMARIZER_KIND

PARSER = {
    "limit": 8, "order": "1", "epochs": 2, "runs": 2, "bits": 12, "pruner_bits": 12, "classifier_bits": 12, "pruner_folds": 1,
}  # fmt: skip
SUMMARIZER = {
    "limit": 2, "size": "tiny", "pairs": 5, "auxiliary": 2, "epochs": 2, "regularization": 10.0, "bits": 12,
    "system": "post-combined",
}  # fmt: skip
KINDS = {"parsing": PARSER_KIND, "summarization": SUMMARIZER_KIND}
TASKS = pytest.mark.parametrize(("task", "options"), [("parsing", PARSER), ("summarization", SUMMARIZER)])


class Stopped(Exception):
    pass


class Stopping(Watcher):
    """Stops a training after so many epochs, as Ctrl-C would."""

    def __init__(self, epochs: int) -> None:
        self.left = epochs

    def finished(self, record: dict[str, Any]) -> None:
        self.left -= 1
        if not self.left:
            raise Stopped


@pytest.mark.parametrize("epochs", [1, 3])  # in the first training of the model, and in the second one
@TASKS
def test_a_stopped_training_goes_on_and_leaves_nothing_but_its_model(
    task: str, options: dict[str, Any], epochs: int, tmp_path: Path
) -> None:
    path, whole = tmp_path / "some.model", tmp_path / "whole" / "some.model"
    with pytest.raises(Stopped):
        training(task, options).run(path, False, Stopping(epochs))
    left = ["some.model.checkpoint", "some.model.checkpoint-2"][: 1 + (epochs > 2)]
    assert sorted(each.name for each in tmp_path.iterdir()) == left
    resumed = training(task, options).run(path, True, SILENT)
    assert [each.name for each in tmp_path.iterdir()] == ["some.model"]
    whole.parent.mkdir()
    again = training(task, options).run(whole, False, SILENT)
    assert {name: again[name] for name in again if "seconds" not in name}.items() <= resumed.items()
    one, other = (read_model(each, KINDS[task])[1] for each in (path, whole))
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name])


def test_summarizers_do_not_resume_with_another_solver(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    with pytest.raises(Stopped):
        training("summarization", SUMMARIZER).run(path, False, Stopping(1))
    with pytest.raises(InputError, match="a checkpoint of another training"):
        training("summarization", SUMMARIZER | {"relaxed": False}).run(path, True, SILENT)
