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
from problems.formats.cfn_writer import write_cfn
from problems.formats.fg_writer import write_fg
from problems.formats.wcsp_writer import write_wcsp
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


BAYES = "BAYES\n3\n2 2 3\n3\n1 0\n2 0 1\n3 0 1 2\n\n2\n0.5 0.5\n\n4\n0.25 0.75\n1 0\n\n12\n" + "0.25 0.25 0.5\n" * 4
STRUCTURES = (
    "ARBORESCENCE 4 1 2 3 4 3 0 1 2 1 0 2 1 2",
    "HEAD_AUTOMATON 2 1 3 0.5 -1 0 2 0.25 1",
    "HEAD_AUTOMATON 0 1.5",
    "GRANDPARENT_HEAD_AUTOMATON 3 1 2 4 2 0.5 -0.5 1 2 3",
    "SEQUENCE 5 1 2 3 4 5 2 2 3 0 1 0.5 2 -1 3 0 1 2 0 1",
    "SEQUENCE_BUDGET 5 1 2 3 4 5 2 1 2 3 0 1 0.5 2 -1 3 0 1 2 0 1",
    "GENERAL_TREE 5 1 2 3 4 5 3 2 1 2 -1 0 0 1 2 0.5 1 -1 0",
    "GENERAL_TREE_COUNTS 7 1 2 3 4 5 6 7 2 2 2 -1 0 1 0.5 -1 2",
    "SEQUENCE_COMPRESSOR 3 5 6 7 0 1 2 3 4 5",
    "KNAPSACK 3 1 -2 3 1.5 2 3 4",
    "KNAPSACK_HULL 3 1 2 3 1 2 3 4",
)
CFN = """{"problem": {"name": "n", "mustbe": "<50.00"},
"variables": {"x": 2, "y": ["a", "b", "c"], "z": 2, "w": 2},
"functions": {
"f": {"scope": ["x", "y"], "defaultcost": 0.25, "costs": [0, "a", 1.5, 1, 2, 50]},
"g": {"scope": ["z", "y"], "costs": "h"},
"h": {"scope": ["x", "y"], "costs": [0, 1, 2, -1, 0.5, 3]},
"p": {"scope": ["z", "w"], "costs": [0, 1, 99, -2]},
"c": {"scope": [], "costs": [-1.5]},
"t": {"scope": ["x", "z", "w"], "defaultcost": 0, "costs": [0, 0, 0, 99]},
"k": {"scope": ["x", "z", "w"], "type": "knapsack", "params": {"capacity": -2, "weights": [-1, -1, -2]}},
"v": {"scope": ["x", "y"], "type": "knapsackv", "params": {"capacity": 1, "weightedvalues": [[0, 1, 1], ["y", 2, 1]]}}
}}
"""
WCSP = """towns 4 3 9 60
2 3 2 2
0 4 0
-2 0 2 0 2
0 0 60
1 1 3
2 2 3 0 -1
2 0 1 7 2
0 0 0
1 2 60
1 1 0 1
2 5
3 0 2 3 0 1
1 1 1 60
3 0 2 3 -1 knapsack -2 -1 -1 -2
2 1 3 -1 knapsackp 1 1 2 1 2 0 1 1 2
2 0 1 -1 knapsackv 1 2 0 1 1 1 1 1
"""


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


def structures(folder: Path) -> list[Path]:
    """Every kind alone, and all together."""
    paths = []
    for number, lines in enumerate([*([line] for line in STRUCTURES), list(STRUCTURES)]):
        paths.append(folder / f"{number}.fg")
        paths[-1].write_text("\n".join(["7", str(len(lines)), *["0.5"] * 7, *lines]) + "\n")
    return paths


def networks(folder: Path) -> list[Path]:
    (folder / "network.uai").write_text(UAI)
    (folder / "bayes.uai").write_text(BAYES)
    return [folder / "network.uai", folder / "bayes.uai"]


def evidence(folder: Path) -> list[Path]:
    (folder / "new.evid").write_text("2 0 1 2 0\n")
    (folder / "old.evid").write_text("1\n2 0 1 2 0\n")
    return [folder / "new.evid", folder / "old.evid"]


def use_evidence(path: Path) -> None:
    network = path.with_name("observed.uai")
    network.write_text(BAYES)
    FactorGraph.read(network, path).linear_program()


def constraint_networks(folder: Path) -> list[Path]:
    (folder / "some.wcsp").write_text(WCSP)
    write_wcsp(FactorGraph.read(graphs(folder)[0]), folder / "ours.wcsp")
    return [folder / "some.wcsp", folder / "ours.wcsp"]


def cost_networks(folder: Path) -> list[Path]:
    (folder / "some.cfn").write_text(CFN)
    write_cfn(FactorGraph.read(graphs(folder)[0]), folder / "ours.cfn")
    return [folder / "some.cfn", folder / "ours.cfn"]


def json_lines(folder: Path) -> list[Path]:
    task = get_task("extraction")
    rows = [json.dumps(task.document(task.generate(seed, "tiny"))) for seed in (1, 2, 3)]
    (folder / "instances.jsonl").write_text("\n".join(rows) + "\n")
    return [folder / "instances.jsonl"]


def decode_lines(path: Path) -> None:
    """What a worker of `decode` does with each line."""
    task = get_task("extraction")
    for piece in open_corpus(str(path), "extraction").entries():
        with suppress(InputError):  # it becomes a row of the output
            task.parse(parse_document(piece.content, piece.name), piece.name)


FAMILIES = [
    *(Family(f"{name}-json", lambda folder, name=name: instances(name, folder), use, JSON) for name in SIZES),
    Family("transduction-json", transductions, use, JSON),
    Family("fg", graphs, use, TEXT),
    Family("fg-structures", structures, use, TEXT),
    Family("uai", networks, use, TEXT),
    Family("uai-evidence", evidence, use_evidence, TEXT),
    Family("wcsp", constraint_networks, use, TEXT),
    Family("cfn", cost_networks, use, JSON),
    Family("json-lines", json_lines, decode_lines, JSON),
]
