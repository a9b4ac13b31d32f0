"""The archives that are released: both build, and the wheel runs an experiment in a clean environment, away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHECKOUT = ("PYTHONPATH", "VIRTUAL_ENV", "DUALBENCH_DATA")  # variables that could lend it what the wheel lacks


def called(*command: str | Path, where: Path, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in CHECKOUT} | variables
    arguments = [str(part) for part in command]
    done = subprocess.run(arguments, cwd=where, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def environment_in(folder: Path) -> Path:
    """The programs of a new virtual environment."""
    called(sys.executable, "-m", "venv", folder, where=folder.parent)
    return folder / "bin"


@pytest.mark.slow
def test_the_wheel_runs_an_experiment_in_a_clean_environment(tmp_path: Path) -> None:
    builder = environment_in(tmp_path / "builder")
    called(builder / "python", "-m", "pip", "install", "--quiet", "build", where=tmp_path)
    tracked = called("git", "ls-files", "-z", where=ROOT).split("\0")
    source = tmp_path / "source"
    for name in filter(None, tracked):  # what a checkout has beside these must not get into the archives
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    called(
        builder / "python", "-m", "build", "--outdir", tmp_path / "dist", where=source
    )  # the wheel is made from the sdist
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive, tarfile.open(sdist) as packed:
        names = {name.partition("/")[0] for name in archive.namelist()}
        assert {name for name in names if not name.endswith(".dist-info")} == {"bench", "problems", "solvers"}
        assert {Path(name).name for name in packed.getnames()} >= {"pyproject.toml", "README.md", "LICENSE"}

    clean = environment_in(tmp_path / "clean")
    called(clean / "python", "-m", "pip", "install", "--quiet", wheel, where=tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    home = {"HOME": str(tmp_path / "home"), "DUALBENCH_CACHE": str(tmp_path / "cache")}
    version = wheel.name.split("-")[1]
    assert called(clean / "dualbench", "--version", where=empty, **home).strip() == f"dualbench {version}"
    called(clean / "dualbench", "run", "first-look", "--repetitions", "1", where=empty, **home)
    lines = (empty / "runs" / "first-look" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert len({record["instance"] for record in records}) == 8
    assert {record["status"] for record in records} <= {"optimal", "feasible"}
    code = json.loads((empty / "runs" / "first-look" / "provenance.json").read_text(encoding="utf-8"))
    assert version in json.dumps(code), "a wheel's run names its version"
    called(clean / "dualbench", "new", "factor", "my-factor", where=empty, **home)
    assert "passed" in called(clean / "dualbench", "check-factor", "my_factor.py", where=empty, **home)
