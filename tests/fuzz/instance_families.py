"""Instances of all tasks as JSON, factor graphs, and the JSON lines that `decode` reads."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
from fuzz_mutations import JSON, TEXT
from fuzzing import Family
from transduction_forests import random_instance

from bench.decoding.corpus import open_corpus
from bench.experiments.instances import load_instance
from bench.experiments.sources import digest
from problems import get_task, task_of
from problems.bare_graph import BareGraphTask
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.formats.fg_writer import write_fg
from problems.storage import parse_document

SIZES = {
    "extraction": ("tiny",),
    "summarization": ("tiny",),
    "parsing": ("tiny", "tiny-1", "tiny-2+"),
    "compression": ("tiny", "tiny-chart"),
}
UAI = (
    "MARKOV\n3\n2 3 2\n4\n1 0\n2 0 1\n2 1 2\n1 2\n\n2\n0.5 0.7\n\n6\n1 2 0\n3 1e-3 5\n\n6\n1 1\n2 3\n0.5 4\n\n2\n0 1\n"
)


def use(path: Path) -> None:
    """Read an instance and do with it what is cheap: its graph, a rounding, its objective, its JSON again."""
    instance = load_instance(path)
    task = task_of(instance)
    if isinstance(task, BareGraphTask):
        instance.linear_program()
        task.round(instance, np.full(instance.number_of_variables, 0.5), "threshold")
        return
    graph = task.graph(instance)
    structure = task.round(instance, np.full(graph.number_of_variables, 0.5), task.roundings[0])
    if structure is not None:
        task.objective(instance, structure)
        task.broken(instance, structure)
        task.evaluate(instance, structure)
        task.render(instance, structure)
    written = json.dumps(task.document(instance), ensure_ascii=False, allow_nan=False)
    assert digest(task, task.parse(parse_document(written, path), path)) == digest(task, instance)


def instances(task_name: str, folder: Path) -> list[Path]:
    task = get_task(task_name)
    made = {f"{size}-{seed}": (task, seed, size) for size in SIZES[task_name] for seed in (1, 2)}
    for name, (_, seed, size) in made.items():
        task.save(task.generate(seed, size), folder / f"{name}.json")
    return [folder / f"{name}.json" for name in made]


def transductions(folder: Path) -> list[Path]:
    """Random forests: generating sentences would train the task's models first."""
    task, paths = get_task("transduction"), []
    for seed, order, length in ((1, 2, None), (2, 3, None), (3, 2, 2)):
        paths.append(folder / f"{seed}.json")
        task.save(random_instance(seed, 5, order, length), paths[-1])
    return paths


def graphs(folder: Path) -> list[Path]:
    graph = FactorGraph()
    x = graph.add_variables([0.5, -0.25, 1.0, 1e-3, -2.0, 3.5])
    graph.add_logic("xor", x[:3])
    graph.add_logic("or_out", x[:4], negated=[True, False, False, True])
    graph.add_logic("imply", x[3:5])
    graph.add_budget(x, 3)
    graph.add_pair(x[4], x[5], 0.75)
    graph.add_dense([x[:2], x[2:5]], [0.5, 1, -1, 2, 0, -3])
    write_fg(graph, folder / "graph.fg")
    return [folder / "graph.fg"]


def networks(folder: Path) -> list[Path]:
    (folder / "network.uai").write_text(UAI)
    return [folder / "network.uai"]


def json_lines(folder: Path) -> list[Path]:
    task = get_task("extraction")
    rows = [json.dumps(task.document(task.generate(seed, "tiny"))) for seed in (1, 2, 3)]
    (folder / "instances.jsonl").write_text("\n".join(rows) + "\n")
    return [folder / "instances.jsonl"]


def decode_lines(path: Path) -> None:
    """What a worker of `decode` does with each line."""
    task = get_task("extraction")
    for piece in open_corpus(str(path), "extraction").pieces():
        with suppress(InputError):  # it becomes a row of the output
            task.parse(parse_document(piece.content, piece.name), piece.name)


FAMILIES = [
    *(Family(f"{name}-json", lambda folder, name=name: instances(name, folder), use, JSON) for name in SIZES),
    Family("transduction-json", transductions, use, JSON),
    Family("fg", graphs, use, TEXT),
    Family("uai", networks, use, TEXT),
    Family("json-lines", json_lines, decode_lines, JSON),
]
