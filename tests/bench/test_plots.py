"""Plots: what is drawn against values worked out by hand, the files, and the sentences where there is nothing to draw."""

from __future__ import annotations

import inspect
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_records import incumbent, made_records
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bench.analysis.statistics.progress import primal_gap, progress
from bench.experiments.presentation import bin_names, length_bins
from bench.output.plots import PLOTS, check_plot, draw, make_plot, save
from bench.output.plots.canvas import COLOURS
from bench.output.plots.looks import KINDS, MARKERS, PALETTE, assigned, looks, palette_css
from bench.output.plots.pareto import pareto_front
from bench.records.frame import Records
from problems.errors import InputError


def line(figure: Figure, gid: str, axes: int = 0) -> Line2D:
    found = [drawn for drawn in figure.axes[axes].get_lines() if drawn.get_gid() == gid]
    assert len(found) == 1, gid
    return found[0]


def points(figure: Figure, gid: str, axes: int = 0) -> list[tuple[float, float]]:
    x, y = line(figure, gid, axes).get_data()
    return [(float(a), float(b)) for a, b in zip(x, y, strict=True)]


def legend(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def notes(figure: Figure) -> str:
    return " ".join(text.get_text() for text in figure.texts).replace("\n", " ")


def at(figure: Figure, gid: str, x: float, axes: int = 0) -> float:
    """The value of a drawn step function."""
    drawn = [(a, b) for a, b in points(figure, gid, axes) if a <= x * (1 + 1e-12)]
    return drawn[-1][1]


# Two instances worth 10 and 20, two traced cells of `dual`, one solver that has no trace but an answer.
TRACES = [
    {
        "key": "t1",
        "points": [
            {"seconds": 0.01, "objective": None, "bound": 20.0, "iteration": 1},
            {"seconds": 0.1, "objective": 5.0, "bound": 12.5, "iteration": 10},
            {"seconds": 1.0, "objective": 4.0, "bound": 16.0, "iteration": 100},
        ],
    },
    {
        "key": "t2",
        "points": [
            {"seconds": 0.02, "objective": 10.0, "bound": 40.0, "iteration": 2},
            {"seconds": 2.0, "objective": 20.0, "bound": 20.0, "iteration": 50},
        ],
    },
]


def converging(**changed: Any) -> Records:
    cell = {"solver": "dual", "traced": True, "status": "feasible", "audit": "ok", "repetition": 1}
    rows = [
        {
            **cell,
            "key": "t1",
            "instance": "a",
            "objective": 8.0,
            "bound": 12.5,
            "iterations": 100,
            "solve_seconds": 4.0,
        },
        {
            **cell,
            "key": "t2",
            "instance": "b",
            "objective": 20.0,
            "bound": 20.0,
            "iterations": 50,
            "solve_seconds": 2.0,
        },
        {"solver": "exact", "key": "e1", "instance": "a", "objective": 10.0, "cpu_seconds": 3.0},
        {"solver": "exact", "key": "e2", "instance": "b", "objective": 20.0, "cpu_seconds": 3.0},
    ]
    rows[0] |= changed
    return made_records(rows, TRACES)


def test_convergence_by_hand() -> None:
    figure = make_plot(converging(), "convergence")
    assert [axes.get_xlabel() for axes in figure.axes] == ["time on the solver's clock (s)", "iteration"]
    dual, primal = "dual dual", "dual primal"
    # a: (bound - 10) / bound is 0.5, then 0.2 for good; b: nothing before 0.02, then 0.5, then closed at 2
    assert np.isnan(at(figure, dual, 0.015))  # one of two has no bound yet
    assert at(figure, dual, 0.05) == pytest.approx(0.5)
    assert at(figure, dual, 0.5) == pytest.approx(0.35)
    assert at(figure, dual, 1.5) == pytest.approx(0.35)  # the worse bound of the last point does not count
    assert at(figure, dual, 3.0) == pytest.approx(0.1)
    # a: 5 of 10 from 0.1, 8 of 10 in the end; b: 10 of 20 from 0.02, all of it at 2
    assert np.isnan(at(figure, primal, 0.05))
    assert at(figure, primal, 1.5) == pytest.approx(0.5)
    assert at(figure, primal, 2.5) == pytest.approx(0.25)
    assert at(figure, primal, 4.0) == pytest.approx(0.1)
    assert points(figure, dual)[-1][0] == pytest.approx(4.0)
    # over iterations: b's last point is its 50th
    assert at(figure, dual, 10, axes=1) == pytest.approx((0.2 + 0.5) / 2)
    assert at(figure, dual, 60, axes=1) == pytest.approx(0.1)
    assert line(figure, dual).get_linestyle() == "-"
    assert line(figure, primal).get_linestyle() == "--"
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"
    assert "No trace: exact." in notes(figure)


def test_convergence_agrees_with_the_progress_that_statistics_measure() -> None:
    records = converging()
    figure = make_plot(records, "convergence", x="seconds")
    assert len(figure.axes) == 1
    best = {"a": 10.0, "b": 20.0}
    traces = progress(records)
    for seconds, gap in points(figure, "dual primal"):
        if seconds >= 0.1:  # from where on both have a value; before, the median is infinite and not drawn
            gaps = [primal_gap(incumbent(trace, seconds), best[trace.instance_digest]) for trace in traces]
            assert gap == pytest.approx(np.median(gaps))
        else:
            assert np.isnan(gap)


def test_a_closed_gap_is_drawn_at_the_floor_and_the_note_says_so() -> None:
    records = converging(objective=10.0, bound=10.0)
    figure = make_plot(records, "convergence", x="seconds", floor=1e-4)
    assert at(figure, "dual dual", 4.0) == 1e-4
    assert at(figure, "dual primal", 4.0) == 1e-4
    assert "at most 0.0001 counts as closed" in notes(figure)


def test_band_has_the_quantiles() -> None:
    figure = make_plot(converging(), "convergence", x="seconds", quantiles=[0.0, 1.0])
    band = next(band for band in figure.axes[0].collections)
    heights = band.get_paths()[0].vertices[:, 1]
    assert heights.max() == pytest.approx(0.5)
    assert heights.min() == pytest.approx(1e-6)  # b's gap is closed


def test_a_traced_cell_that_failed_counts_as_never_having_had_a_value() -> None:
    rows = [
        {
            "solver": "s",
            "key": key,
            "instance": key,
            "traced": True,
            "objective": 1.0,
            "bound": 1.0,
            "solve_seconds": 1.0,
        }
        for key in "abc"
    ]
    rows[1] |= {"status": "crash", "objective": None, "bound": None, "solve_seconds": None}
    rows += [{"solver": "other", "key": "o", "instance": "b", "objective": 1.0}]
    trace = [{"key": key, "points": [{"seconds": 0.1, "objective": 0.5, "bound": 2.0, "iteration": 0}]} for key in "ac"]
    figure = make_plot(made_records(rows, trace), "convergence", quantiles=(0.25, 0.9))
    assert len(figure.axes) == 1  # no iterations were counted
    assert at(figure, "s primal", 0.5) == 0.5
    rows[2] |= {"status": "crash", "objective": None, "bound": None, "solve_seconds": None}
    rows += [{"solver": "other", "key": "p", "instance": "c", "objective": 1.0}]
    figure = make_plot(made_records(rows, trace[:1]), "convergence")
    assert np.isnan(at(figure, "s primal", 0.5))  # two of three have nothing: the median has nothing
    figure.savefig(BytesIO(), format="png")  # matplotlib fails on markers of a line without points
    for row in rows[1:3]:
        row["status"] = "skipped"
    figure = make_plot(made_records(rows, trace[:1]), "convergence")
    assert at(figure, "s primal", 0.5) == 0.5  # what was not tried has no part in it


def test_a_wrong_answer_makes_no_progress() -> None:
    figure = make_plot(converging(audit="infeasible"), "convergence", x="seconds", quantiles=(0.0, 1.0))
    assert np.isnan(points(figure, "dual dual")[-1][1])  # a has nothing, so the median of two has nothing


def test_convergence_without_data() -> None:
    plain = made_records([{"solver": "s", "objective": 1.0}])
    with pytest.raises(InputError, match="no traced cells; set trace = true in the experiment, or race with --plot"):
        make_plot(plain, "convergence")
    unknown = converging().drop(index=[2, 3])
    unknown["objective"] = np.nan
    with pytest.raises(InputError, match="no trace has values"):
        make_plot(unknown, "convergence")


def power_law(exponent: float, factor: float, noise: float = 0.0, label: str = "s") -> list[dict[str, Any]]:
    random = np.random.default_rng(5)
    return [
        {
            "solver": label,
            "instance": f"i{size}",
            "instance_size": size,
            "cpu_seconds": factor * size**exponent * float(np.exp(noise * random.normal())),
            "objective": 1.0,
        }
        for size in (10, 20, 40, 80, 160, 320)
    ]


def test_scaling_shows_points_fit_and_failures() -> None:
    rows = [*power_law(2.0, 1e-4), *power_law(1.0, 1e-3, label="t")]
    rows[5] |= {"status": "timeout", "objective": None, "cpu_seconds": 60.0}
    figure = make_plot(made_records(rows), "scaling")
    assert points(figure, "s") == [(row["instance_size"], pytest.approx(row["cpu_seconds"])) for row in rows[:5]]
    assert points(figure, "s failed") == [(320.0, 60.0)]
    fit = points(figure, "t fit")
    assert fit == [(10.0, pytest.approx(0.01)), (320.0, pytest.approx(0.32))]
    assert legend(figure)[1:] == ["t: n^1.00 [1.00, 1.00]", "no valid answer (limit 60 s)"]
    assert legend(figure)[0].startswith("s: n^2.36 [1.")  # the limit counts as a time
    assert "exponents tend to be too small" in notes(figure)
    assert figure.axes[0].get_ylabel() == "CPU time (s)"


def test_scaling_leaves_out_sizes_that_were_mostly_stopped_and_uses_lengths() -> None:
    rows = [*power_law(2.0, 1e-4), *power_law(1.0, 1e-3, label="t")]
    for row in rows:
        row |= {"length": row["instance_size"] / 10, "size": str(row["instance_size"])}
    rows[5] |= {"status": "timeout", "objective": None, "cpu_seconds": 60.0}
    figure = make_plot(made_records(rows), "scaling")
    assert len(figure.axes) == 1  # all sizes together
    assert figure.axes[0].get_xlabel() == "sentence length (words)"
    assert legend(figure)[0] == "s: n^2.00 [2.00, 2.00], 1 not answered"
    assert points(figure, "s fit") == [(1.0, pytest.approx(0.01)), (16.0, pytest.approx(2.56))]
    assert "Not in the fit of s: 320 (mostly stopped)." in notes(figure)


def test_scaling_uses_the_median_of_untraced_repetitions_and_wall_time() -> None:
    rows = [
        {"instance_size": 5, "repetition": r, "wall_seconds": s, "objective": 1.0}
        for r, s in enumerate((1.0, 2.0, 9.0))
    ]
    rows.append({"instance_size": 5, "repetition": 3, "wall_seconds": 100.0, "traced": True})
    figure = make_plot(made_records(rows), "scaling", time="wall")
    assert points(figure, "s") == [(5.0, 2.0)]
    assert legend(figure) == ["s: no fit"]
    assert figure.axes[0].get_ylabel() == "wall-clock time (s)"


def test_scaling_without_data() -> None:
    with pytest.raises(InputError, match="instance_size above 0"):
        make_plot(made_records([{"cpu_seconds": 1.0}]), "scaling")
    with pytest.raises(InputError, match="valid answer"):
        make_plot(made_records([{"status": "crash", "instance_size": 4}]), "scaling")


def race() -> Records:
    """x: 1, 1, 1, unsolved; y: 2, 1, 4, unsolved."""
    rows = []
    for instance, x, y in (("a", 1.0, 2.0), ("b", 1.0, 1.0), ("c", 1.0, 4.0), ("d", 7.0, 60.0)):
        rows.append({"solver": "x", "instance": instance, "cpu_seconds": x, "objective": 8.0, "length": 5})
        rows.append({"solver": "y", "instance": instance, "cpu_seconds": y, "objective": 10.0, "length": 15})
    rows[-2] |= {"status": "feasible"}
    rows[-1] |= {"status": "timeout", "objective": None}
    for row in rows:
        if row["instance"] != "d":
            row["bound"] = row["objective"] = 10.0
    return made_records(rows)


def test_profile_steps() -> None:
    figure = make_plot(race(), "profile")
    assert points(figure, "x")[:1] == [(1.0, 0.75)]
    assert points(figure, "y")[:-1] == [(1.0, 0.25), (2.0, 0.5), (4.0, 0.75)]
    assert points(figure, "y")[-1] == (figure.axes[0].get_xlim()[1], 0.75)
    assert line(figure, "y").get_drawstyle() == "steps-post"
    assert legend(figure) == ["x (75%)", "y (75%)"]
    valid = make_plot(race(), "profile", target="any")
    assert points(valid, "x")[0] == (1.0, 1.0)


def test_profile_for_a_target_is_from_traces_and_else_from_the_end() -> None:
    """`dual` comes within 25 % of the best after 4 s on a and 2 s on b; `exact` has no traced repetition and ends after 3 s."""
    figure = make_plot(converging(), "profile", target=0.25)
    assert points(figure, "exact")[:-1] == [(1.0, 0.5), (1.5, 1.0)]
    assert points(figure, "dual")[:-1] == [(1.0, 0.5), (pytest.approx(4 / 3), 1.0)]
    assert "within 25 % of the best known objective" in notes(figure)
    strict = make_plot(converging(), "profile", target=0.001)
    assert legend(strict) == ["dual (50%)", "exact (100%)"]


def sized(sizes: list[str]) -> Records:
    """`x` and `y` on two instances of each size; y is as many times slower as the size has a place, from 2."""
    rows = [
        {"solver": solver, "instance": f"{size}-{n}", "size": size, "cpu_seconds": seconds, "objective": 1.0}
        for place, size in enumerate(sizes)
        for n in range(2)
        for solver, seconds in (("x", 1.0), ("y", 2.0 + place))
    ]
    return made_records(rows)


def test_each_size_has_a_panel_of_its_own() -> None:
    figure = make_plot(sized(["100", "20", "50"]), "profile")
    assert [axes.get_title() for axes in figure.axes] == ["size 20", "size 50", "size 100", ""]
    assert [points(figure, "y", place)[1] for place in range(3)] == [(3.0, 1.0), (4.0, 1.0), (2.0, 1.0)]
    assert not figure.axes[3].axison
    assert legend(figure) == ["x", "y"]  # once, not for each panel
    dots = make_plot(sized(["100", "20", "50"]), "pareto", average="mean")
    assert [points(dots, "y", place)[0][0] for place in range(3)] == [3.0, 4.0, 2.0]


def test_of_many_sizes_the_first_the_last_and_two_between_are_shown() -> None:
    figure = make_plot(sized([str(size) for size in range(1, 9)]), "profile")
    assert [axes.get_title() for axes in figure.axes] == ["size 1", "size 3", "size 6", "size 8"]
    assert "Without a panel: 2, 4, 5, 7." in notes(figure)


def test_a_size_without_data_has_no_panel() -> None:
    records = sized(["small", "large"])
    records.loc[records["size"] == "large", "status"] = "timeout"
    figure = make_plot(records, "profile")
    assert len(figure.axes) == 1
    assert "Without a panel: large." in notes(figure)


def test_convergence_has_a_row_of_panels_for_each_size() -> None:
    records = converging()
    records["size"] = ["big" if name == "b" else "tiny" for name in records["instance"]]
    figure = make_plot(records, "convergence")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["size tiny", "", "size big", ""]
    assert at(figure, "dual dual", 1.5, axes=0) == pytest.approx(0.2)
    assert at(figure, "dual dual", 1.5, axes=2) == pytest.approx(0.5)


def test_tasks_are_never_drawn_together() -> None:
    records = sized(["", ""])
    records["task"] = ["parsing"] * 4 + ["extraction"] * 4
    records["instance_size"] = [3, 3, 6, 6] * 2
    for kind in ("profile", "scaling", "pareto"):
        assert [axes.get_title() for axes in make_plot(records, kind).axes] == ["parsing", "extraction"]


def test_profile_without_data() -> None:
    with pytest.raises(InputError, match="no cell is solved"):
        make_plot(made_records([{"status": "timeout"}]), "profile")
    rows = [{"solver": "x", "instance": "a", "cpu_seconds": 1.0}, {"solver": "y", "instance": "b", "cpu_seconds": 1.0}]
    with pytest.raises(InputError, match="no instance that every solver has tried"):
        make_plot(made_records(rows), "profile")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_pareto_front_is_what_nothing_dominates(pairs: list[tuple[int, int]]) -> None:
    front = {tuple(map(float, pairs[place])) for place in pareto_front(pairs)}
    assert front
    best = -1
    expected = set()
    for time in sorted({time for time, _ in pairs}):  # sweep: on the front iff better than everything faster
        quality = max(quality for own, quality in pairs if own == time)
        if quality > best:
            expected.add((float(time), float(quality)))
            best = quality
    assert front == expected


def test_pareto_points_and_front() -> None:
    rows = [
        {
            "solver": name,
            "cpu_seconds": seconds,
            "objective": value,
            "status": "feasible",
            "metrics": {"F1": value / 20},
        }
        for name, seconds, value in (("quick", 0.1, 5.0), ("dull", 0.5, 4.0), ("best", 2.0, 10.0))
    ]
    rows += [{"solver": "broken", "status": "crash"}]
    figure = make_plot(made_records(rows), "pareto", average="mean")
    assert points(figure, "quick") == [(0.1, 50.0)]
    assert points(figure, "dull") == [(0.5, 40.0)]
    assert points(figure, "front") == [(0.1, 50.0), (2.0, 100.0)]
    assert "Nothing to draw: broken." in notes(figure)
    named = make_plot(made_records(rows), "pareto", quality="F1", average="median")
    assert points(named, "best") == [(2.0, 0.5)]
    assert named.axes[0].get_ylabel() == "mean F1"
    shares = [row | {"metrics": {"UAS": 0.5}} for row in rows if "metrics" in row]
    named = make_plot(made_records(shares), "pareto", quality="UAS", average="median")
    assert points(named, "best") == [(2.0, 50.0)]
    assert named.axes[0].get_ylabel() == "mean UAS %"


def test_a_solver_that_failed_somewhere_is_hollow_and_not_on_the_front() -> None:
    figure = make_plot(race(), "pareto")
    assert legend(figure) == ["x", "y (1 not answered)"]
    assert line(figure, "y").get_markerfacecolor() == "white"
    assert line(figure, "x").get_markerfacecolor() != "white"
    assert not [drawn for drawn in figure.axes[0].get_lines() if drawn.get_gid() == "front"]  # of one point
    assert "Hollow" in notes(figure)


def test_pareto_without_data() -> None:
    with pytest.raises(InputError, match=r"unknown quality 'F2' of plot 'pareto': valid names are F1, objective\."):
        make_plot(made_records([{"metrics": {"F1": 1.0}, "cpu_seconds": 1.0}]), "pareto", quality="F2")
    with pytest.raises(InputError, match="no solver has both a time and a value of 'objective'"):
        make_plot(made_records([{"status": "crash"}]), "pareto")


def test_length_bins() -> None:
    assert bin_names() == ["1-10", "11-20", "21-30", "31-40", "41+"]
    assert length_bins(np.array([1, 10, 11, 20, 21, 40, 41, 99.0])).tolist() == [0, 0, 1, 1, 2, 3, 4, 4]
    assert bin_names((5,)) == ["1-5", "6+"]
    for bad in ((), (0, 3), (5, 5), (7, 3), (2.5,)):
        with pytest.raises(InputError, match="rising whole numbers"):
            bin_names(bad)


def test_bins_by_hand() -> None:
    rows = [
        {"solver": "s", "instance": f"i{place}", "length": length, "cpu_seconds": seconds, "objective": 1.0}
        for place, (length, seconds) in enumerate([(3, 1.0), (10, 2.0), (7, 30.0), (11, 5.0), (45, 8.0)])
    ]
    rows.append({"solver": "s", "instance": "f", "length": 50, "status": "timeout"})
    figure = make_plot(made_records(rows), "bins")
    x, y = line(figure, "s").get_data()
    assert list(x) == [0, 1, 2]  # bins without a sentence are left out
    assert list(y) == [2.0, 5.0, (8.0 + 60.0) / 2]  # the failed one counts as its limit
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == [
        "1-10\n(n=3)",
        "11-20\n(n=1)",
        "41+\n(n=2)",
    ]
    assert "1 cells did not end" in notes(figure)
    assert figure.axes[0].get_yscale() == "log"
    other = make_plot(made_records(rows), "bins", edges=[20], log=False)
    assert [text.get_text() for text in other.axes[0].get_xticklabels()] == ["1-20\n(n=4)", "21+\n(n=2)"]


@pytest.mark.parametrize("kind", ["bins", "scaling"])
def test_a_skipped_cell_has_no_time_not_even_its_limit(kind: str) -> None:
    rows = [
        {"solver": name, "instance": f"i{place}", "length": 5 * place, "instance_size": place, "objective": 1.0}
        | {"cpu_seconds": 0.1 * place}
        for name in ("s", "t")
        for place in (1, 2, 3, 4)
    ]
    for row in rows[:3]:
        row |= {"status": "skipped", "cpu_seconds": None, "objective": None}
    figure = make_plot(made_records(rows), kind)
    drawn = [y for part in figure.axes[0].get_lines() for y in np.atleast_1d(part.get_ydata())]
    assert max(drawn) < 10.0  # the limit is 60 s
    assert "did not end" not in notes(figure)
    assert ("3 cells were skipped" in notes(figure)) == (kind == "bins")
    assert not [name for name in legend(figure) if "no valid answer" in name]


def test_bins_of_failed_cells_without_a_limit_are_left_out() -> None:
    rows = [
        {"solver": "s", "instance": "a", "length": 3, "cpu_seconds": 1.0, "limits": {}},
        {"solver": "s", "instance": "b", "length": 13, "cpu_seconds": 1.0, "limits": {}},
        {"solver": "s", "instance": "c", "length": 14, "status": "crash", "limits": {}},
    ]
    figure = make_plot(made_records(rows), "bins")
    assert points(figure, "s") == [(0.0, 1.0)]
    assert "left out" in notes(figure)


def test_bins_without_data() -> None:
    with pytest.raises(InputError, match="no cell has a length"):
        make_plot(made_records([{"cpu_seconds": 1.0}]), "bins")
    with pytest.raises(InputError, match="no cell with a length ended"):
        make_plot(made_records([{"length": 4, "status": "crash"}]), "bins")


def all_kinds() -> Records:
    rows = [*power_law(2.0, 1e-4, label="ad3 max_iterations=200"), *power_law(1.0, 1e-3, label="t")]
    for place, row in enumerate(rows):
        row["length"] = 7 * (place % 6) + 3
        row["key"] = f"k{place}"
    traced = {**rows[0], "key": "traced", "traced": True, "repetition": 1, "bound": 1.0, "solve_seconds": 0.2}
    trace = {"key": "traced", "points": [{"seconds": 0.1, "objective": 0.5, "bound": 2.0, "iteration": 3}]}
    return made_records([*rows, traced], [trace])


@pytest.mark.parametrize("kind", sorted(PLOTS))
def test_files_repeat_byte_by_byte(kind: str, tmp_path: Path) -> None:
    formats = ["png", "svg", "pdf"] if kind == "scaling" else ["svg"]  # the one with random names unless it is told
    first = save(make_plot(all_kinds(), kind), tmp_path / "first" / kind, formats)
    second = save(make_plot(all_kinds(), kind), tmp_path / "second" / kind, formats)
    assert [path.name for path in first] == [f"{kind}.{name}" for name in formats]
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for name, one, two in zip(formats, first, second, strict=True):
        assert one.read_bytes().startswith(starts[name])
        assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("kind", sorted(PLOTS))
def test_legend_and_notes_cover_no_axes_and_nothing_is_cut_off(kind: str) -> None:
    figure = make_plot(all_kinds(), kind)
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    below = [*figure.legends, *figure.texts]
    page = figure.bbox
    for axes in figure.axes:
        area = axes.get_tightbbox(renderer)
        assert area.x0 >= page.x0 - 1
        assert area.x1 <= page.x1 + 1
        assert area.y1 <= page.y1 + 1
        for artist in below:
            box = artist.get_window_extent(renderer)
            assert box.y1 <= area.y0 + 1
            assert box.y0 >= page.y0 - 1
            assert box.x0 >= page.x0 - 1
            assert box.x1 <= page.x1 + 1
    assert figure.legends[0].get_window_extent(renderer).y0 >= figure.texts[0].get_window_extent(renderer).y1 - 1


def test_user_settings_do_not_change_a_figure(tmp_path: Path) -> None:
    import matplotlib

    plain = save(make_plot(all_kinds(), "profile"), tmp_path / "plain", ["png"])[0].read_bytes()
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "lines.linewidth": 9}):
        changed = save(make_plot(all_kinds(), "profile"), tmp_path / "changed", ["png"])[0].read_bytes()
        assert matplotlib.rcParams["font.size"] == 30
    assert plain == changed


