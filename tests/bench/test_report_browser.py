"""The report in a real browser: headless Chromium, offline. These tests say so when there is no Chromium."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import offline_browser
from made_records import made_records

from bench.output.plots.looks import PALETTE, assigned
from bench.output.report import write_report

pytestmark = pytest.mark.slow

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
SPEED = {"fast": 1.0, "slow": 4.0, "odd <b>one</b>": 2.0}


def rows_of(instances: int, repetitions: int = 1) -> list[dict[str, Any]]:
    """Three solvers on two tasks and two sizes; `odd` crashes on the first instance of each."""
    rows = []
    for task in ("extraction", "summarization"):
        for place in range(instances):
            for solver, factor in SPEED.items():
                for repetition in range(repetitions):
                    row = {"task": task, "size": ("small", "large")[place % 2], "instance": f"{task} {place}"}
                    row |= {"solver": solver, "repetition": repetition, "instance_size": 10 * (place + 1)}
                    row |= {"objective": 5.0, "bound": 5.0, "metrics": {"ROUGE-2": 0.1 * factor}, "node": "box"}
                    row |= {"cpu_seconds": factor * (place + 1), "wall_seconds": factor * (place + 1)}
                    if solver.startswith("odd") and place == 0:
                        row |= {"status": "crash", "message": HOSTILE, "cpu_seconds": None, "objective": None}
                        row |= {"bound": None, "audit": "", "metrics": {}}
                    rows.append(row)
    return rows


def traced(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A traced repetition of `fast` and `slow` on every instance, and its points."""
    traces = []
    for row in [row for row in rows if not row["solver"].startswith("odd")]:
        points = [
            {"seconds": row["cpu_seconds"] * s / 5, "objective": 5.0 - 2 / s, "bound": 5.0 + 3 / s, "iteration": s}
            for s in range(1, 6)
        ]
        traces.append({"key": f"cell{len(rows)}", "points": points})
        rows.append({**row, "repetition": 9, "traced": True})
    return traces


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from offline_browser()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = rows_of(6)
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(made_records(rows, traced(rows)), path)
    return path


class Page:
    """What a reader sees and does."""

    def __init__(self, browser: Any, path: Path) -> None:
        self.browser = browser
        browser.get_log("browser")
        browser.get_log("performance")
        browser.get(path.as_uri())

    def script(self, code: str, *values: Any) -> Any:
        return self.browser.execute_script(code, *values)

    def all(self, selector: str) -> list[Any]:
        return self.browser.find_elements("css selector", selector)

    def shown(self, selector: str) -> list[Any]:
        return [element for element in self.all(selector) if element.is_displayed()]

    def click(self, selector: str) -> None:
        element = self.shown(selector)[0]
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def choose(self, name: str, text: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.shown(f"select[name={name}]")[0]).select_by_visible_text(text)

    def column(self, selector: str, place: int) -> list[str]:
        rows = [row for row in self.all(selector) if row.is_displayed()]
        return [row.find_elements("css selector", "th, td")[place].text for row in rows]

    def series(self, figure: str) -> set[str]:
        """Names of the series drawn in the first visible figure of a kind."""
        (first, *_) = self.shown(f"figure[data-figure={figure}]")
        return {group.get_attribute("data-series") for group in first.find_elements("css selector", "g.series")}

    def count(self) -> str:
        return self.all("#cell-count")[0].text


@pytest.fixture
def page(browser: Any, report: Path) -> Page:
    browser.set_window_size(1200, 900)
    return Page(browser, report)


def test_loads_offline_without_errors_and_without_asking_for_anything(page: Page) -> None:
    assert page.browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in page.browser.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert {url.partition(":")[0] for url in asked} <= {"file"}
    assert len(set(asked)) == 1
    kinds = {figure.get_attribute("data-figure") for figure in page.shown("figure")}
    assert kinds == {"scaling", "profile", "pareto", "convergence"}
    assert len(page.shown("figure svg .series")) > 8


def test_without_traces_there_is_no_convergence_figure(browser: Any, tmp_path: Path) -> None:
    write_report(made_records(rows_of(2)), tmp_path / "untraced.html")
    page = Page(browser, tmp_path / "untraced.html")
    assert {figure.get_attribute("data-figure") for figure in page.all("figure")} == {"scaling", "profile", "pareto"}
    assert page.browser.get_log("browser") == []


