"""Claims about learned systems from measurements made by hand, and how they are put together from the studies' values."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from bench.experiments.instances import load_instance
from bench.learning.summarization.folds import ORACLES
from bench.reproduction.context import Context
from bench.reproduction.models import scored_topics
from bench.reproduction.pieces.learned_summaries import PUBLISHED, SYSTEMS, rows, system_claims, systems_table
from bench.reproduction.pieces.summary_views import systems_views
from bench.reproduction.report import PIECES
from bench.reproduction.verdicts import NOT_REPRODUCED, REPRODUCED, UNTESTABLE
from problems import get_task
from solvers import get_solver


def frame(
    multi: float = 0.13, topics: int = 6, settings: tuple[str, ...] = ("generated",), **unlearned: float
) -> pd.DataFrame:
    means = {"coverage": 0.09, "extractive": 0.10, "post-combined": 0.10, "single-task": 0.12, "multi-task": multi}
    means |= unlearned
    rows = [
        {
            "setting": setting,
            "pairs": 9,
            "system": system,
            "topic": str(topic),
            "ROUGE-2": mean + topic / 1000,
            "ROUGE-SU4": 0.5,
        }
        for setting in settings
        for system, mean in means.items()
        for topic in range(topics)
    ]
    return pd.DataFrame(rows)


def test_summaries() -> None:
    claims = system_claims(frame())
    assert [claim.verdict for claim in claims] == [REPRODUCED] * 6 + [UNTESTABLE]
    assert claims[0].published == "ROUGE-2 12.30 against 11.88"
    assert claims[0].ours == "ROUGE-2 13.25 against 12.25"
    assert claims[0].why == (
        "difference +1.00 [+1.00, +1.00] over 6 items; ROUGE-SU4: difference +0.00 [+0.00, +0.00] over 6 items"
    )
    assert [claim.verdict for claim in system_claims(frame(multi=0.12))][:2] == [UNTESTABLE, REPRODUCED]  # equal scores
    nearly = frame(multi=0.12)
    nearly.loc[(nearly["system"] == "multi-task") & (nearly["topic"] == "0"), "ROUGE-2"] += 0.001
    assert system_claims(nearly)[0].verdict == NOT_REPRODUCED
    assert {claim.verdict for claim in system_claims(frame(topics=4))} == {UNTESTABLE}
    names = [claim.name for claim in system_claims(frame(settings=("a", "b")))]
    assert len(names) == len(set(names)) == 13


def test_a_learned_system_that_an_unlearned_one_beats_tells_nothing() -> None:
    verdicts = [claim.verdict for claim in system_claims(frame(coverage=0.11))]
    assert verdicts[:6] == [REPRODUCED, *[UNTESTABLE] * 2, *[REPRODUCED] * 3]  # extraction is badly learned
    verdicts = [claim.verdict for claim in system_claims(frame(unlearned=0.14))]
    assert verdicts[:6] == [*[UNTESTABLE] * 5, REPRODUCED]
    claim = system_claims(frame(unlearned=0.14))[0]
    assert (
        claim.ruling.rule
        == "our learned system 'multi-task' is not surely above the unlearned 'unlearned' on these topics"
    )


def test_systems_stand_beside_the_papers() -> None:
    table = systems_table(frame(settings=("a", "b")))
    assert table.headings == ["system", "a R-2", "R-SU4", "b R-2", "R-SU4", "paper R-2", "R-SU4"]
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["multi-task"] == ["13.25", "50.00", "13.25", "50.00", "12.30", "15.18"]
    assert rows["unlearned"] == [""] * 6  # nothing was measured, and nothing published
    assert "a: 6 test topics, 9 sentence pairs" in table.notes[0]


@pytest.mark.slow
def test_summaries_of_the_table_are_those_of_the_runner(tmp_path: Path) -> None:
    context = Context(tmp_path, quick=True)
    found = {(row["system"], row["topic"]): row["ROUGE-2"] for row in rows(context, "generated")}
    topics = {topic for _, topic in found}
    assert set(found) == {(system, topic) for system in (*SYSTEMS, *ORACLES) for topic in topics}
    for system, solver in (("multi-task", "ad3"), ("coverage", "ilp-highs")):
        for path in (scored_topics(context, "generated") / system).glob("*.json"):
            problem = load_instance(path)
            task = get_task(problem.task)
            structure = get_solver(solver).solve(problem).structure
            assert found[system, path.stem] == pytest.approx(task.evaluate(problem, structure)["ROUGE-2"])


def test_table_2_stands_beside_ours_with_the_human_columns() -> None:
    (view,) = systems_views(frame(), PUBLISHED).values()
    rows = {row.name: row for row in view.rows}
    assert [each.text for each in rows["Multi-task"].published] == ["12.30", "15.18", "42.6", "4.2"]
    assert [each.text for each in rows["WL'12"].published] == ["11.37", "14.47", "", ""]
    assert rows["WL'12"].ours == ()
    assert rows["Multi-task"].own == "multi-task"
    assert view.agreements(rows["Extractive"])[:2] == ["reference", "reference"]
    assert view.agreements(rows["Multi-task"])[2:] == ["", ""]
    assert set(systems_views(frame(settings=("a", "b")), PUBLISHED)) == {"beside-a", "beside-b"}


@pytest.mark.parametrize("name", [name for name, piece in PIECES.items() if piece.real])
def test_every_piece_names_what_it_misses(name: str, tmp_path: Path) -> None:
    sentence = PIECES[name].missing(Context(tmp_path, data=tmp_path))
    assert sentence is not None
    assert str(tmp_path) in sentence
    assert "; expected the " in sentence
    assert f"for {name} ({PIECES[name].title}); get it with `dualbench data get " in sentence
