"""Small runs whose numbers can be computed by hand, and the report about them."""

from __future__ import annotations

from typing import Any

from made_records import made_records
from read_page import Element, read_page

from bench.output.report import make_report


def two_solvers(**more: Any) -> list[dict[str, Any]]:
    """`fast` takes 1, 2 and 4 s, `slow` 3, 8 and 12 s, on instances of 10, 20 and 40 variables."""
    times = {"fast": (1.0, 2.0, 4.0), "slow": (3.0, 8.0, 12.0)}
    return [
        {"solver": solver, "instance": f"i{place}", "instance_size": 10 * 2**place, "objective": 5.0, "bound": 5.0}
        | {"cpu_seconds": value, "wall_seconds": value, "structure": [0], "node": "box"}
        | more
        for solver, values in times.items()
        for place, value in enumerate(values)
    ]


def page_of(rows: list[dict[str, Any]], traces: Any = (), **options: Any) -> Element:
    given_to_records = {name: options.pop(name) for name in ("experiment", "provenance") if name in options}
    return read_page(make_report(made_records(rows, traces, **given_to_records), **options)[0])


def headline_of(page: Element) -> list[str]:
    return [item.text for item in page.one("section", aria_labelledby="headline-heading").all("li")]


def summary_rows(page: Element) -> dict[str, list[str]]:
    """The numbers behind the rows of the first size, by solver; an empty text is no number."""
    rows = page.one("section", id="summary").one("tbody").all("tr", data_of_size="0")
    return {
        row.one("th").text: [cell.attributes["data-v"] for cell in row.all("td") if "data-v" in cell.attributes]
        for row in rows
    }