def test_texts_of_records_are_inert(page: Page) -> None:
    assert page.script("return window.hacked === undefined")
    assert HOSTILE in page.all("#failures")[0].text
    assert page.all("img") == []
    assert "odd <b>one</b>" in {button.text for button in page.shown(".legend button")}


def test_filters_hide_rows_points_and_cells(page: Page) -> None:
    body = "#summary tbody tr"
    assert page.column(body, 1) == ["extraction"] * 6 + ["summarization"] * 6
    assert page.column(body, 2) == (["small"] * 3 + ["large"] * 3) * 2
    assert page.column(body, 3) == ["3"] * 12  # no row is of two sizes
    page.choose("task", "summarization")
    assert page.column(body, 1) == ["summarization"] * 6
    assert len(page.shown("figure")) == 4
    page.choose("size", "large")
    assert page.column(body, 2) == ["large"] * 3
    assert [head.text for head in page.shown("section[aria-labelledby=headline-heading] h3")] == [
        "summarization, size large"
    ]
    page.click("input[name=label][value='1']")
    assert page.column(body, 0) == ["fast", "odd <b>one</b>"]
    assert page.count() == "1\N{EN DASH}9 of 9 cells"  # 3 instances: fast and odd, and fast traced
    page.click("#filters button[type=reset]")
    page.script("return new Promise((done) => setTimeout(done))")  # the page refreshes after the form is reset
    assert len(page.shown(body)) == 12
    assert page.count() == "1\N{EN DASH}50 of 60 cells"


def test_figures_show_one_size_and_another_one_where_it_is_chosen(page: Page) -> None:
    captions = lambda: [caption.text for caption in page.shown("figure[data-task='0'] figcaption")]  # noqa: E731
    named = ["Performance profile", "Quality against time", "Convergence"]
    assert captions() == ["Runtime against instance size", *(f"{name}, size large" for name in named)]
    profile = page.shown("figure[data-figure=profile]")[0]
    page.choose("panel", "small")  # of the first figure that has the choice
    assert captions()[1:] == ["Performance profile, size small", *(f"{name}, size large" for name in named[1:])]
    assert "odd <b>one</b>" in {
        group.get_attribute("data-series") for group in profile.find_elements("css selector", "g.series")
    }
    page.choose("size", "large")  # the filter of the page
    assert captions()[1:] == [f"{name}, size large" for name in named]
    assert page.shown("select[name=panel]") == []
    marks = "figure[data-figure=scaling][data-task='0'] g.series[data-series=fast] .mark"
    assert len(page.all(marks)) == 3
    page.choose("size", "all sizes")
    assert len(page.all(marks)) == 6


def test_status_filter_hides_failures_and_their_points(page: Page) -> None:
    points = "figure[data-figure=scaling][data-task='0'] .mark.failed"
    assert len(page.all(points)) == 1
    assert len(page.shown("#failures tbody tr")) == 2
    label = next(label for label in page.shown("#filters label") if label.text.startswith("crash"))
    assert label.text == "crash (2)"
    label.click()
    assert page.all(points) == []
    assert page.shown("#failures tbody tr") == []
    assert page.count().endswith("of 58 cells")


def test_a_click_in_a_legend_hides_that_solver_everywhere_and_brings_it_back(page: Page) -> None:
    for figure in ("scaling", "profile", "pareto", "convergence"):
        assert {"fast", "slow"} <= page.series(figure)
    button = "figure[data-figure=profile] .legend button[data-label='1']"
    page.click(button)
    for figure in ("scaling", "profile", "pareto", "convergence"):
        assert "slow" not in page.series(figure)
        assert "fast" in page.series(figure)
    assert page.all(button)[0].get_attribute("aria-pressed") == "false"
    assert not page.all("input[name=label][value='1']")[0].is_selected()
    page.click(button)
    assert "slow" in page.series("scaling")


