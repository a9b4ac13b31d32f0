"""The reproduction's report in headless Chromium: offline, by keyboard, narrow, dark and printed."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import fake_pieces as fake
import numpy as np
import pytest
from chromium import offline_browser
from PIL import Image

from bench.analysis.statistics.ratios import SpeedUp
from bench.analysis.statistics.values import Interval
from bench.reproduction import report
from bench.reproduction.schedule import run_piece
from bench.reproduction.standings import Contest, Standing
from bench.reproduction.store import read_outcome

pytestmark = pytest.mark.slow
RECORDED = Path(__file__).parents[3] / "results" / "reproduction"

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
    answers = page.find_element("css selector", "#cover .answers")
    assert "20 words: ad3 comes within 1 % of the best known objective in 10.0" in answers.text
    assert "2.00\N{NO-BREAK SPACE}[1.50,\N{NO-BREAK SPACE}3.00] times faster" in answers.get_attribute("textContent")
    assert answers.location["y"] + answers.size["height"] < 900  # on the first screen
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


def narrow(page: Any, width: int = 420) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.refresh()


def test_narrow_windows_do_not_scroll_sideways(page: Any) -> None:
    try:
        for width in (360, 420):
            narrow(page, width)
            assert page.execute_script("return document.documentElement.scrollWidth") <= width
            for box in page.find_elements("css selector", ".scroll, .pan"):
                assert box.rect["x"] + box.rect["width"] <= width  # what is wide scrolls inside
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_cover_of_a_telephone_has_readable_labels(page: Any) -> None:
    """9 pt at 72 pt to the inch is 12 pixels; the drawing is not shrunk to less than 10."""
    try:
        narrow(page)
        image = page.find_element("css selector", "#cover picture img")
        natural = page.execute_script("return arguments[0].naturalWidth", image)
        assert 12 * image.rect["width"] / natural >= 10
        assert natural < 450  # the one for wide windows has more than 800
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def brightness(image: Any) -> float:
    """Of what is seen: 0 is black, 255 white."""
    pixels = Image.open(io.BytesIO(image.screenshot_as_png)).convert("L")
    return float(np.asarray(pixels).mean())


def test_drawings_are_dark_on_dark_pages(page: Any) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        page.refresh()
        back = page.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert (sum(int(part) for part in back[4:-1].split(",")) < 150) == (scheme == "dark")
        seen[scheme] = [brightness(image) for image in page.find_elements("css selector", "figure img")]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert len(seen["light"]) == 2
    assert min(seen["light"]) > 200
    assert max(seen["dark"]) < 60


def test_what_is_folded_is_not_printed(page: Any) -> None:
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    try:
        assert not page.find_element("css selector", "nav").is_displayed()
        assert page.find_element("css selector", "#cover img").is_displayed()
        assert [each for each in page.find_elements("css selector", "details") if each.is_displayed()] == []
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_every_table_has_its_numbers_as_a_file(page: Any) -> None:
    tables = page.find_elements("css selector", ".titled")
    assert len(tables) >= 3
    for table in tables:
        link = table.find_element("css selector", "a.csv")
        text = page.execute_script("return atob(arguments[0].href.split('base64,')[1])", link)
        assert link.get_attribute("download").endswith(".csv")
        assert len(text.splitlines()) > 1


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the committed results, as the code of today makes it."""
    context = fake.context(tmp_path_factory.mktemp("recorded"))
    folders = {name: RECORDED / "pieces" / name for name in report.PIECES}
    kept = {name: read_outcome(folder) for name, folder in folders.items() if folder.exists()}
    assert len(kept) > 10
    facts = json.loads((RECORDED / "provenance.json").read_text())
    path = context.out / "report.html"
    path.write_text(report.make_page(kept, context, facts), encoding="utf-8")
    return path


def test_the_recorded_page_prints_on_25_sheets_and_splits_no_figure(browser: Any, recorded: Path) -> None:
    browser.get(recorded.as_uri())
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
    pdf = base64.b64decode(printed["data"])
    assert 5 < len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 25
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        sheet = 190 / 25.4 * 96  # pixels of a landscape A4 between its margins
        for each in browser.find_elements("css selector", "figure"):
            assert browser.execute_script("return getComputedStyle(arguments[0]).breakInside", each) == "avoid"
            assert each.rect["height"] < sheet
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_recorded_figures_can_be_read(browser: Any, recorded: Path) -> None:
    """No picture of pixels, whose colours a dark page cannot change; labels of 9 pt are at least 8 pixels on a desk's screen."""
    browser.set_window_size(1400, 900)
    browser.get(recorded.as_uri())
    images = browser.find_elements("css selector", ".figures img")
    assert len(images) > 15
    for image in images:
        assert image.get_attribute("src").startswith("data:image/svg")
        natural = browser.execute_script("return arguments[0].naturalWidth", image)
        assert 12 * image.rect["width"] / natural >= 8
    for row in browser.find_elements("css selector", ".figures"):
        figures = row.find_elements("css selector", "figure")
        right = row.rect["x"] + row.rect["width"]
        assert any(abs(each.rect["x"] + each.rect["width"] - right) < 2 for each in figures)  # no empty half


def test_the_recorded_page_answers_on_its_first_screen_and_leads_nowhere_dead(browser: Any, recorded: Path) -> None:
    browser.set_window_size(1400, 900)
    browser.get(recorded.as_uri())
    answers = browser.find_element("css selector", ".answers")
    assert answers.location["y"] + answers.size["height"] <= 1000
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 1400
    for link in browser.find_elements("css selector", "a[href]"):
        href = link.get_attribute("href")
        assert href.startswith("data:text/csv") or browser.find_elements("id", href.partition("#")[2]), href
