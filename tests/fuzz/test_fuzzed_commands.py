"""Damaged files through the real command line: exit code 0, 1 or 2, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzzing import ROOT, damaged, families

EACH = 4
SEED = 16

Command = Callable[[Path, Path], list[object]]
"""A damaged file and a folder of valid ones to the arguments of a command."""


def solve(path: Path, good: Path) -> list[object]:
    return ["solve", path, "--solver", "ilp-highs", "--option", "time_limit=5"]


def export(path: Path, good: Path) -> list[object]:
    return ["export", path, "--format", "mps", "--out", path.with_name("out.mps")]


def dry_run(path: Path, good: Path) -> list[object]:
    experiment = path / "experiment.toml" if path.is_dir() else path
    return ["run", experiment, "--dry-run", "--out", path.with_name("run")]


def train_parser(path: Path, good: Path) -> list[object]:
    options = [
        "order=1",
        "limit=2",
        "epochs=1",
        "bits=8",
        "classifier_bits=8",
        "classifier_epochs=1",
        "pruner_epochs=1",
    ]
    given = [text for option in options for text in ("--option", option)]
    return ["train", "parsing", "--corpus", path, "--out", path.with_name("out.model"), *given]


def evaluate_parser(path: Path, good: Path) -> list[object]:
    return ["evaluate", "parsing", good / "parser.model", "--corpus", path, "--option", "limit=2"]


def parse(path: Path, good: Path) -> list[object]:
    return ["parse", path / "one.txt" if path.is_dir() else path, "--model", good / "parser.model"]


def parse_with(path: Path, good: Path) -> list[object]:
    return ["parse", good / "text.conllu", "--model", path]


def compress_with(path: Path, good: Path) -> list[object]:
    return ["compress", good / "text.conllu", "--model", path]


def summarize_with(path: Path, good: Path) -> list[object]:
    return ["summarize", good / "documents", "--model", path, "--words", 10, "--parser", good / "parser.model"]


def rerank_with(path: Path, good: Path) -> list[object]:
    return ["solve", good / "transduction.json", "--solver", "rerank", "--option", f"model={path}"]


def train_compression(path: Path, good: Path) -> list[object]:
    options = [f"parser={good / 'parser.model'}", "epochs=1", "bits=8", "development=1", "limit=4"]
    given = [text for option in options for text in ("--option", option)]
    return ["train", "compression", "--corpus", path, "--out", path.with_name("out.model"), *given]


def summarize_topics(path: Path, good: Path) -> list[object]:
    return ["summarize", path, "--words", "9"]


def decode(path: Path, good: Path) -> list[object]:
    return ["decode", path, "--task", "extraction", "--solver", "greedy", "--out", path.with_name("out.jsonl")]


COMMANDS: dict[str, tuple[Command, ...]] = {
    "experiment": (dry_run, dry_run),
    "extraction-json": (solve, export),
    "summarization-json": (solve,),
    "parsing-json": (solve,),
    "compression-json": (export,),
    "transduction-json": (solve,),
    "fg": (solve, export),
    "fg-structures": (solve,),
    "uai": (solve,),
    "wcsp": (solve, export),
    "cfn": (solve,),
    "json-lines": (decode,),
    "conll": (train_parser, evaluate_parser, parse),
    "plain-text": (parse,),
    "pairs": (train_compression,),
    "pair-lines": (train_compression,),
    "topic-folders": (summarize_topics,),
    "parser-model": (parse_with,),
    "compression-model": (compress_with,),
    "summarizer-model": (summarize_with,),
    "reranker-model": (rerank_with,),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, known = tmp_path_factory.mktemp("good"), families()
    for name, file, wanted in (
        ("parser-model", "order-1.model", "parser.model"),
        ("conll", "made.conllu", "text.conllu"),
        ("plain-text", "documents", "documents"),
        ("transduction-json", "1.json", "transduction.json"),
    ):
        made = tmp_path_factory.mktemp(name)
        known[name].seeds(made)
        (made / file).rename(folder / wanted)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("family", COMMANDS)
def test_commands_on_damaged_files(family: str, good: Path, tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    chosen = families()[family]
    seeds = chosen.seeds(tmp_path / "seeds")
    for command in COMMANDS[family]:
        for number in range(EACH):
            folder = tmp_path / f"{command.__name__}-{number}"
            folder.mkdir(exist_ok=True)
            path = damaged(chosen, seeds, SEED, number, folder)
            arguments = [sys.executable, "-m", "bench.cli", *map(str, command(path, good))]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(arguments, capture_output=True, timeout=300, check=False, cwd=folder, env=environment)
            said = done.stdout + done.stderr
            assert done.returncode in (0, 1, 2), (arguments, said)
            assert b"Traceback" not in said, (arguments, said)
