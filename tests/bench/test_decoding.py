"""Decoding a stream: order, bad instances, workers that die, resuming, a window that is never exceeded."""

from __future__ import annotations

import gzip
import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bench.decoding import judge, output, pool
from bench.decoding.corpus import Corpus, Entry, open_corpus
from bench.decoding.decode import Decoding
from bench.decoding.worker import DecodingWorker, judged, made
from bench.experiments.sources import task_named
from bench.runner.handover import claim_of
from problems import get_task
from problems.errors import InputError
from solvers import get_solver
from solvers.base import Solution

PLUGIN = Path(__file__).parent.parent / "support" / "decoding_solvers.py"
TASK = get_task("extraction")


def line(name: str, seed: int = 1) -> str:
    return json.dumps({**TASK.document(TASK.generate(seed, "tiny")), "name": name})


def written(folder: Path, *names: str) -> Path:
    """A file of JSON lines; what is no name is a line itself."""
    path = folder / "corpus.jsonl"
    texts = [name if name.startswith(("{", "[", "\\")) else line(name, seed) for seed, name in enumerate(names)]
    path.write_text("\n".join(texts) + "\n")
    return path


def decoding(corpus: str | Path, solver: str = "obedient", task: str = "extraction", **options: Any) -> Decoding:
    limit, own = options.pop("limit", None), options.pop("options", {})
    chosen = {"seconds": 60.0, "memory_gb": 4.0, "plugins": [PLUGIN], **options}
    return Decoding(open_corpus(str(corpus), task, limit=limit), solver, own, **chosen)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_text().splitlines()]


