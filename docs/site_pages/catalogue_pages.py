"""Catalogues of solvers, factors, tasks and experiments, from the registries and what their sources say."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import io
import math
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bench.cli.machine import MADE_BY
from bench.experiments.experiment import built_in, read_experiment
from problems import TASKS, get_task
from problems.factor_graph import FactorGraph
from problems.factors import KINDS
from problems.factors.logic import LOGIC_KINDS
from solvers import SOLVERS, Solver, solver_class
from solvers.shared import SHARED, own_class

from .markdown import first_sentence, prose, table, with_suffixes

FAMILIES = {
    "Integer programs": ("ilp-",),
    "Other exact solvers": ("wcsp-", "maxsat-", "brute-force"),
    "Linear relaxations": ("lp-",),
    "Dual decomposition": ("ad3", "subgradient"),
    "Dynamic programs": ("dp-",),
    "Others": ("",),
}
COMMON = {
    "time_limit": "Wall-clock seconds after which the solver returns its best answer; the runner sets it.",
    "trace": "Record objective and bound over time, for convergence plots.",
    "seed": "Seed of the library's random choices.",
    "reduced": "Solve a smaller program with the same optimum and relaxation.",
    "rounding": "How a fractional solution becomes a structure; the task's first rounding if None.",
    "max_iterations": "The most iterations before the solver stops.",
}  # options that mean the same everywhere; those that a class comments on itself are not looked up


def catalogue_pages() -> dict[str, str]:
    return {
        "reference/solvers.md": _solvers(),
        "reference/factors.md": _factors(),
        "reference/tasks.md": _tasks(),
        "reference/experiments.md": _experiments(),
    }


def family(name: str) -> str:
    """Where a solver stands in the catalogue."""
    return next(title for title, starts in FAMILIES.items() if name.startswith(starts))


def _solvers() -> str:
    parts = [
        "# Solvers",
        f"dualbench has {len(SOLVERS)} built-in solvers. `get_solver(NAME, OPTION=VALUE)` makes one in Python, "
        "`--solver NAME --option OPTION=VALUE` names one on the command line, and a `[[solvers]]` table does so in an "
        "experiment. *Exact* solvers prove the optimum if they get enough time. `dualbench doctor` lists the solvers "
        "that this machine can run, with their versions. An *extra* is installed by "
        "`pip install 'dualbench[EXTRA]'`.",
        "A solver without named tasks solves every task that has a factor graph, and bare graphs. See also "
        "[settings of LP and ILP libraries](../ilp-settings.md), [choosing a solver](../advise.md) and "
        "[your own solver](../own-solver.md).",
    ]
    for title in FAMILIES:
        names = [name for name in SOLVERS if family(name) == title]
        rows = [[f"[`{name}`](#{name})", *_facts(name), _summary(name)] for name in sorted(names)]
        parts += [f"## {title}", table(["solver", "exact", "tasks", "extra", "what it is"], rows)]
        parts += [_solver(name) for name in sorted(names)]
    return "\n\n".join(parts) + "\n"


@cache
def extras() -> dict[str, str]:
    """The extra that installs a solver's library, by the solver's name: what comments in `pyproject.toml` say."""
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    commented = re.findall(r"^(\w+) = \[.*\] # (.*)$", text, re.MULTILINE)
    named = ((extra, name) for extra, comment in commented for name in re.findall(r"`([\w-]+)`", comment))
    return {name: extra for extra, name in named if name in SOLVERS}


def _facts(name: str) -> list[str]:
    solver = solver_class(name)
    tasks = "all" if solver.tasks is None else ", ".join(sorted(solver.tasks))
    return ["yes" if solver.exact else "no", tasks, f"`{extras()[name]}`" if name in extras() else ""]


def _summary(name: str) -> str:
    """The first sentence of a solver's own docstring, or of its module; of each task's where tasks share the name."""
    classes = [own_class(name, task) for task in SHARED[name]] if name in SHARED else [solver_class(name)]
    texts = [
        _own_docstring(each) or prose(sys.modules[each.__module__].__doc__) for each in classes if each is not None
    ]
    return " ".join(first_sentence(text.removeprefix(f"`{name}`: ")) for text in texts)


def _solver(name: str) -> str:
    """What a solver is, and its options; a name that tasks share has a part for each of them."""
    if name in SHARED:
        classes = {f" for `{task}`": own_class(name, task) for task in SHARED[name]}
    else:
        classes = {"": solver_class(name)}
    parts = [f"### {name}"]
    for whose, chosen in classes.items():
        assert chosen is not None
        about = prose(sys.modules[chosen.__module__].__doc__)
        lead = f"**{name}{whose}.** " if whose else ""
        parts += [lead + about, _own_docstring(chosen)]
        parts += [table(["option", "type", "default", "meaning"], _options(chosen)), f"Source: `{chosen.__module__}`"]
    return "\n\n".join(part for part in parts if part)


def _own_docstring(found: type[Any]) -> str:
    """What the author wrote; a dataclass without a docstring has its signature there."""
    text = found.__doc__ or ""
    return "" if text.startswith(f"{found.__name__}(") else prose(text)


def _options(solver: type[Solver]) -> Iterator[list[str]]:
    comments = {name: text for base in reversed(solver.__mro__[:-1]) for name, text in field_comments(base).items()}
    for option in dataclasses.fields(solver):
        kind = option.type if isinstance(option.type, str) else inspect.formatannotation(option.type)
        yield [
            f"`{option.name}`",
            f"`{kind}`",
            f"`{option.default!r}`",
            comments.get(option.name) or COMMON.get(option.name, ""),
        ]


@cache
def field_comments(found: type[Any]) -> dict[str, str]:
    """The comments behind a class's annotated fields; nothing where there is no source."""
    try:
        source = inspect.cleandoc("\n" + inspect.getsource(found))
    except (OSError, TypeError):
        return {}
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}
    body = ast.parse(source).body[0]
    assert isinstance(body, ast.ClassDef)
    fields = [node for node in body.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
    return {
        node.target.id: comments[node.lineno].lstrip("# ").removeprefix("noqa")
        for node in fields
        if isinstance(node.target, ast.Name) and node.lineno in comments
    }


def _factors() -> str:
    methods = {name: found for name, found in inspect.getmembers(FactorGraph) if name.startswith("add_")}
    rows = []
    for kind, block in KINDS.items():
        method = _method(kind, methods)
        called = f'[`{method}("{kind}", ...)`](#{method})' if kind in LOGIC_KINDS else f"[`{method}`](#{method})"
        meaning = _meaning(block) if kind in LOGIC_KINDS else first_sentence(prose(methods[method].__doc__))
        rows.append([f"`{kind}`", meaning, called, f"`{block.__module__}`"])
    derived = [kind for kind in LOGIC_KINDS if kind not in KINDS]
    logic = prose(sys.modules[KINDS["xor"].__module__].__doc__)
    parts = [
        "# Factors",
        f"A factor ties variables together. dualbench has {len(KINDS)} kinds. Each kind describes one polytope and has "
        "three faces: `maximize` for subgradient methods and bounds, `project` for AD3, `constrain` for LP and ILP "
        "solvers. A fourth, `enumerate`, lists all configurations of a small factor for brute force. "
        "[Your own factor](../own-factors.md) takes part in the same way.",
        table(["kind", "meaning", "method of `FactorGraph`", "source"], rows),
        f"## Logic factors\n\n{logic}\n\nDerived kinds: {', '.join(f'`{kind}`' for kind in derived)}.",
        "## Methods\n\n`FactorGraph` has a method for every kind; the methods for blocks take many factors in flat arrays.",
    ]
    for name, found in methods.items():
        parts.append(f"### {name}\n\n```python\ngraph.{name}{_signature(found)}\n```\n\n{prose(found.__doc__)}")
    return "\n\n".join(parts) + "\n"


def _meaning(block: type[Any]) -> str:
    """What a logic factor says, from its docstring or from its bounds on the number of true literals."""
    if block.__doc__ and not block.__doc__.startswith(f"{block.__name__}("):
        return first_sentence(prose(block.__doc__))
    low, high = block.bounds
    if low == high:
        return f"Exactly {low:g} literal is true."
    return f"At most {high:g} literal is true." if math.isinf(low) else f"At least {low:g} literal is true."


def _method(kind: str, methods: Iterable[str]) -> str:
    """The method that adds one factor of a kind: the longest whose name begins with the kind's, or the other way round."""
    if kind in LOGIC_KINDS:
        return "add_logic"
    names = [name.removeprefix("add_") for name in methods if not name.endswith(("_block", "_arrays"))]
    return "add_" + max((name for name in names if name.startswith(kind) or kind.startswith(f"{name}_")), key=len)


def _signature(function: Any) -> str:
    """Without `self`: how it is called, a parameter per line where one line is too short."""
    signature = inspect.signature(function)
    shown = [re.sub(r"(: )'([^']*)'", r"\1\2", str(each)) for each in list(signature.parameters.values())[1:]]
    inner = ", ".join(shown) if len(", ".join(shown)) < 80 else "".join(f"\n    {each}," for each in shown) + "\n"
    return f"({inner}) -> {signature.return_annotation}"


def _tasks() -> str:
    parts = [
        "# Tasks",
        "A task makes instances, scores structures and turns an instance into a factor graph. Bare factor graphs are the "
        'task `"graph"` in experiments. See [instance files](../instances.md) and [your own task](../own-task.md).',
    ]
    for name in TASKS:
        task = get_task(name)
        own = [solver for solver in sorted(SOLVERS) if name in (solver_class(solver).tasks or ())]
        facts = {
            "default size": (task.default_size or task.sizes[0],),
            "roundings": task.roundings,
            "corpora": task.corpora,
            "metrics": task.metrics,
        }
        rows = [["sizes", with_suffixes(task.sizes)]]
        rows += [[fact, ", ".join(f"`{value}`" for value in values)] for fact, values in facts.items() if values]
        rows.append(["solvers of its own", ", ".join(f"[`{solver}`](solvers.md#{solver})" for solver in own)])
        about = _own_docstring(type(task)) or prose(sys.modules[type(task).__module__].__doc__)
        parts += [f"## {name}", about, table(["property", "values"], [row for row in rows if row[1]])]
    return "\n\n".join(parts) + "\n"


def _experiments() -> str:
    rows = []
    for name in built_in():
        described = read_experiment(name)
        piece = MADE_BY.get(name, name if name.startswith("compare-") else "")
        rows.append(
            [f"`{name}`", described.title, getattr(described, "question", "") or "", f"`{piece}`" if piece else ""]
        )
    return "\n\n".join(
        [
            "# Experiments",
            "`dualbench run NAME` runs one of these; `--dry-run` shows its cells and estimates its time. "
            "[Running experiments](../running.md) describes the format.",
            table(["experiment", "title", "question", "piece that uses it"], rows),
        ]
    )
