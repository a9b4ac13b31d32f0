"""A small finished run made in this process, and seeded damage to its files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.experiments.sources import digest
from bench.records.fields import FIELDS, finite
from bench.records.log import EXPERIMENT, PROVENANCE, RECORDS, TRACES
from problems import get_task
from solvers import get_solver

SOLVERS = ("ilp-highs", "greedy")
SEEDS = (3, 4)
FILES = (RECORDS, TRACES, PROVENANCE, EXPERIMENT)


def write_run(folder: Path, repetitions: int = 2) -> Path:
    """Records, traces, experiment and provenance of two solvers on two tiny instances of extraction, which are saved beside."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [str(folder.with_name(f"instance-{seed}.json")) for seed in SEEDS]
    task = get_task("extraction")
    records, traces = [], []
    for seed, file in zip(SEEDS, files, strict=True):
        instance = task.generate(seed, "tiny")
        task.save(instance, file)
        for solver in SOLVERS:
            solution = get_solver(solver).solve(instance)
            for repetition in range(repetitions + 1):
                key = f"{solver}-{seed}-{repetition}"
                seconds = 0.001 * (1 + len(records) % 7)
                records.append(
                    FIELDS
                    | {
                        "key": key,
                        "experiment": "made",
                        "task": "extraction",
                        "size": "tiny",
                        "instance": instance.name,
                    }
                    | {"instance_digest": digest(task, instance), "instance_size": 9, "length": 12, "solver": solver}
                    | {"label": solver, "options": {"limit": None, "eta": 0.5}, "solver_version": "1"}
                    | {"repetition": repetition, "traced": repetition == repetitions, "status": solution.status}
                    | {"objective": solution.objective, "bound": finite(solution.bound), "gap": finite(solution.gap)}
                    | {
                        "integral": solution.integral,
                        "iterations": 7,
                        "build_seconds": 0.0,
                        "solve_seconds": seconds / 2,
                    }
                    | {"cpu_seconds": seconds, "wall_seconds": seconds, "peak_memory_mb": 90.0, "audit": "ok"}
                    | {"metrics": {"ROUGE-2": 0.25}, "structure": solution.structure, "magnitude": solution.magnitude}
                    | {"limits": {"seconds": 20.0, "memory_gb": 4.0, "grace_seconds": 0.5}, "node": "box"}
                    | {"started": "2026-01-02T03:04:05+00:00"}
                )
                if repetition == repetitions:
                    points = [
                        {"seconds": seconds * step / 4, "objective": solution.objective * step / 4, "iteration": step}
                        | {"bound": solution.objective * (8 - step) / 4}
                        for step in range(1, 5)
                    ]
                    traces.append({"key": key, "points": points})
    session = {"command": ["dualbench", "run"], "started": "T", "ended": "U", "load_start": [0.1, 0.2, 0.3]}
    session |= {"load_end": [0.3, 0.2, 0.1], "cells": len(records), "jobs": 1, "interrupted": False}
    session |= {"nodes": {"box": {"processor": "Z80", "cores": "2", "load": "0.10, 0.20, 0.30"}}}
    provenance = {"code": {"commit": "abc", "dirty": False}, "machine": {"processor": "Z80", "cores": "2"}}
    provenance |= {"libraries": {"numpy": "2"}, "solvers": {"greedy": "1"}, "seeds": list(SEEDS), "sessions": [session]}
    experiment = {"name": "made", "title": "Made", "task": "extraction", "repetitions": repetitions, "trace": True}
    experiment |= {"metrics": ["ROUGE-2"], "limits": {"seconds": 20.0, "memory_gb": 4.0}, "plugins": []}
    experiment |= {"instances": {"task": "extraction", "load": files}}
    experiment |= {"solvers": [{"name": name, "label": name, "options": {}} for name in SOLVERS]}
    experiment |= {"table": {"columns": ["optimal", "failed", "median", "objective", "ROUGE-2"]}}
    experiment |= {"plots": [{"kind": "profile"}], "cells": [record["key"] for record in records]}
    for name, documents in ((RECORDS, records), (TRACES, traces)):
        (folder / name).write_text("".join(json.dumps(document) + "\n" for document in documents))
    for name, document in ((PROVENANCE, provenance), (EXPERIMENT, experiment)):
        (folder / name).write_text(json.dumps(document, indent=1) + "\n")
    return folder


VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 7.5, -0.0, 1e-300, 1e308, -1e308, 2**63, -(2**63), 10**299, float("nan")),
    *(float("inf"), -float("inf"), "", "x", "0", "²", "nan", "\x00", "\ud800", "</script>", "a" * 5000, [], [[]], {}),
    *([1, 2], [None], ["x"], {"x": 1}, {"": None}, [{"x": []}], {"seconds": "x"}, {"label": 3}, [[1, [2, [3]]]]),
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all parts of a document."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [place for name, part in parts for place in _places(part, (*path, name))]


def _edited(text: str, rng: random.Random) -> str:
    """Another value, another type, a missing field, a field more, a field twice or a number of 5,000 digits somewhere."""
    try:
        document = json.loads(text)
    except ValueError:
        return text
    places = _places(document)
    if not places:
        return json.dumps(rng.choice(VALUES))
    *path, last = rng.choice(places)
    parent = document
    for name in path:
        parent = parent[name]
    kind = rng.randrange(8)
    if kind == 0:
        del parent[last]
    elif kind == 1:
        parent[last] = [parent[last]]
    elif kind == 2 and isinstance(parent, dict):
        parent[rng.choice(("untimed", "verified", "x", "", "cells"))] = rng.choice(VALUES)
    elif kind == 3:
        parent[last] = "@@"
        return json.dumps(document).replace('"@@"', "9" * rng.choice((310, 5000)), 1)
    elif kind == 4 and isinstance(parent, dict):
        parent[last], parent["@@"] = rng.choice(VALUES), parent[last]
        return json.dumps(document).replace('"@@"', json.dumps(last), 1)
    else:
        parent[last] = rng.choice(VALUES)
    return json.dumps(document)


def _on_a_line(change: Callable[[bytes, random.Random], bytes]) -> Callable[[bytes, random.Random], bytes]:
    def changed(data: bytes, rng: random.Random) -> bytes:
        lines = data.split(b"\n")
        place = rng.randrange(max(1, len(lines) - 1))
        lines[place] = change(lines[place], rng)
        return b"\n".join(lines)

    return changed


def _edit(data: bytes, rng: random.Random) -> bytes:
    return _edited(data.decode(), rng).encode()


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _bytes(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    noise = rng.choice(
        (b"\x00", b"\xff\xfe", b"\xc3", b'"', b"{", b"]", b"\r", b"NaN", b"1e999", b"\\ud800", b"\xef\xbb\xbf")
    )
    return data[:place] + noise + data[place + rng.randrange(3) :]


def _nest(data: bytes, rng: random.Random) -> bytes:
    depth = rng.choice((90, 500, 100_000))
    return data.replace(b"null", b"[" * depth + b"]" * depth, 1)


def _whole(data: bytes, rng: random.Random) -> bytes:
    return rng.choice(
        (b"", b"\n", b"null\n", b"[]\n", b"3\n", b'"x"\n', b"{}\n", b"{", b"\x00" * 50, data.replace(b"\n", b"\r\n"))
    )


def _twice(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines + lines[: rng.randrange(len(lines) + 1)])


def damage(folder: Path, seed: int) -> str:
    """Change one file of a run, differently for each seed; say how."""
    rng = random.Random(seed)
    name = rng.choice((RECORDS, RECORDS, RECORDS, TRACES, PROVENANCE, EXPERIMENT))
    path = folder / name
    data = path.read_bytes()
    jsonl = name in (RECORDS, TRACES)
    kinds: list[Callable[[bytes, random.Random], bytes]] = [_cut, _bytes, _nest, _whole, _twice]
    kinds += [_on_a_line(_bytes), _on_a_line(_cut), _on_a_line(_nest)] + [_on_a_line(_edit) if jsonl else _edit] * 12
    change = rng.choice(kinds)
    for _ in range(rng.choice((1, 1, 3))):
        data = change(data, rng)
    path.write_bytes(data)
    return f"seed {seed}: {name}"