def test_no_global_state() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests/support'); from made_records import made_records; "
        ""
        "from bench.output.plots import make_plot; make_plot(made_records([{'cpu_seconds': 1.0}]), 'profile'); "
        "print('matplotlib.pyplot' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_importing_the_package_loads_no_matplotlib() -> None:
    code = (
        "import sys, bench.output.plots, bench.output.report; print(*{name.partition('.')[0] for name in sys.modules})"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"matplotlib", "scipy"} & set(loaded)


def test_looks_never_repeat_and_the_experiment_comes_first() -> None:
    rows = [{"solver": f"s{number}"} for number in range(60)]
    records = made_records(rows, experiment={"solvers": [{"label": "s7"}, {"label": "absent"}, {"label": "s3"}]})
    found = looks(records)
    assert list(found)[:3] == ["s7", "s3", "s0"]
    assert len({(look.color, look.marker) for look in found.values()}) == len(rows)
    assert len(set(PALETTE)) == len(PALETTE) == len({light for light, _ in PALETTE})
    assert "x" not in [marker.lower() for marker in MARKERS]  # a cross is a failed cell


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([name for kind in KINDS for name in kind.members]), unique=True), st.randoms())
def test_a_known_solver_looks_the_same_whoever_stands_beside_it(others: list[str], chance: Any) -> None:
    alone = {name: assigned([name])[name] for name in others}
    mixed = [*others, "a plug-in", "another one"]
    chance.shuffle(mixed)
    found = assigned(mixed)
    assert {name: found[name] for name in others} == alone
    assert len(set(found.values())) == len(mixed)
    assert all(look.linestyle == "-" for look in found.values())


