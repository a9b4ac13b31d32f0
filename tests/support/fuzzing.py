"""The fuzzing engine: damaged files go through a reader in a child process with little memory and little time.

A reader passes if it raises an `InputError` of one short line, or returns. Everything else is a finding: another exception, a
`MemoryError` below 1 GB, more than 5 CPU seconds, or the end of the process. Input number i of a family and a seed is always
the same: `python tests/support/fuzzing.py FAMILY SEED NUMBER` does it again, keeps the file and shows the traceback.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SECONDS = 5.0  # of CPU time per input
MEMORY = 1 << 30  # bytes, on top of what the child has after one valid file
HANGING = 60  # wall seconds after which an input that nothing can interrupt ends its process
LONGEST_MESSAGE = 500


@dataclass(frozen=True)
class Family:
    """A kind of file: how valid ones are made, how they are damaged, and the reader that must stand it.

    `seeds` writes valid files into a folder and returns them; a folder counts as a file: one of the files below it is damaged.
    `read` gets the damaged copy. It reads it and uses what it got, as far as that is cheap.
    """

    name: str
    seeds: Callable[[Path], list[Path]]
    read: Callable[[Path], object]
    mutations: tuple[Callable[[Random, bytes], bytes], ...]


class Finding(NamedTuple):
    family: str
    seed: int
    number: int
    what: str

    def __str__(self) -> str:
        again = f"python tests/support/fuzzing.py {self.family!r} {self.seed} {self.number}"
        return f"{self.what}\n    again: {again}"


class OutOfTime(BaseException):
    """No `except Exception` of a reader may catch it."""


def families() -> dict[str, Family]:
    """All families, from the modules `tests/fuzz/*_families.py`."""
    found: dict[str, Family] = {}
    for path in sorted((ROOT / "tests" / "fuzz").glob("*_families.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= {family.name: family for family in module.FAMILIES}
    return found


def damaged(family: Family, seeds: list[Path], seed: int, number: int, folder: Path) -> Path:
    """Input `number`: a copy of one of the valid files with something broken."""
    from fuzz_mutations import mutated

    rng = Random(f"{family.name}:{seed}:{number}")
    chosen = rng.choice(seeds)
    target = folder / chosen.name
    if chosen.is_dir():
        files = sorted(path for path in chosen.rglob("*") if path.is_file())
        victim = rng.choice(files)
        for path in files:
            copy = target / path.relative_to(chosen)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        victim = target / victim.relative_to(chosen)
    else:
        target.write_bytes(chosen.read_bytes())
        victim = target
    victim.write_bytes(mutated(rng, victim.read_bytes(), family.mutations))
    return target


def judged(read: Callable[[Path], object], path: Path) -> str | None:
    """What is wrong with the reader's answer; None if nothing is."""
    from problems.errors import InputError

    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        read(path)
    except InputError as error:
        said = str(error)
        if not said or len(said.splitlines()) != 1 or len(said) > LONGEST_MESSAGE:
            return f"an InputError of {len(said)} characters in {len(said.splitlines())} lines: {said[:300]!r}"
    except OutOfTime:
        return f"more than {SECONDS:g} CPU seconds\n{traceback.format_exc(limit=-3)}"
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:200]!r}\n{traceback.format_exc(limit=-4)}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - start
    return f"{seconds:.1f} CPU seconds" if seconds > SECONDS else None


def run(names: list[str], seed: int, count: int, timeout: float) -> list[Finding]:
    """Inputs 0 to count - 1 of some families, in a child; what did not pass."""
    command = [sys.executable, str(HERE / "fuzzing.py"), *names, str(seed), f"0-{count}"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{HERE}"}
    with tempfile.TemporaryDirectory(prefix="dualbench-fuzz-") as folder:
        progress = Path(folder, "progress.jsonl")
        subprocess.run([*command, "--progress", str(progress)], env=environment, cwd=ROOT, timeout=timeout, check=True)
        told = [json.loads(line) for line in progress.read_text(encoding="utf-8").splitlines()]
    inputs = {(family, number) for family, _, number, _ in told}
    found = [Finding(*row) for row in told if row[3] is not None]
    assert found or len(inputs) == count * len(names), f"{len(inputs)} inputs were run of {count * len(names)}"
    return found


def _limit_memory() -> None:
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _out_of_time(*_: Any) -> None:
    raise OutOfTime


def _inputs(family: Family, seed: int, numbers: range, home: Path) -> Iterator[tuple[int, str | None]]:
    """Each number before its input is read, and once more with what is wrong."""
    (home / "seeds").mkdir(parents=True)
    seeds = family.seeds(home / "seeds")
    for path in seeds:
        family.read(path)  # valid files must pass; this also compiles and loads all that reading needs
    _limit_memory()
    for number in numbers:
        folder = home / str(number)
        folder.mkdir()
        path = damaged(family, seeds, seed, number, folder)
        yield number, None
        signal.alarm(HANGING)
        problem = judged(family.read, path)
        signal.alarm(0)
        if problem is not None:
            yield number, problem
        if len(numbers) > 1:
            shutil.rmtree(folder)


def _child(names: list[str], seed: int, numbers: range, progress: Path) -> None:
    """Run families one after the other, each in a fork, so that limits and loaded modules are its own."""
    known = families()
    with open(progress, "a+", encoding="utf-8", buffering=1) as file, tempfile.TemporaryDirectory() as home:
        for name in names:
            pid = os.fork()
            if not pid:
                status = 1
                try:
                    for number, problem in _inputs(known[name], seed, numbers, Path(home, name)):
                        file.write(json.dumps([name, seed, number, problem]) + "\n")
                    status = 0
                except BaseException:
                    traceback.print_exc()
                finally:
                    file.flush()
                    os._exit(status)
            _, status = os.waitpid(pid, 0)
            if status:
                file.seek(0)
                numbers_told = [row[2] for row in map(json.loads, file) if row[0] == name]
                said = f"the process ended with status {os.waitstatus_to_exitcode(status)}"
                file.write(json.dumps([name, seed, max(numbers_told, default=-1), said]) + "\n")


def _again(family: Family, seed: int, number: int) -> int:
    """One input with its traceback; the file stays."""
    home = Path(tempfile.mkdtemp(prefix="dualbench-fuzz-"))
    *_, (_, problem) = _inputs(family, seed, range(number, number + 1), home)
    print(home / str(number))
    print(problem or "passes")
    return int(problem is not None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="+", help="names (or all), then the seed, then a number or FIRST-END")
    parser.add_argument("--progress", type=Path, default=Path("/dev/stdout"))
    given = parser.parse_args()
    *names, seed, numbers = given.families
    warnings.simplefilter("error", RuntimeWarning)
    signal.signal(signal.SIGPROF, _out_of_time)
    if "-" not in numbers:
        return _again(families()[names[0]], int(seed), int(numbers))
    first, _, end = numbers.partition("-")
    _child(names if names != ["all"] else list(families()), int(seed), range(int(first), int(end)), given.progress)
    return 0


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(HERE)]
    sys.exit(main())
