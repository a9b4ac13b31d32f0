"""Solvers and tasks of the user's own: from a file, and from an installed package."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.experiments.plugins import load_plugin, loaded_plugins, plugin_digest, unload_plugin
from problems import get_task, task_names
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from solvers import SOLVERS, get_solver, solver_class, solver_names
from solvers.registry import registry

HEAD = """
from dataclasses import dataclass
from typing import ClassVar
from problems import task_of
from solvers.base import Solution, Solver
from solvers.conclude import judge
"""
NOTHING = """
class Nothing(Solver):
    name = "nothing"

    def solve(self, instance):
        return Solution("timeout")
"""


@pytest.fixture(autouse=True)
def _clean_registries() -> Iterator[None]:
    """What a test loads is gone after it."""
    before = [plugin.path for plugin in loaded_plugins()]
    yield
    for plugin in loaded_plugins():
        if plugin.path not in before:
            unload_plugin(plugin.path)


def write(folder: Path, text: str, name: str = "mine.py") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
    return path


def test_a_solver_from_a_file(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        class _Base(Solver):
            def solve(self, instance):
                task = task_of(instance)
                return judge(task, instance, next(task.structures(instance)), self.guess)

        @dataclass(kw_only=True)
        class First(_Base):
            name = "first-found"
            exact: ClassVar[bool] = False
            guess: float = 100.0
        """,
    )
    before = solver_names()
    loaded = load_plugin(path)
    assert (loaded.solvers, loaded.tasks) == (("first-found",), ())
    graph = FactorGraph()
    graph.add_variables([1.0, 2.0])
    solution = get_solver("first-found", guess=50).solve(graph)
    assert (solution.structure, solution.bound) == ((0, 0), 50.0)
    assert set(solver_names()) - set(before) == {"first-found"}
    assert "first-found" not in SOLVERS
    assert registry.origin("first-found") == str(path)
    assert [plugin for plugin in loaded_plugins() if "first-found" in plugin.solvers] == [loaded]
    assert registry.origin("ad3") != str(path)
    assert loaded in loaded_plugins()
    with pytest.raises(InputError, match="unknown option 'gues' of solver 'first-found': did you mean 'guess'"):
        get_solver("first-found", gues=1)
    with pytest.raises(InputError, match="did you mean 'first-found'"):
        get_solver("first-fond")
    assert pickle.loads(pickle.dumps(get_solver("first-found", guess=3))).guess == 3.0


