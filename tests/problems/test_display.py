"""What objects say of themselves: one short line, whatever they hold, and HTML that nothing can break out of."""

from __future__ import annotations

import dataclasses
import math
import re
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems import TASKS, get_task
from problems.display import LONGEST_NAME, facts_table, many, short_line
from problems.factor_graph import FactorGraph
from solvers import get_solver
from solvers.base import Solution


@pytest.mark.parametrize("task", sorted(TASKS))
def test_an_instance_is_one_short_line(task: str) -> None:
    chosen = get_task(task)
    instance = chosen.generate(seed=3)
    said = repr(instance)
    assert len(said) < 200
    assert "\n" not in said
    assert type(instance).__name__ in said
    assert repr(instance.name) in said
    named = dataclasses.replace(instance, name="x" * 10_000)
    assert len(repr(named)) < 250


def test_a_parsing_instance_and_a_graph() -> None:
    instance = get_task("parsing").generate(seed=3, size="tiny")
    expected = f"{len(instance.words)} words, {len(instance.heads)} candidate arcs, order {instance.order}"
    assert repr(instance) == f"<ParsingInstance {instance.name!r}: {expected}>"
    graph = FactorGraph()
    graph.add_budget(graph.add_variables([1.0, 2.0]), 1)
    assert repr(graph) == "<FactorGraph: 2 variables, 1 factor>"


def test_a_solution() -> None:
    graph = FactorGraph()
    graph.add_budget(graph.add_variables([1.0, 2.0]), 1)
    found = get_solver("ilp-glpk").solve(graph)
    assert repr(found) == "<Solution: optimal, objective 2, bound 2, gap 0.00%>"
    page = found._repr_html_()
    assert page.startswith("<table>")
    assert "optimal" in page
    assert repr(Solution("timeout")) == "<Solution: timeout>"
    hostile = Solution("feasible", structure="<script>" * 1000, message="<b>", objective=math.nan)
    assert "<script>" not in hostile._repr_html_()
    assert "<b>" not in hostile._repr_html_()
    assert len(hostile._repr_html_()) < 3000


@given(st.text(), st.text(), st.lists(st.tuples(st.text(), st.text())))
def test_no_text_is_taken_as_html(name: str, title: str, facts: list[tuple[str, str]]) -> None:
    assert len(short_line(object(), name, "a")) < 12 * LONGEST_NAME
    tags = re.findall(r"<\s*/?\s*(\w*)", facts_table(title, facts))
    assert set(tags) <= {"table", "caption", "tbody", "tr", "th", "td"}


def test_counts() -> None:
    assert [many(count, "word") for count in (0, 1, 2000)] == ["0 words", "1 word", "2,000 words"]


@pytest.mark.parametrize("task", sorted(TASKS))
def test_instances_show_themselves_in_notebooks(task: str) -> None:
    instance = get_task(task).generate(seed=3)
    page = instance._repr_html_()
    assert page.startswith("<table>")
    assert instance.name in page
    assert len(page) < 1500
    if text := tuple(getattr(instance, "words", ())):
        assert escape(" ".join(text)[:20]) in page


def test_a_graph_shows_its_factors() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0, 3.0])
    graph.add_budget(x, 1)
    graph.add_pair_block([x[0], x[1], x[1], x[2]], [0.1, 0.2])
    page = graph._repr_html_()
    for said in ("3 variables, 3 factors", ">budget<", ">1 factor<", ">pair<", ">2 factors<"):
        assert said in page


def test_a_task_says_what_it_is() -> None:
    task = get_task("parsing")
    assert repr(task) == f"<ParsingTask 'parsing': {len(task.sizes)} sizes, default {task.default_size}>"


def test_types_are_exported() -> None:
    """Without loading them with the package."""
    code = (
        "import sys, problems, bench; assert not {'pandas', 'numba', 'scipy'} & set(sys.modules)\n"
        "from problems import FactorGraph, Task; from bench import Records\n"
        "assert {'FactorGraph', 'Task'} <= set(problems.__all__) and 'Records' in bench.__all__\n"
        "assert isinstance(problems.get_task('parsing'), Task)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