def test_rows_are_what_solving_one_by_one_gives(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    made = decoding("generated:tiny:3:12", "greedy", jobs=2)
    made.to_file(out)
    found = rows(out)
    assert [row["position"] for row in found] == list(range(12))
    assert [row["name"] for row in found] == [f"tiny-{seed}" for seed in range(3, 15)]
    for seed, row in enumerate(found, start=3):
        instance = TASK.generate(seed, "tiny")
        solution = get_solver("greedy", "extraction").solve(instance)
        assert tuple(row["structure"]) == solution.structure
        assert row["objective"] == pytest.approx(TASK.objective(instance, solution.structure))
        assert row["metrics"] == pytest.approx(TASK.evaluate(instance, solution.structure))
        assert row["seconds"] > 0
    assert made.counts == {"feasible": 12}
    about = json.loads((tmp_path / "rows.jsonl.about.json").read_text())
    assert (about["solver"], about["task"], about["jobs"]) == ("greedy", "extraction", 2)


def test_a_warm_solver_is_kept_and_a_cold_one_is_not(tmp_path: Path) -> None:
    """The same instance again and again: answers as without, in fewer iterations."""
    path, out = tmp_path / "corpus.jsonl", tmp_path / "rows.jsonl"
    path.write_text("\n".join(line(f"again-{number}") for number in range(4)) + "\n")
    decoding(path, "ad3", options={"warm_start": True}, jobs=1).to_file(out)
    cold = get_solver("ad3").solve(TASK.generate(1, "tiny"))
    for row in rows(out):
        assert row["objective"] == pytest.approx(cold.objective)
        assert row["bound"] == pytest.approx(cold.bound, rel=1e-5)
    worker = DecodingWorker.__new__(DecodingWorker)
    request = {"task": "extraction", "solver": "ad3", "options": {}, "seconds": 60.0, "traced": False}
    assert worker.solver_for(request) is not worker.solver_for(request)
    warm = {**request, "options": {"warm_start": True}}
    assert worker.solver_for(warm) is worker.solver_for(warm)


def test_a_bad_instance_ends_neither_the_run_nor_its_worker(tmp_path: Path) -> None:
    names = ("good-0", "crash-1", "{", '{"task": "parsing"}', "raise-4", "hang-5", "hog-6", "child-7", "good-8", "[1]")
    out = tmp_path / "rows.jsonl"
    decoding(written(tmp_path, *names), seconds=4.0, memory_gb=0.4).to_file(out)
    found = rows(out)
    assert [row["position"] for row in found] == list(range(10))
    statuses = "feasible crash error error error timeout memout feasible feasible error"
    assert [row["status"] for row in found] == statuses.split()
    said = {row["position"]: row["message"] for row in found}
    assert said[1] == "signal SIGABRT"
    assert said[2].startswith(f"{tmp_path / 'corpus.jsonl'}, line 3: not valid JSON (")
    assert said[3] == f"{tmp_path / 'corpus.jsonl'}, line 4: field 'task' is 'parsing', expected 'extraction'."
    assert said[4] == "ArithmeticError: the scores are odd"
    assert said[9].endswith("line 10: expected a JSON object.")
    assert subprocess.run(["pgrep", "-f", "^sleep 619$"], capture_output=True, check=False).returncode == 1


def test_resuming_goes_on_after_a_torn_line(tmp_path: Path) -> None:
    corpus, out = written(tmp_path, *(f"good-{number}" for number in range(6))), tmp_path / "rows.jsonl"
    decoding(corpus, limit=4).to_file(out)
    whole = out.read_bytes()
    out.write_bytes(whole[:-20])
    again = decoding(corpus)
    again.to_file(out, resume=True)
    assert (again.before, again.counts) == (3, {"feasible": 3})
    assert [row["position"] for row in rows(out)] == list(range(6))
    assert out.read_bytes().startswith(whole[: whole[:-20].rfind(b"\n")])
    finished = decoding(corpus)
    finished.to_file(out, resume=True)
    assert (finished.before, finished.counts) == (6, {})

    corpus.write_text(corpus.read_text().replace("good-2", "other-2"))
    with pytest.raises(InputError, match=r"line 3: is not what was decoded before \(position 2\)"):
        decoding(corpus).to_file(out, resume=True)
    corpus.write_text(line("good-0", 0) + "\n")
    with pytest.raises(InputError, match="has 1 instances, but the output has more rows"):
        decoding(corpus).to_file(out, resume=True)
    with pytest.raises(InputError, match="was decoded with another solver"):
        decoding(corpus, "greedy").to_file(out, resume=True)
    with pytest.raises(InputError, match="exists already; add --resume"):
        decoding(corpus).to_file(out)


def test_parquet_in_parts_that_become_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "PART_ROWS", 2)
    monkeypatch.setattr(output, "GROUP_ROWS", 3)
    corpus, out = written(tmp_path, *(f"good-{number}" for number in range(5)), "raise-5"), tmp_path / "rows.parquet"
    with pytest.raises(InputError, match=r"raise-5: error \(ArithmeticError: the scores are odd\)\."):
        decoding(corpus, strict=True).to_file(out)
    parts = sorted((tmp_path / "rows.parquet.parts").iterdir())
    assert [len(pd.read_parquet(part)) for part in parts] == [2, 2, 1]
    (tmp_path / "rows.parquet.parts" / "part-000000000099.unfinished").write_bytes(b"PAR1 torn")
    parts[-1].unlink()  # as if the process had been killed before it was written
    again = decoding(corpus)
    again.to_file(out, resume=True)
    assert again.before == 4
    found = pd.read_parquet(out)
    assert list(found["position"]) == list(range(6))
    assert list(found["status"]) == ["feasible"] * 5 + ["error"]
    assert json.loads(found["structure"][0]) == []
    assert not (tmp_path / "rows.parquet.parts").exists()

    corpus.write_text(corpus.read_text() + line("good-6", 6) + "\n")
    decoding(corpus).to_file(out, resume=True)
    assert list(pd.read_parquet(out)["position"]) == list(range(7))


def counted(entries: Iterator[Entry], seen: list[int]) -> Iterator[Entry]:
    for entry in entries:
        seen.append(entry.position)
        yield entry


