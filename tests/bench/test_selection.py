"""`run --solver --instance --repetitions`: a part of an experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench import load_run, run
from bench.experiments.experiment import read_experiment
from bench.experiments.selection import select
from problems.errors import InputError

EXPERIMENT: dict[str, Any] = {
    "name": "parts",
    "task": "extraction",
    "repetitions": 2,
    "instances": {"generate": {"size": "tiny", "seeds": [3, 4, 5]}},
    "solvers": [{"name": "ilp-glpk"}, {"name": "ilp-glpk", "label": "reduced one", "reduced": True}, {"name": "greedy"}],
    "limits": {"seconds": 20, "memory_gb": 4},
    "table": {"columns": ["optimal", "xbaseline"], "baseline": ["ilp-glpk", "greedy"]},
}  # fmt: skip


def labels(*patterns: str) -> list[str]:
    return [spec.label for spec in select(read_experiment(EXPERIMENT), patterns).solvers]


def test_solvers_by_name_label_and_pattern() -> None:
    assert labels() == ["ilp-glpk", "reduced one", "greedy"]
    assert labels("greedy") == ["greedy"]
    assert labels("reduced*") == ["reduced one"]
    assert labels("ilp-*", "greedy") == ["ilp-glpk", "reduced one", "greedy"]
    with pytest.raises(InputError, match="'parts' has no solver 'greddy': did you mean 'greedy'"):
        labels("greddy")


def test_a_table_is_against_solvers_that_take_part() -> None:
    assert select(read_experiment(EXPERIMENT), ["greedy"]).table == {
        "columns": ["optimal", "xbaseline"],
        "baseline": ["greedy"],
    }
    alone = {**EXPERIMENT, "table": {**EXPERIMENT["table"], "baseline": "greedy"}}
    assert select(read_experiment(alone), ["reduced*"]).table == {"columns": ["optimal"]}
    assert select(read_experiment(EXPERIMENT)).table == EXPERIMENT["table"]


def test_instances_by_name(tmp_path: Path) -> None:
    every = [item.make().name for item in read_experiment(EXPERIMENT).source.items()]
    wanted = select(read_experiment(EXPERIMENT), instances=[every[1], "no*"]).source
    assert [item.make().name for item in wanted.items()] == [every[1]]
    assert wanted.count is None
    with pytest.raises(InputError, match=f"no instance is called 'no.'; one of them is '{every[2]}'"):
        run(EXPERIMENT, instances=["no*"], out=tmp_path / "none")


def test_a_part_is_run_and_widened_but_hides_no_records(tmp_path: Path) -> None:
    name = next(read_experiment(EXPERIMENT).source.items()).make().name
    part: dict[str, Any] = {"solvers": ["greedy"], "instances": [name], "repetitions": 1}
    records = run(EXPERIMENT, out=tmp_path / "part", **part)
    assert records[["label", "instance", "repetition"]].values.tolist() == [["greedy", name, 0]]
    assert records.experiment["part"] == {"solvers": ["greedy"], "instances": [name], "repetitions": ["1"]}
    assert len(run(EXPERIMENT, out=tmp_path / "part", resume=True, **part)) == 1
    assert len(run(EXPERIMENT, out=tmp_path / "part", resume=True)) == 18
    with pytest.raises(InputError, match="holds another part of this experiment, or all of it"):
        run(EXPERIMENT, out=tmp_path / "part", resume=True, **part)
    assert len(load_run(tmp_path / "part")) == 18
