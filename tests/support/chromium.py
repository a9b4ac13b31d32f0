"""Headless Chromium without a network, for tests of the HTML reports; tests are skipped, saying why, where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest


def offline_browser() -> Iterator[Any]:
    """The body of a fixture: a driver that logs what pages ask for."""
    chromium = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("no Chromium found: install the Debian packages chromium and chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium found: pip install -e '.[dev]'")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    made.execute_cdp_cmd("Network.enable", {})
    made.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
    )
    yield made
    made.quit()