def test_hover_shows_the_values_of_the_nearest_point(page: Page) -> None:
    from selenium.webdriver import ActionChains

    tooltip = page.all("#tooltip")[0]
    assert not tooltip.is_displayed()
    svg = page.shown("figure[data-figure=scaling] svg")[0]
    page.script("arguments[0].scrollIntoView({block: 'center'})", svg)
    mark = svg.find_elements("css selector", "g.series[data-series=slow] .mark")[2]
    ActionChains(page.browser).move_to_element(mark).perform()
    assert tooltip.is_displayed()
    assert tooltip.text.splitlines() == ["slow", "extraction 2", "size 30", "12 s (optimal)"]
    ActionChains(page.browser).move_to_element(page.all("h1")[0]).perform()
    assert not tooltip.is_displayed()


def test_arrow_keys_walk_through_the_points(page: Page) -> None:
    svg = page.shown("figure[data-figure=pareto] svg")[0]
    page.script("arguments[0].focus()", svg)
    svg.send_keys("\ue014")  # arrow right
    first = page.all("#tooltip")[0].text
    svg.send_keys("\ue014")
    assert first
    assert page.all("#tooltip")[0].text not in ("", first)
    svg.send_keys("\ue00c")  # escape
    assert not page.all("#tooltip")[0].is_displayed()


def test_tables_sort_in_both_directions_with_missing_values_last(page: Page) -> None:
    page.choose("task", "extraction")
    page.choose("size", "small")
    heads = [head.text.strip(" ↕↑↓") for head in page.shown("#summary thead th")]
    place = heads.index("median s")
    head = f"#summary thead th:nth-child({place + 1})"
    page.click(f"{head} button")
    assert page.column("#summary tbody tr", 0) == ["fast", "odd <b>one</b>", "slow"]
    assert page.all(head)[0].get_attribute("aria-sort") == "ascending"
    page.click(f"{head} button")
    assert page.column("#summary tbody tr", 0) == ["slow", "odd <b>one</b>", "fast"]

    page.choose("task", "all tasks")
    page.choose("size", "all sizes")
    columns = [head.get_attribute("data-column") for head in page.all("table.cells thead th")]
    cpu = columns.index("cpu_seconds")
    button = "table.cells th[data-column=cpu_seconds] button"
    page.click(button)
    rising = [float(text) for text in page.column("table.cells tbody tr", cpu)]
    assert rising == sorted(rising)
    page.click(button)
    falling = [float(text) for text in page.column("table.cells tbody tr", cpu)]
    assert falling == sorted(falling, reverse=True)
    assert falling[0] == 24.0
    page.click("#cell-next")
    last = page.column("table.cells tbody tr", cpu)
    assert last[-2:] == ["\N{EN DASH}"] * 2  # the crashed cells have no time


def test_convergence_can_show_iterations_one_side_and_one_instance(page: Page) -> None:
    figure = page.shown("figure[data-figure=convergence]")[0]
    lines = lambda: len(figure.find_elements("css selector", "svg path.line"))  # noqa: E731
    assert lines() == 4  # two solvers, bound and objective
    figure.find_element("css selector", "input[name=primal]").click()
    assert lines() == 2
    page.choose("x", "iterations")
    assert figure.find_elements("css selector", ".axis-label")[0].text == "iterations"
    page.choose("instance", "extraction 1")
    assert "one instance" in figure.text
    assert lines() == 2


def test_profile_and_quality_follow_their_choices(page: Page) -> None:
    page.choose("measure", "ROUGE-2 %")
    figure = page.shown("figure[data-figure=pareto]")[0]
    assert figure.find_elements("css selector", ".axis-label")[1].text == "ROUGE-2 %"
    for text, said in (("any valid answer", "any valid answer"), ("within 1 %", "the first answer of a trace")):
        page.choose("solved", text)
        assert said in page.shown("figure[data-figure=profile] .note")[0].text


def test_every_tick_of_a_time_has_its_unit(page: Page) -> None:
    """The table is in milliseconds or seconds, and an axis may reach from one to the other."""
    for kind, at in (("scaling", "y"), ("pareto", "x"), ("convergence", "x")):
        figure = page.shown(f"figure[data-figure={kind}]")[0]
        ticks = figure.find_elements("css selector", f".tick[text-anchor={'end' if at == 'y' else 'middle'}]")
        assert ticks
        assert all(re.fullmatch(r"[\d.,]+ m?s", tick.text) for tick in ticks)
        assert "seconds" not in figure.find_elements("css selector", ".axis-label")[at == "y"].text