def test_labels_of_one_solver_share_its_colour() -> None:
    found = assigned({"ad3, paper": "ad3", "ad3": "ad3", "ad3, search": "ad3", "ilp-glpk": "ilp-glpk"})
    assert len({found[label].color for label in ("ad3, paper", "ad3", "ad3, search")}) == 1
    assert found["ad3"] == assigned(["ad3"])["ad3"]
    assert len(set(found.values())) == 4
    steps = assigned({f"ad3, step {step}": "ad3" for step in range(5)})  # here the solver says nothing
    assert len({look.color for look in steps.values()}) == 5


def test_figures_of_the_papers_have_the_colours_of_their_solvers() -> None:
    assert COLOURS[0] == assigned(["ad3"])["ad3"].color
    assert COLOURS[2] == assigned(["subgradient"])["subgradient"].color
    assert len(set(COLOURS)) == 7


def test_the_page_has_every_colour_light_and_dark() -> None:
    css = palette_css()
    for place, (light, dark) in enumerate(PALETTE):
        assert f".k{place} {{" in css
        assert css.index(f"--k{place}: {light};") < css.index("prefers-color-scheme: dark")
        assert css.rindex(f"--k{place}: {dark};") > css.index("prefers-color-scheme: dark")


@pytest.mark.parametrize(("side", "back"), [(0, 1.0), (1, 0.0085)])
def test_colours_stand_out_from_their_page(side: int, back: float) -> None:
    from matplotlib.colors import to_rgb

    for colours in PALETTE:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colours[side])]
        low, high = sorted([back, float(np.dot([0.2126, 0.7152, 0.0722], linear))])
        assert (high + 0.05) / (low + 0.05) > (2, 4)[side], colours  # the yellow of Okabe and Ito has 1.3 on white