def test_no_more_is_read_than_the_window_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "WINDOW", 4)
    corpus = written(tmp_path, "wait-0", *(f"good-{number}" for number in range(1, 40)))
    made, seen = decoding(corpus, jobs=2), list[int]()
    found = made.pool.rows(counted(made.corpus.entries(), seen))
    assert next(found)["name"] == "wait-0"
    assert len(seen) <= 2 * 4 + 2
    assert [row["position"] for row in found] == list(range(1, 40))
    assert len(seen) == 40


@pytest.mark.slow
def test_a_window_of_bytes_lets_one_large_piece_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "WINDOW_BYTES", 10)
    made = decoding(written(tmp_path, "good-0", "good-1", "good-2"))
    assert [row["name"] for row in made.pool.rows(made.corpus.entries())] == ["good-0", "good-1", "good-2"]


# -- where entries come from ----------------------------------------------------------------------------------------


def test_the_kinds_of_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = line("one", 1) + "\n\n" + line("two", 2)
    (tmp_path / "corpus.jsonl").write_text(text)
    with gzip.open(tmp_path / "corpus.jsonl.gz", "wt") as file:
        file.write(text)
    (tmp_path / "files").mkdir()
    for name in ("b", "a"):
        (tmp_path / "files" / f"{name}.json").write_text(line(name))

    def entries(where: str) -> list[Entry]:
        return list(open_corpus(where, "extraction").entries())

    plain = entries(str(tmp_path / "corpus.jsonl"))
    assert [entry.name for entry in plain] == [f"{tmp_path / 'corpus.jsonl'}, line {number}" for number in (1, 3)]
    digests = [entry.digest for entry in plain]
    assert digests == [entry.digest for entry in entries(str(tmp_path / "corpus.jsonl.gz"))]
    with open(tmp_path / "corpus.jsonl") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert digests == [entry.digest for entry in entries("-")]
    assert [Path(entry.name).stem for entry in entries(str(tmp_path / "files"))] == ["a", "b"]
    assert [Path(entry.name).stem for entry in entries(str(tmp_path / "files" / "[b]*"))] == ["b"]
    assert [entry.content for entry in entries("generated:tiny:4:2")] == [b"tiny:4", b"tiny:5"]
    assert len({entry.digest for entry in entries("generated:tiny:4:2")}) == 2


