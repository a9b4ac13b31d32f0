"""How claims are shown. The rules of verdicts are in `test_verdicts.py`, each paper's claims beside its pieces."""

from __future__ import annotations

import json
from dataclasses import asdict

from bench.reproduction.claims import Claim, claims_table, times
from bench.reproduction.verdicts import FAILS, RULES


def test_factors_are_written_with_three_digits() -> None:
    found = [times(value) for value in (1.234, 25.62, 123.4, None, float("nan"))]
    assert found == ["1.23x", "25.6x", "123x", "none", "none"]


def test_all_claims_in_one_table() -> None:
    claim = Claim("slow", "Table 3", "It is slow.", "2x", "1x", "1.00x", FAILS, "one reason")
    table = claims_table([("am-table3", claim)])
    assert table.rows == [["am-table3", "It is slow.", "Table 3", "2x", "1x", "1.00x", FAILS, "one reason"]]
    assert table.notes == list(RULES)
    assert Claim(**json.loads(json.dumps(asdict(claim)))) == claim