def test_narrow_windows_do_not_scroll_sideways(page: Page) -> None:
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    )
    try:
        page.browser.refresh()
        assert page.script("return document.documentElement.scrollWidth") <= 360
        assert (
            page.script(
                "return Math.max(...[...document.querySelectorAll('svg')].map((s) => s.getBoundingClientRect().right))"
            )
            <= 360
        )
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_dark_colours_follow_the_system(page: Page) -> None:
    colours = "return [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    seen = {}
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        seen[scheme] = [sum(int(part) for part in text[4:-1].split(",")) for text in page.script(colours)]
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert seen["light"][0] > 700 > 200 > seen["light"][1]
    assert seen["dark"][1] > 600 > 150 > seen["dark"][0]


def test_prints_without_the_paged_table(page: Page) -> None:
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert page.shown("#filters") == []
    assert page.shown("#cells") == []
    assert len(page.shown("#summary tbody tr")) == 12
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_tables_can_be_kept_as_csv(page: Page) -> None:
    links = {link.get_attribute("download"): link.get_attribute("href") for link in page.shown("a.csv")}
    assert {"summary.csv", "failures.csv"} <= set(links)
    heads, first, *_ = csv.reader(io.StringIO(base64.b64decode(links["summary.csv"].partition("base64,")[2]).decode()))
    shown = dict(zip(heads, first, strict=True))
    assert (shown["solver"], shown["size"], shown["opt."], shown["opt. of"]) == ("fast", "small", "3", "3")
    assert (shown["median s"], shown["median s low"], shown["median s high"]) == ("3.00", "1.00", "5.00")
    page.choose("task", "extraction")
    page.script("URL.createObjectURL = (blob) => { window.kept = blob; return 'data:,'; }")
    page.click("#cell-csv")
    rows = list(csv.DictReader(io.StringIO(page.script("return window.kept.text()"))))
    assert len(rows) == 30  # 6 instances of one task: three solvers, and two of them traced
    assert {row["task"] for row in rows} == {"extraction"}
    assert HOSTILE in {row["message"] for row in rows}
    assert page.browser.get_log("browser") == []


def test_a_solver_has_the_colour_of_the_figures(browser: Any, tmp_path: Path) -> None:
    rows = [row | {"solver": {"fast": "ad3", "slow": "ilp-glpk"}.get(row["solver"], "dp-exact")} for row in rows_of(2)]
    write_report(made_records(rows), tmp_path / "named.html")
    for scheme, side in (("light", 0), ("dark", 1)):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        page = Page(browser, tmp_path / "named.html")
        for solver in ("ad3", "ilp-glpk", "dp-exact"):
            series = page.shown(f"figure[data-figure=scaling] g.series[data-series={solver}]")[0]
            colour = page.script("return getComputedStyle(arguments[0]).color", series)
            wanted = PALETTE[assigned([solver])[solver].place][side]
            assert tuple(map(int, colour[4:-1].split(","))) == tuple(bytes.fromhex(wanted[1:]))
        dashed = page.all("figure:not([data-figure=convergence]) [stroke-dasharray]")
        assert dashed == []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_ten_thousand_cells_stay_usable(browser: Any, tmp_path: Path) -> None:
    rows = rows_of(170, repetitions=10)
    write_report(made_records(rows), tmp_path / "large.html")
    assert len(rows) == 10_200
    page = Page(browser, tmp_path / "large.html")
    assert page.count() == "1\N{EN DASH}50 of 10,200 cells"
    assert len(page.all("table.cells tbody tr")) == 50
    search = page.all("#cell-search")[0]
    search.send_keys("summarization 169")
    assert page.count() == "1\N{EN DASH}30 of 30 cells"
    page.click("table.cells th[data-column=cpu_seconds] button")
    assert page.column("table.cells tbody tr", 3)[0] == "fast"
    assert page.browser.get_log("browser") == []


def test_failed_only_and_empty_runs_load_without_errors(browser: Any, tmp_path: Path) -> None:
    failed = {"status": "crash", "cpu_seconds": None, "objective": None, "bound": None, "audit": "", "message": "no"}
    for name, rows in (("failed", [row | failed for row in rows_of(2)]), ("empty", [])):
        write_report(made_records(rows), tmp_path / f"{name}.html")
        page = Page(browser, tmp_path / f"{name}.html")
        assert page.browser.get_log("browser") == []
    assert page.count() == "no cells with these filters"