@pytest.mark.parametrize(
    ("where", "task", "sentence"),
    [
        ("nowhere.jsonl", "extraction", "nowhere.jsonl: no such file, folder or corpus"),
        ("opinosi", "extraction", "did you mean 'opinosis'"),
        ("generated:tiny:1", "extraction", "must have the form generated:SIZE:SEED:COUNT"),
        ("generated:tiny:1:0", "extraction", "must have the form generated:SIZE:SEED:COUNT"),
        ("generated:tinny:1:1", "extraction", "unknown size 'tinny': did you mean 'tiny'"),
        ("-", "graph", "factor graphs are read from .fg, .uai, .wcsp and .cfn files"),
        ("-", "extractoin", "did you mean 'extraction'"),
    ],
)
def test_what_is_no_corpus_is_refused(where: str, task: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        open_corpus(where, task)
    assert sentence in str(caught.value)


def test_splits_are_for_corpora_by_name() -> None:
    with pytest.raises(InputError, match="are for corpora by name"):
        open_corpus("generated:tiny:1:1", "extraction", split="dev")


def test_a_corpus_by_name(data_folder: Path) -> None:
    corpus = open_corpus("opinosis", "extraction", folder=data_folder, limit=2)
    assert corpus == Corpus("extraction", "opinosis", "corpus", None, None, data_folder, 2)
    for entry, expected in zip(corpus.entries(), TASK.read_corpus("opinosis", data_folder, limit=2), strict=True):
        assert entry.name == expected.name
        assert TASK.document(made(TASK, entry)) == TASK.document(expected)


# -- what a worker makes of a entry, and of an answer ---------------------------------------------------------------


def test_a_factor_graph_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pair.fg"
    path.write_text("2\n1\n0.5\n-0.2\nPAIR 2 1 2 0.4\n")
    (entry,) = open_corpus(str(path), "graph").entries()
    graph = made(task_named("graph"), entry)
    assert list(graph.scores) == [0.5, -0.2]
    with pytest.raises(InputError, match="a factor graph, expected an instance of task 'extraction'"):
        made(TASK, entry)
    solution = get_solver("brute-force").solve(graph)
    facts = judged(task_named("graph"), graph, solution, with_metrics=True)
    assert (facts["status"], facts["structure"]) == ("optimal", [1, 1])
    assert facts["objective"] == pytest.approx(0.5 - 0.2 + 0.4)


def test_an_answer_is_not_taken_on_trust() -> None:
    instance = TASK.generate(1, "tiny")
    boast = judged(TASK, instance, Solution("optimal", (), 1e6, bound=1e6), with_metrics=False)
    assert boast["objective"] == 0.0
    assert boast["status"] == "feasible"
    assert "1e+06" in boast["message"] or "1000000" in boast["message"]
    everything = tuple(range(len(instance.lengths)))
    assert judged(TASK, instance, Solution("optimal", everything, 1.0, bound=1.0), True)["status"] == "error"
    assert judged(TASK, instance, None, True)["status"] == "error"


def test_answers_of_plug_ins_are_judged_where_they_cannot_reach(tmp_path: Path) -> None:
    corpus, out = written(tmp_path, "forge-0", "good-1", "odd-2", "{", "forge-4"), tmp_path / "rows.jsonl"
    decoding(corpus).to_file(out)
    found = rows(out)
    assert [row["status"] for row in found] == ["feasible", "feasible", "error", "error", "error"]
    assert found[0]["objective"] == pytest.approx(TASK.objective(TASK.generate(0, "tiny"), (0,)))
    assert "claims the objective 1e+09" in found[0]["message"]
    assert found[0]["metrics"]
    assert found[0]["seconds"] > 0
    assert [row["name"] for row in found[:3]] == ["forge-0", "good-1", "odd-2"]
    assert "not of dict" in found[2]["message"]
    assert "line 4: not valid JSON" in found[3]["message"]
    assert "words are more than the budget" in found[4]["message"]


@pytest.mark.parametrize("seconds", [-1.0, 3.0, float("nan"), "now", None, 10**400])
def test_a_time_that_cannot_be_is_left_out(seconds: Any) -> None:
    entry = Entry(0, "one", "", "generated", b"tiny:1")
    assert judge.claim_in(entry, {"seconds": seconds, "claim": {}}, elapsed=2.0).seconds is None
    assert judge.claim_in(entry, {"seconds": 1.5, "claim": []}, elapsed=2.0) == (entry, pickle.dumps({}), 1.5)


def test_an_answer_that_cannot_be_checked_in_time_costs_its_row_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "IMPORT_SECONDS", 0.0)
    monkeypatch.setattr(judge, "CHECK_SECONDS", 0.0)
    entries = [Entry(seed, f"tiny-{seed}", "", "generated", f"tiny:{seed}".encode()) for seed in (1, 2)]
    claims = [judge.claim_in(entry, {"claim": claim_of(Solution("feasible", (), 0.0))}, 0.0) for entry in entries]
    one = judge.RowJudge(threading.Event(), "extraction", False, {}, ())
    try:
        found = one.rows(claims)
        assert next(found) == {"status": "error", "message": "the structure could not be checked (not within 0 s)"}
        monkeypatch.setattr(judge, "CHECK_SECONDS", 60.0)
        assert [(row["status"], row["objective"]) for row in found] == [("feasible", 0.0)]
    finally:
        one.close()


# -- the command ---------------------------------------------------------------------------------------------------