def test_options_of_any_type(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        from dataclasses import field
        from pathlib import Path
        from typing import Any, Optional

        @dataclass(kw_only=True)
        class Many(Solver):
            name = "many"
            limit: Optional[float] = None
            steps: list[int] = field(default_factory=list)
            model: Path = Path("model")
            hint: Any = None

            def solve(self, instance):
                return Solution("timeout")
        """,
    )
    load_plugin(path)
    assert get_solver("many", limit=2, steps=[1, 2], hint={}).options["limit"] == 2
    with pytest.raises(InputError, match="option 'limit' of solver 'many' must be a number or none, not 'soon'"):
        get_solver("many", limit="soon")
    with pytest.raises(InputError, match="option 'steps' of solver 'many' must be of type list, not 3"):
        get_solver("many", steps=3)
    with pytest.raises(InputError, match="option 'model' of solver 'many' must be of type Path, not 3"):
        get_solver("many", model=3)


def test_two_files_of_one_name_do_not_clash(tmp_path: Path) -> None:
    first = write(tmp_path / "a", NOTHING)
    second = write(tmp_path / "b", NOTHING.replace("nothing", "less"))
    load_plugin(first)
    load_plugin(second)
    assert solver_class("nothing").__module__ != solver_class("less").__module__
    third = write(tmp_path / "c", NOTHING)
    with pytest.raises(InputError, match=rf"c/mine.py: the name 'nothing' of class 'Nothing' is taken by .*{first}"):
        load_plugin(third)


def test_an_edited_file_replaces_itself(tmp_path: Path) -> None:
    path = write(tmp_path, NOTHING)
    before = load_plugin(path)
    first = solver_class("nothing")
    assert load_plugin(os.path.relpath(path)) is before
    assert solver_class("nothing") is first
    write(tmp_path, NOTHING.replace("nothing", "something"))
    after = load_plugin(path)
    assert after.digest != before.digest
    assert after.digest == plugin_digest(path)
    assert "nothing" not in solver_names()
    assert "something" in solver_names()


def test_unloading_gives_the_name_free(tmp_path: Path) -> None:
    path = write(tmp_path / "a", NOTHING)
    load_plugin(path)
    unload_plugin(path)
    assert "nothing" not in solver_names()
    assert path not in [plugin.path for plugin in loaded_plugins()]
    assert load_plugin(write(tmp_path / "b", NOTHING)).solvers == ("nothing",)


def test_imported_and_abstract_classes_are_not_the_files_own(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        from solvers.brute_force import BruteForce

        class Half(Solver):
            name = "half"

        class Whole(Half):
            name = "whole"

            def solve(self, instance):
                return BruteForce().solve(instance)
        """,
    )
    assert load_plugin(path).solvers == ("whole",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def broken(:\n    pass\n", "line 7: not valid Python"),
        ("x = 1 / 0\n", "line 7: the plug-in cannot be imported (ZeroDivisionError: division by zero)"),
        ("import no_such_module\n", "cannot be imported (ModuleNotFoundError: No module named 'no_such_module')"),
        ("raise SystemExit(3)\n", "cannot be imported (SystemExit: 3)"),
        ("x = 3\n", "no solver or task in it (expected a subclass of solvers.base.Solver"),
        (
            "class A(Solver):\n    name = 'a'\n    def slove(self): ...\n",
            "no solver or task in it (class 'A' lacks solve)",
        ),
        ("class A(Solver):\n    def solve(self, instance): ...\n", "class 'A' needs a `name`"),
        ("class A(Solver):\n    name = 'a b'\n    def solve(self, instance): ...\n", "class 'A' needs a `name`"),
        (
            "class A(Solver):\n    name = 'ad3'\n    def solve(self, instance): ...\n",
            "'ad3' of class 'A' is taken by a built",
        ),
        (
            "from solvers.ad3 import Ad3\nclass A(Ad3): ...\n",
            "the name 'ad3' of class 'A' is taken by a built-in solver",
        ),
        (
            "class A(Solver):\n    name = 'a'\n    step: float = 1.0\n    def solve(self, instance): ...\n",
            "class 'A' has options (step) but is no dataclass: put @dataclass(kw_only=True) above it",
        ),
        (
            "@dataclass(kw_only=True)\nclass A(Solver):\n    name: str = 'a'\n    def solve(self, instance): ...\n",
            "`name` of class 'A' is an option: write it without a type (name = 'a')",
        ),
        (
            "@dataclass(kw_only=True)\nclass A(Solver):\n    name = 'a'\n    step: float\n    def solve(self, i): ...\n",
            "option 'step' of class 'A' needs a default value",
        ),
        (
            "class A(Solver):\n    name = 'a'\n    def __init__(self): ...\n    def solve(self, instance): ...\n",
            "class 'A' defines __init__, but options are dataclass fields",
        ),
        (
            "@dataclass(kw_only=True)\nclass A(Solver):\n    name = 'a'\n    step: int = 0.5\n    def solve(self, i): ...\n",
            "class 'A' refuses its own default options (option 'step' of solver 'a' must be a whole number, not 0.5)",
        ),
        (NOTHING + NOTHING.replace("class Nothing", "class Other"), "two classes have the name 'nothing'"),
    ],
)
def test_bad_files_are_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(HEAD + text, encoding="utf-8")
    before = solver_names()
    with pytest.raises(InputError) as caught:
        load_plugin(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert solver_names() == before, "a refused file leaves nothing behind"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none.py: no such plug-in file"):
        load_plugin(tmp_path / "none.py")
    with pytest.raises(InputError, match="no such plug-in file"):
        plugin_digest(tmp_path / "none.py")
    with pytest.raises(InputError, match="the plug-in cannot be read"):
        load_plugin(tmp_path)
    (tmp_path / "bytes.py").write_bytes(b"\x00\x01\xff")
    with pytest.raises(InputError, match=r"bytes.py.*: not valid Python"):
        load_plugin(tmp_path / "bytes.py")


def test_a_task_from_a_file(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        from problems.extraction.task import ExtractionTask

        class Digest(ExtractionTask):
            name = "digest"
            sizes = ("tiny",)
            default_size = "tiny"
        """,
    )
    assert load_plugin(path).tasks == ("digest",)
    assert task_names()[-1] == "digest"
    assert get_task("digest") is get_task("digest")
    assert get_task("digest").generate(1).lengths == get_task("extraction").generate(1, "tiny").lengths
    reserved = write(tmp_path / "b", "from problems.bare_graph import BareGraphTask\nclass Mine(BareGraphTask): ...\n")
    with pytest.raises(InputError, match="the name 'graph' of class 'Mine' is taken by a built-in task"):
        load_plugin(reserved)


def run(*arguments: object, path: Path | None = None, code: int = 0) -> str:
    """The command line in a process of its own, with a folder of packages on its path."""
    environment = {**os.environ, "COLUMNS": "200"} | ({"PYTHONPATH": str(path)} if path else {})
    command = [sys.executable, "-m", "bench.cli", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as pip leaves it: a module, and metadata with entry points, good and bad."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "strangers.py").write_text(HEAD + NOTHING + "class Rest: ...\n", encoding="utf-8")
    (folder / "strange_task.py").write_text(
        "from problems.extraction.task import ExtractionTask\nclass Digest(ExtractionTask):\n    name = 'digest'\n",
        encoding="utf-8",
    )
    metadata = folder / "strangers-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.2\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(
        "[dualbench.solvers]\nnothing = strangers:Nothing\ngone = no_such_module:Solver\nclassless = strangers:Rest\n"
        "renamed = strangers:Nothing\nad3 = strangers:Nothing\n[dualbench.tasks]\ndigest = strange_task:Digest\n"
        "lost = strange_task:Lost\n",
        encoding="utf-8",
    )
    return folder


def test_entry_points_are_found_and_listed_with_their_package(package: Path) -> None:
    listed = run("list", "solvers", path=package)
    lines = {line.split()[0]: line for line in listed.splitlines() if line and not line.startswith(" ")}
    assert "package strangers 1.2" in lines["nothing"]
    assert "cannot be loaded: see `dualbench doctor`" in lines["gone"]
    assert "built in" in lines["ad3"]
    tasks = run("list", "tasks", path=package)
    assert "digest" in tasks
    assert "package strangers 1.2" in tasks


def test_listing_names_imports_nothing(package: Path) -> None:
    code = "import sys, solvers, problems; print(solvers.solver_names(), problems.task_names(), 'strangers' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, env=environment
    )
    assert "'nothing'" in done.stdout
    assert "'digest'" in done.stdout
    assert done.stdout.split()[-1] == "False"


def test_a_broken_package_is_a_row_of_the_doctor(package: Path) -> None:
    said = run("doctor", path=package)
    rows = {line.split()[0]: line for line in said.splitlines() if line.strip()}
    assert "built in (package strangers 1.2)" in rows["nothing"]
    assert "ModuleNotFoundError" in said
    assert "it is no subclass of solvers.base.Solver" in said
    assert "its `name` is 'nothing', which differs from its entry point's" in said
    assert "is not used: its name is taken by a built-in solver" in said
    assert "AttributeError" in said  # the task `lost`


def test_an_installed_solver_is_used_by_name(package: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.fg"
    graph.write_text("2\n1\n0.5\n0.25\nXOR 2 1 2\n", encoding="utf-8")
    assert "status     timeout" in run("solve", graph, "--solver", "nothing", path=package)
    assert "solver 'gone' of package strangers 1.2 cannot be imported" in run(
        "solve", graph, "--solver", "gone", path=package, code=2
    )
    task = tmp_path / "digests"
    run("generate", "digest", "--size", "tiny", "--out", task, path=package)
    assert "status     optimal" in run("solve", next(task.iterdir()), "--solver", "ilp-glpk", path=package)


def test_the_option_plugin(tmp_path: Path) -> None:
    path = write(tmp_path, NOTHING)
    graph = tmp_path / "graph.fg"
    graph.write_text("1\n0\n0.5\n", encoding="utf-8")
    assert "status     timeout" in run("solve", graph, "--solver", "nothing", "--plugin", path)
    listed = next(line for line in run("list", "solvers", "--plugin", path).splitlines() if line.startswith("nothing"))
    assert str(path)[:20] in listed
    assert "no such plug-in file" in run("list", "solvers", "--plugin", tmp_path / "none.py", code=2)
