"""Experiments in TOML: read, planned, and forecast, as `run --dry-run` does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fuzz_mutations import TOML
from fuzzing import Family

from bench.cli.forecast import forecast
from bench.experiments.experiment import read_experiment
from bench.runner.watched import Prepared
from problems import get_task

MOST_INSTANCES = 20
GENERATED = """name = "demo"
title = "A demonstration"
task = "extraction"
repetitions = 3
trace = true
metrics = ["ROUGE-2"]

[instances]
generate = { size = ["tiny", "zipf"], count = 2, seed = 1 }

[[solvers]]
name = "ad3"
max_iterations = [200, 1000]
label = "AD3 {max_iterations}"

[[solvers]]
name = "greedy"
scaling = 1.0

[limits]
seconds = 60
memory_gb = 4

[table]
columns = ["optimal", "median", "xbaseline"]
baseline = "greedy"

[[plots]]
kind = "profile"
"""
LOADED = """task = "extraction"
[instances]
load = "tiny.json"
[[solvers]]
name = "ilp-highs"
[limits]
seconds = 10.5
"""
SEEDS = """task = "summarization"
[instances]
generate = { size = "tiny", seeds = [1, 5] }
[[solvers]]
name = "ad3"
eta = 0.1
"""


def experiments(folder: Path) -> list[Path]:
    task, home = get_task("extraction"), folder / "loaded"
    task.save(task.generate(1, "tiny"), home / "tiny.json")
    (home / "experiment.toml").write_text(LOADED)
    (folder / "generated.toml").write_text(GENERATED)
    (folder / "seeds.toml").write_text(SEEDS)
    return [folder / "generated.toml", folder / "seeds.toml", home]


def dry_run(path: Path) -> None:
    experiment = read_experiment(path / "experiment.toml" if path.is_dir() else path)
    experiment = replace(experiment, limits=replace(experiment.limits, memory_gb=experiment.limits.memory_gb or 4.0))
    if (experiment.source.count or 0) > MOST_INSTANCES:
        return  # generating thousands of instances takes its time
    prepared = Prepared(experiment, path.parent / "run", resume=False)
    forecast(prepared, 1)


FAMILIES = [Family("experiment", experiments, dry_run, TOML)]