def start(*arguments: str, **streams: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.cli", "decode", *arguments, "--task", "extraction", "--plugin", str(PLUGIN)]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **streams)


def test_standard_input_to_standard_output() -> None:
    process = start("-", "--solver", "obedient", stdin=subprocess.PIPE)
    printed, said = process.communicate(line("one") + "\n{\n" + line("three") + "\n", timeout=120)
    assert process.returncode == 1, said
    assert [json.loads(text)["status"] for text in printed.splitlines()] == ["feasible", "error", "feasible"]
    assert "decoded: 3 in" in said
    last = said.splitlines()[-1]
    assert last.startswith(
        "dualbench: 1 of 3 rows have no answer; the first is standard input, line 2: error (not valid"
    )
    assert "Traceback" not in said


@pytest.mark.parametrize("ending", ["jsonl", pytest.param("parquet", marks=pytest.mark.slow)])
def test_failed_rows_are_told_also_after_resuming(tmp_path: Path, ending: str) -> None:
    corpus, out = written(tmp_path, "good-0", "raise-1", "good-2", "crash-3"), tmp_path / f"rows.{ending}"
    first, second = decoding(corpus, limit=3), decoding(corpus)
    first.to_file(out)
    second.to_file(out, resume=True)
    why = "raise-1: error (ArithmeticError: the scores are odd)"
    assert (first.failed, first.first_failure) == (1, why)
    assert (second.before, second.failed, second.first_failure) == (3, 2, why)
    process = start(str(corpus), "--solver", "obedient", "--out", str(out), "--resume")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert said.splitlines()[-1] == f"dualbench: 2 of 4 rows have no answer; the first is {why}."


def test_rows_that_all_have_an_answer_are_a_success(tmp_path: Path) -> None:
    process = start(str(written(tmp_path, "good-0", "good-1")), "--solver", "obedient")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said


@pytest.mark.slow
def test_interruption_while_waiting_for_input() -> None:
    process = start("-", "--solver", "obedient", stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line("one") + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["name"] == "one"  # a row comes out before the next instance goes in
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "Fatal" not in said


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_resuming_after_a_kill_gives_every_row_once(tmp_path: Path, ending: str, number: signal.Signals) -> None:
    corpus, out = written(tmp_path, *(f"good-{place}" for place in range(300))), tmp_path / f"rows.{ending}"
    arguments = [str(corpus), "--solver", "obedient", "--option", "seconds=0.02", "--jobs", "2", "--out", str(out)]
    for _ in range(2):
        process = start(*arguments, "--resume")
        time.sleep(4.0)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert process.returncode in (-9, 130, 0), said
    process = start(*arguments, "--resume")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    found = rows(out) if ending == "jsonl" else pd.read_parquet(out).to_dict("records")
    assert [row["position"] for row in found] == list(range(300))
    assert [row["name"] for row in found] == [f"good-{place}" for place in range(300)]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    """Half a gigabyte goes through a process that never holds more than its window."""
    padded = json.loads(line("good"))
    text = (json.dumps(padded) + " " * 100_000 + "\n").encode()
    code = (
        "import resource, sys; from bench.cli import main; sys.argv[0] = 'dualbench'\n"
        "try: main()\n"
        "except SystemExit as end: code = end.code\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
    )
    command = [sys.executable, "-c", code, "decode", "-", "--task", "extraction", "--solver", "obedient"]
    command += ["--plugin", str(PLUGIN), "--out", str(tmp_path / "rows.jsonl")]
    peaks = []
    for many in (100, 5000):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert process.stdin is not None
        for _ in range(many):
            process.stdin.write(text)
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0, said
        assert len(rows(tmp_path / "rows.jsonl")) == many
        peaks.append(int(said.split()[-1]) / 1024)
        for file in tmp_path.iterdir():
            file.unlink()
    assert peaks[1] - peaks[0] < 100, peaks  # megabytes
