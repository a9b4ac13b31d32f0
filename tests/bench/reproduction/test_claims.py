"""How claims are shown, and corrected as a family; `test_verdicts.py` has the rules, each paper's claims are beside its pieces."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from hypothesis import given
from hypothesis import strategies as st

from bench.reproduction.claims import (
    Claim,
    claims_table,
    counted,
    difference_text,
    holm_corrected,
    ratio_text,
    times,
    with_settings,
)
from bench.reproduction.claims_page import claims_page
from bench.reproduction.evidence import Difference, Evidence, share
from bench.reproduction.verdicts import (
    DECIDED,
    LEVEL,
    NOT_REPRODUCED,
    REPRODUCED,
    RULES,
    UNDECIDED,
    VERDICTS,
    WEAKER,
    Ruling,
)


def claim(name: str, ruling: Ruling) -> Claim:
    return Claim(name, "Table 3", "It is slow.", "2x", "1x", "1.00x", ruling, "one reason")


def test_how_numbers_are_written() -> None:
    found = [times(value) for value in (1.234, 25.62, 123.4, None, float("nan"))]
    assert found == ["1.23x", "25.6x", "123x", "none", "none"]
    difference = Difference(0.5, -0.25, 1.0, 0.2, 6)
    assert difference_text(difference, 1, " s") == "difference +0.5 s [-0.2, +1.0] over 6 items"
    assert difference_text(difference._replace(items=3)).endswith("over 3 items; too few for a verdict")
    assert ratio_text(Evidence(0.5, 0.4, 0.6, 6, True), 0.75) == "0.500 [0.400, 0.600] (paper 0.750)"
    assert ratio_text(share([0.1] * 6, [0.0] * 6)) == "none, of a reference of 0"


def test_all_claims_in_one_table() -> None:
    slow = claim("slow", Ruling(NOT_REPRODUCED, "a rule", 0.01))
    told = Claim("x", "", "", "", ruling=Ruling(UNDECIDED, "", None, 70), settings="s", today=Ruling(WEAKER))
    table = claims_table([("am-table3", slow), ("am-table3", told)])
    first = [
        "am-table3",
        "It is slow.",
        "Table 3",
        "2x",
        "1x",
        "1.00x",
        NOT_REPRODUCED,
        "",
        "a rule",
        "",
        "",
        "one reason",
    ]
    assert table.rows[0] == first
    assert table.rows[1][6:] == [UNDECIDED, WEAKER, "", "70", "s", ""]
    assert table.notes == list(RULES)
    assert counted([slow, told]) == {**dict.fromkeys(VERDICTS, 0), NOT_REPRODUCED: 1, UNDECIDED: 1}
    for each in (slow, told):
        assert Claim(**json.loads(json.dumps(asdict(each)))) == each


def test_the_page_tells_shared_settings_once() -> None:
    one = Claim(
        "a", "Table 1", "A | B.", "2x", "3x", "3x", Ruling(REPRODUCED, "from 1x on"), "why a", "limit 60 s; 8 clusters"
    )
    two = replace(one, name="b", text="C.", why="", ruling=Ruling(UNDECIDED, "from 1x on", None, 84))
    page = claims_page({"am-table3": [one, two], "empty": []})
    assert page.count("limit 60 s") == page.count("- 8 clusters") == 1
    assert "| am-table3 | A \\| B. | Table 1 | 2x | 3x | 3x | reproduced |  |" in page
    assert "- **undecided**: C.\n    - Rule: from 1x on.\n    - About 84 items would decide." in page
    assert "empty" not in page
    other = claims_page({"am-table3": [one, replace(two, settings="limit 10 s")]})
    assert "    - Settings: limit 60 s; 8 clusters." in other
    assert "    - Settings: limit 10 s." in other


def test_a_family_of_claims_is_corrected() -> None:
    """0.03 and 0.04 are significant each, and not among two."""
    both = [claim("a", Ruling(REPRODUCED, "r", 0.03)), claim("b", Ruling(NOT_REPRODUCED, "r", 0.04))]
    assert [each.verdict for each in holm_corrected(both)] == [UNDECIDED, UNDECIDED]
    assert holm_corrected(both)[0].why.startswith(
        "one reason By itself it would be reproduced, which is not significant"
    )
    assert [each.verdict for each in holm_corrected(both[:1])] == [REPRODUCED]
    sure = [claim("a", Ruling(REPRODUCED, "r", 0.001)), both[1]]
    assert [each.verdict for each in holm_corrected(sure)] == [REPRODUCED, NOT_REPRODUCED]


def test_a_claim_that_the_correction_turns_says_how_many_items_would_decide() -> None:
    both = [
        claim("a", Ruling(REPRODUCED, "r", 0.03, None, 40)),
        claim("b", Ruling(NOT_REPRODUCED, "r", 0.04, None, 40)),
    ]
    found = [each.ruling.items for each in holm_corrected(both)]
    assert found == [81, 91]  # (2.24 + 0.84)^2 / 2.17^2 of 40, and / 2.05^2
    assert f"About {found[0]} items would decide." in claims_page({"ql-table2": holm_corrected(both)})


@given(st.lists(st.tuples(st.sampled_from(VERDICTS), st.floats(0.0, LEVEL)), max_size=8))
def test_a_correction_only_opens(found: list) -> None:  # type: ignore[type-arg]
    claims = [
        claim(str(place), Ruling(verdict, "r", p if verdict in DECIDED else None))
        for place, (verdict, p) in enumerate(found)
    ]
    corrected = holm_corrected(claims)
    for before, after in zip(claims, corrected, strict=True):
        assert after.verdict in (before.verdict, UNDECIDED)
    assert holm_corrected(corrected) == corrected or any(each.verdict == UNDECIDED for each in corrected)


def test_a_claim_keeps_settings_of_its_own() -> None:
    own = Claim("a", "", "", "", settings="mine")
    assert [each.settings for each in with_settings([own, claim("b", Ruling(REPRODUCED))], "all")] == ["mine", "all"]
