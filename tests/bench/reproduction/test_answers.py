"""The first screen's sentences: whose time, how many times faster, and who wins, by hand-made standings."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from bench.analysis.statistics.ratios import SpeedUp, Target
from bench.analysis.statistics.values import Interval
from bench.reproduction.answers import Winner, answer, answers_part, claims_sentence, lead, winner
from bench.reproduction.claims import Claim
from bench.reproduction.standings import Contest, Standing
from bench.reproduction.verdicts import REPRODUCED, UNTESTABLE, Ruling

ILP = Standing("ilp-glpk", "ILP", 6, Interval(0.02, 0.01, 0.03), 6, 100.0, 6, None, 0.01)


def contest(times: tuple[float, float, float] | None, target: Target = "optimal", size: str = "20") -> Contest:
    found = None if times is None else SpeedUp(Interval(*times), target, 6, 0)
    rival = Standing("ad3", "AD3", 6, Interval(0.01, 0.008, 0.02), 3, 97.5, 6, found, 0.005)
    return Contest("parsing", size, 6, Interval(0.02, 0.01, 0.03), "ilp-glpk", (rival, ILP))


FASTEST = "the fastest ILP solver (ilp-glpk, 20.0 [10.0, 30.0] ms)"


@pytest.mark.parametrize(
    ("times", "target", "who", "said"),
    [
        (
            (2.0, 1.5, 3.0),
            "optimal",
            Winner.OTHER,
            f"ad3 proves the optimum in 10.0 [8.00, 20.0] ms, 2.00 [1.50, 3.00] times faster than {FASTEST}.",
        ),
        (
            (2.0, 1.5, 3.0),
            0.001,
            Winner.OTHER,
            f"ad3 comes within 0.1 % of the best known objective in 10.0 [8.00, 20.0] ms, 2.00 [1.50, 3.00] times faster than {FASTEST}.",
        ),
        (
            (1.2, 0.9, 1.4),
            "optimal",
            Winner.NEITHER,
            f"No clear difference: ad3 proves the optimum in 10.0 [8.00, 20.0] ms, 1.20 [0.900, 1.40] times the speed of {FASTEST}.",
        ),
        (
            (0.5, 0.25, 0.8),
            "optimal",
            Winner.ILP,
            "The fastest ILP solver (ilp-glpk, 20.0 [10.0, 30.0] ms) wins: ad3 proves the optimum in 10.0 [8.00, 20.0] ms, "
            "2.00 [1.25, 4.00] times as long.",
        ),
        (
            None,
            "optimal",
            Winner.ILP,
            "Only ILP solvers answer alike everywhere: ilp-glpk proves the optimum in 20.0 [10.0, 30.0] ms. "
            "The best other answers are those of ad3, 97.50 % of the best known objective.",
        ),
    ],
)
def test_a_size_in_a_sentence(times: tuple[float, float, float] | None, target: Target, who: Winner, said: str) -> None:
    found = contest(times, target)
    assert (winner(found), answer(found)) == (who, said)


def test_without_an_ilp_solver_or_a_rival_the_sentence_says_so() -> None:
    without = replace(contest((2.0, 1.5, 3.0)), ilp=Interval(*[math.nan] * 3), ilp_label="")
    assert answer(without).endswith("no ILP solver proves an optimum within its limit.")
    alone = replace(contest(None), standings=(ILP,))
    assert (
        answer(alone)
        == "Only ILP solvers answer alike everywhere: ilp-glpk proves the optimum in 20.0 [10.0, 30.0] ms."
    )
    assert winner(replace(alone, ilp_label="")) is Winner.NEITHER


def test_one_instance_has_no_interval_and_its_ratio_decides() -> None:
    assert winner(contest((1.1, math.nan, math.nan))) is Winner.OTHER
    assert winner(contest((0.9, math.nan, math.nan))) is Winner.ILP


def test_the_lead_counts_all_sizes() -> None:
    won, lost, open_ = (2.0, 1.5, 3.0), (0.5, 0.25, 0.8), (1.2, 0.9, 1.4)
    said = lead({"parsing": [contest(won), contest(lost, size="40")], "extraction": [contest(open_, size="tac")]})
    assert said == (
        "An algorithm other than integer linear programming is the fastest, at equal quality, on 1 of 3 problem sizes; "
        "ILP solvers win on parsing 40; there is no clear winner on extraction tac."
    )
    assert lead({"parsing": [contest(won)]}).endswith("on 1 of 1 problem size.")
    assert lead({"parsing": [contest(won)] * 2}).endswith("on all 2 problem sizes.")


def test_claims_are_counted_and_html_is_escaped() -> None:
    claims = [
        Claim(str(place), "T", "text", "1", ruling=Ruling(verdict, "r"))
        for place, verdict in enumerate([REPRODUCED, REPRODUCED, UNTESTABLE])
    ]
    assert claims_sentence(claims) == f"Of 3 claims of the papers: 2 {REPRODUCED}, 1 {UNTESTABLE}."
    assert claims_sentence([]) == ""
    made = answers_part({"<parsing>": [contest((2.0, 1.5, 3.0), size="<b>")]}, claims)
    assert "&lt;parsing&gt;" in made
    assert "<b>&lt;b&gt;:</b>" in made
    assert "<b>20 words:</b> ad3" in answers_part({"parsing": [contest((2.0, 1.5, 3.0), size="20")]}, [])
    assert "2.00\N{NO-BREAK SPACE}[1.50,\N{NO-BREAK SPACE}3.00] times faster" in made
    assert answers_part({}, []) == ""