def test_draw_names_files_by_kind_and_complains_last(tmp_path: Path) -> None:
    untraced = made_records([{"cpu_seconds": 1.0}])
    plots = [{"kind": "profile"}, {"kind": "profile", "target": "any"}]
    written = draw(untraced, plots, tmp_path / "plots")
    assert [path.name for path in written] == [
        f"{stem}.{suffix}" for stem in ("profile", "profile-2") for suffix in ("png", "svg", "pdf")
    ]
    with pytest.raises(InputError, match="no traced cells"):
        draw(untraced, [{"kind": "convergence"}, {"kind": "profile"}], tmp_path / "more")
    assert (tmp_path / "more" / "profile.png").exists()
    with pytest.raises(InputError, match="unknown plot"):
        draw(untraced, [{"kind": "profile"}, {"kind": "pie"}], tmp_path / "none")
    assert not (tmp_path / "none").exists()  # complaints that need no records come first


def test_unwritable_folder_and_unknown_format(tmp_path: Path) -> None:
    figure = make_plot(all_kinds(), "profile")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        save(figure, tmp_path / "file" / "plot")
    with pytest.raises(InputError, match="unknown format 'pgn' of a plot: did you mean 'png'"):
        save(figure, tmp_path / "plot", ["pgn"])


@pytest.mark.parametrize(
    ("plot", "sentence"),
    [
        ({"kind": "profil"}, "unknown plot 'profil': did you mean 'profile'?"),
        ({}, "a plot needs a kind: valid names are bins, convergence, pareto, profile, scaling."),
        ({"kind": "profile", "tme": "cpu"}, "unknown option 'tme' of plot 'profile': did you mean 'time'?"),
        ({"kind": "profile", "time": "gpu"}, "unknown time 'gpu' of plot 'profile': did you mean 'cpu'?"),
        ({"kind": "convergence", "x": "second"}, "unknown x 'second' of plot 'convergence': did you mean 'seconds'?"),
        ({"kind": "convergence", "floor": 2}, "option 'floor' of plot 'convergence' must be between 0 and 1, not 2."),
        (
            {"kind": "convergence", "quantiles": [0.9, 0.1]},
            "option 'quantiles' of plot 'convergence' must be two rising shares of 1, not [0.9, 0.1].",
        ),
        (
            {"kind": "bins", "edges": "10"},
            "option 'edges' of plot 'bins' must be rising whole numbers above 0, not '10'.",
        ),
        (
            {"kind": "profile", "target": "auto"},
            "option 'target' of plot 'profile' must be 'optimal', 'any' or a share between 0 and 1, not 'auto'.",
        ),
        ({"kind": "bins", "log": 1}, "option 'log' of plot 'bins' must be true or false, not 1."),
    ],
)
def test_bad_plots_are_refused(plot: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        check_plot(plot)
    assert str(caught.value) == sentence


def test_every_option_of_every_plot_is_checked() -> None:
    for kind, plot in PLOTS.items():
        parameters = inspect.signature(plot).parameters.values()
        for option in [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]:
            with pytest.raises(InputError):
                check_plot({"kind": kind, option: None})


def test_several_machines_and_no_records() -> None:
    rows = [{"solver": node, "node": node, "cpu_seconds": 1.0, "length": 3, "instance_size": 3} for node in "ab"]
    for kind in ("scaling", "profile", "pareto", "bins"):
        with pytest.raises(InputError, match=r"several machines \(a, b\)"):
            make_plot(made_records(rows), kind)
    make_plot(made_records(rows), "profile", mix_nodes=True)
    with pytest.raises(InputError, match="the run has no records"):
        make_plot(made_records([]), "profile")
