"""The reproduction's report in headless Chromium: offline, by keyboard, narrow, dark and printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import fake_pieces as fake
import pytest
from chromium import offline_browser

from bench.analysis.statistics.ratios import SpeedUp
from bench.analysis.statistics.values import Interval
from bench.reproduction import report
from bench.reproduction.schedule import run_piece
from bench.reproduction.standings import Contest, Standing

pytestmark = pytest.mark.slow

CONTEST = Contest(
    "parsing",
    "20",
    6,
    Interval(0.02, 0.01, 0.03),
    "ilp-glpk",
    (
        Standing(
            "ad3",
            "AD3",
            6,
            Interval(0.01, 0.008, 0.02),
            3,
            100.0,
            6,
            SpeedUp(Interval(2.0, 1.5, 3.0), 0.01, 6, 0),
            0.005,
        ),
        Standing("ilp-glpk", "ILP", 6, Interval(0.02, 0.01, 0.03), 6, 100.0, 6, None, 0.01),
        Standing("beam", "search", 6, Interval(0.001, 0.001, 0.001), 0, 97.5, 6, None, None),
    ),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from offline_browser()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    context = fake.context(tmp_path_factory.mktemp("report"))
    pieces = {name: fake.piece(name) for name in ("drawn", "plain")}
    kept = {}
    for name, piece in pieces.items():
        _, found = run_piece(piece, context)
        assert found is not None
        kept[name] = found
    kept["drawn"].facts.update(task="parsing", contests=[asdict(CONTEST)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "PIECES", pieces)
        patch.setattr(report, "PAPERS", ("A Paper (2000)",))
        return report.write_report(kept, context)


@pytest.fixture
def page(browser: Any, path: Path) -> Any:
    browser.set_window_size(1200, 900)
    browser.get_log("performance")
    browser.get(path.as_uri())
    return browser


def test_loads_offline_without_errors_and_asks_for_nothing(page: Any, path: Path) -> None:
    assert page.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    assert {url for url in asked if not url.startswith("data:")} == {path.as_uri()}


def test_figures_are_drawn_and_have_words(page: Any) -> None:
    images = page.find_elements("css selector", "figure img")
    assert len(images) == 2
    for image in images:
        assert page.execute_script("return arguments[0].naturalWidth", image) > 100
        assert len(image.get_attribute("alt")) > 10
    assert "ad3 2.00 [1.50, 3.00] times" in images[0].get_attribute("alt")
    assert 'Two points "up".' in images[1].get_attribute("alt")


def test_the_answer_comes_first_and_every_link_leads_somewhere(page: Any) -> None:
    headings = [each.text for each in page.find_elements("css selector", "h2")]
    assert headings[0] == "Which solver should I use for which problem?"
    row = [each.text for each in page.find_elements("css selector", "#cover tbody tr:first-child > *")]
    proof = "ilp-glpk: 20.0 [10.0, 30.0] ms"
    assert row[:5] == ["parsing", "20", "6", proof, proof]
    assert row[5:] == ["ad3 (within 1 %)", "2.00 [1.50, 3.00]", "100.00", "ad3: 5 ms"]
    for link in page.find_elements("css selector", "nav a, a.skip"):
        target = link.get_attribute("href").partition("#")[2]
        assert page.find_elements("id", target), target


def test_the_outline_has_no_gaps_and_tables_have_names(page: Any) -> None:
    levels = [int(each.tag_name[1]) for each in page.find_elements("css selector", "h1, h2, h3, h4, h5")]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for table in page.find_elements("css selector", "main table:not(.facts)"):
        assert table.find_element("css selector", "caption").get_attribute("textContent")
        assert table.find_elements("css selector", "thead th[scope=col]")
        assert table.find_elements("css selector", "tbody th[scope=row]")


def test_the_keyboard_reaches_wide_tables(page: Any) -> None:
    boxes = page.find_elements("css selector", ".scroll[tabindex='0']")
    assert boxes
    assert all(box.get_attribute("role") == "region" and box.get_attribute("aria-label") for box in boxes)
    page.execute_script("document.body.focus()")
    page.switch_to.active_element.send_keys("\ue004")
    assert page.switch_to.active_element.text == "Skip to the answer"


def test_what_came_from_data_is_inert(page: Any) -> None:
    assert page.find_elements("css selector", "table b, table i, .output b") == []
    assert "A is <b>faster</b> than B." in page.find_element("css selector", "table.claims").text


def test_narrow_windows_do_not_scroll_sideways(page: Any) -> None:
    size = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page.refresh()
        assert page.execute_script("return document.documentElement.scrollWidth") <= 360
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_dark_and_print(page: Any) -> None:
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    back = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert sum(int(part) for part in back[4:-1].split(",")) < 150
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    assert not page.find_element("css selector", "nav").is_displayed()
    assert page.find_element("css selector", "#cover img").is_displayed()
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
