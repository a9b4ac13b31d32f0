"""Table 3 of Martins et al. (2013): parsers are trained once, parse as a solver of a run, and are judged by treebank."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from parsing_cells import cells_of, parsing_cell

from bench.experiments.experiment import read_experiment
from bench.learning.parsing.learners import parser_decoder
from bench.learning.parsing.parser_solver import LearnedParser
from bench.reproduction import corpora
from bench.reproduction.claims import Claim
from bench.reproduction.context import Context
from bench.reproduction.corpora import QUICK_REAL, Treebank, scored_sentences, sentences_file, trained_parser
from bench.reproduction.pieces.learned_parsers import (
    PLUGIN,
    inputs_of,
    learned,
    learned_claims,
    learned_table,
    published_rows,
)
from bench.reproduction.pieces.parsing_cells import with_models
from bench.reproduction.verdicts import NOT_REPRODUCED, OPPOSITE, REPRODUCED, UNDECIDED, UNTESTABLE
from problems import get_task
from problems.errors import InputError
from problems.parsing.corpora import TREEBANKS
from problems.parsing.model import ParserModel

FEW = Treebank("generated", "generated", epochs=1, limit=15, tested=4)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Context:
    return Context(tmp_path_factory.mktemp("learned"), quick=True)


def test_orders_share_all_but_their_parts_and_are_trained_once(context: Context) -> None:
    first, second = (trained_parser(context, FEW, order) for order in ("1", "2"))
    made = second.stat().st_mtime_ns
    assert trained_parser(context, FEW, "2").stat().st_mtime_ns == made
    one, other = map(ParserModel.read, (first, second))
    assert (one.order, other.order, one.figures["sentences"]) == ("1", "2", 15)
    assert np.array_equal(one.pruner_weights, other.pruner_weights)
    assert not np.array_equal(one.part_weights, other.part_weights)


def test_the_parser_as_a_solver_prunes_and_scores_by_itself(context: Context) -> None:
    source = scored_sentences(context, FEW, "2")
    assert (source.name, len(source.values)) == ("generated-2", 4)
    model, sentences = trained_parser(context, FEW, "2"), sentences_file(context, FEW)
    parser = LearnedParser(model=str(model), sentences=str(sentences))
    for path in source.values:
        instance = get_task("parsing").load(path)
        found = parser.solve(instance)
        assert found.structure == parser_decoder("2").solve(instance, "parsing").structure
        assert found.objective == pytest.approx(get_task("parsing").objective(instance, found.structure))
    with pytest.raises(InputError, match="there is no sentence 'tiny-0' in it"):
        parser.solve(get_task("parsing").generate(0, "tiny"))


def test_each_treebank_and_order_is_a_size_with_its_own_parser(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.reproduction.pieces.learned_parsers.ORDERS", ("1", "2"))
    found = learned(read_experiment("parsing-orders"), context, (FEW,))
    assert found.source.sizes == ["generated-1", "generated-2"]
    assert [(spec.name, spec.sizes) for spec in found.solvers] == [
        ("learned-parser", ("generated-1",)),
        ("learned-parser", ("generated-2",)),
    ]
    assert found.solvers[1].options["model"].endswith("order-2.model")
    assert (found.plugins, found.repetitions) == ((PLUGIN,), 3)


def test_all_test_sentences_are_parsed_unless_there_is_a_limit(
    context: Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(corpora, "trained_parser", lambda *_: tmp_path / "order-2.model")
    real = replace(context, data=tmp_path)
    for treebank, count, limit in ((corpora.REAL[0], None, None), (corpora.REAL[0], 5, 5), (QUICK_REAL[0], None, 20)):
        assert scored_sentences(real, treebank, "2", count).values.get("limit") == limit


def test_the_number_of_trainings_is_handed_on_and_makes_another_model(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    monkeypatch.setattr(corpora.Training, "run", lambda training, path, *_: seen.append(training.runs))
    twice = replace(FEW, runs=2)
    trained_parser(context, twice, "2")
    assert (seen, twice.folder == FEW.folder) == ([2], False)


def parsed(treebank: str, right: dict[str, int], third_seconds: float = 0.05) -> list[dict]:
    seconds = {"1": 0.01, "2": 0.02, "3": third_seconds}
    return [
        parsing_cell("learned-parser", f"{treebank}-{order}", number, seconds[order], right=value)
        for order, value in right.items()
        for number in range(6)
    ]


def learned_cells(*parts: list[dict]) -> pd.DataFrame:
    return with_models(cells_of(*(row for part in parts for row in part)))


def test_claims_and_table() -> None:
    six = corpora.REAL[:6]
    gains = [parsed(each.name, {"1": 5, "2": 7, "3": 8 if number < 3 else 7}) for number, each in enumerate(six)]
    claims = {claim.name: claim for claim in learned_claims(learned_cells(*gains), six)}
    second, third = (claims[f"learned-order-{order}-gains"] for order in "23")
    assert (second.verdict, second.ratio) == (REPRODUCED, "6 of 6: 100% [54%, 100%]")
    assert second.ours.startswith("6 of 6 treebanks, 6 surely: UAS 50.00 to 70.00")
    assert second.published == "14 of 14 treebanks"
    assert (third.verdict, third.ratio) == (UNDECIDED, "3 of 6: 50% [12%, 88%]")
    assert third.published == "11 of 14 treebanks"
    assert claims["learned-third-order-speed"].verdict == REPRODUCED
    two = learned_claims(learned_cells(*gains[:2]), six[:2])  # two treebanks say nothing of most
    assert [claim.verdict for claim in two] == [UNTESTABLE, UNTESTABLE, REPRODUCED]
    slow = parsed("generated", {"1": 5, "2": 7, "3": 8}, third_seconds=0.07)
    generated = (corpora.Treebank("generated", ""),)
    found = learned_claims(learned_cells(slow), generated)
    assert [claim.verdict for claim in found] == [UNTESTABLE, UNTESTABLE, NOT_REPRODUCED]  # of gains it says nothing
    few = learned_cells([row for row in slow if row["instance"] in ("s0", "s1")])
    assert {claim.verdict for claim in learned_claims(few, generated)} == {UNTESTABLE}
    cells = learned_cells(parsed("en_ewt", {"1": 5, "2": 7, "3": 8}), parsed("pt_bosque", {"1": 5, "2": 7, "3": 7}))
    chosen = (corpora.REAL[0], corpora.REAL[2])
    rows = [row for row in learned_table(cells, chosen, {"en_ewt": 2001, "pt_bosque": 560}).rows if row]
    assert rows[2] == [
        *("en_ewt", "3", "2001 (dev)", "6", "80.00", "200", "0.200x [0.200, 0.200]"),
        *("English", "93.22", "785", "0.25x"),
    ]
    assert rows[3][6:] == ["", "Portuguese", "91.14", "4273", ""]
    assert published_rows(corpora.MADE[0])[1]["1"].uas == 91.38
    afrikaans = next(each for each in corpora.REAL if each.language == "Afrikaans")
    assert published_rows(afrikaans) == ("", {})
    cells = learned_cells(parsed("af_afribooms", {"1": 5, "2": 7, "3": 8}))
    assert learned_table(cells, (afrikaans,), {"af_afribooms": 9}).rows[2][7:] == ["", "", "", ""]


def test_gains_on_most_treebanks_count_by_their_sign() -> None:
    """Eight small gains of ten, none of them sure by itself, leave it open; ten decide, and so do ten losses."""
    chosen = corpora.REAL[:10]

    def claim(gaining: int, step: int = 1) -> Claim:
        parts = []
        for place, each in enumerate(chosen):
            rows = parsed(each.name, {"1": 5, "2": 5, "3": 5})
            second = [row for row in rows if row["size"].endswith("-2")]
            second[0]["metrics"]["correct without punctuation"] += (
                step if place < gaining else -step
            )  # one of six sentences
            parts.append(rows)
        return learned_claims(learned_cells(*parts), chosen)[0]

    assert claim(8).verdict == UNDECIDED
    assert claim(8).ours.startswith("8 of 10 treebanks, 0 surely")
    assert claim(10).verdict == REPRODUCED
    assert claim(10, -1).verdict == OPPOSITE


def test_a_note_says_what_parsers_read_and_how_often_they_were_trained() -> None:
    assert inputs_of((FEW,)) == "Gold tags"
    rich = replace(FEW, morphology=True, runs=2)
    assert inputs_of((rich,)) == "Gold tags (of generated also lemmas and FEATS), the mean weights of 2 trainings"


def test_all_treebanks_of_the_data_pack_are_trained_on() -> None:
    assert sorted(treebank.corpus for treebank in corpora.REAL) == list(TREEBANKS)


def test_every_treebank_has_its_row_and_its_ruling() -> None:
    """Also the one whose language the paper does not have."""
    gains = [parsed(each.name, {"1": 5, "2": 7, "3": 8}) for each in corpora.REAL]
    cells = learned_cells(*gains)
    claims = learned_claims(cells, corpora.REAL)
    assert [claim.ratio for claim in claims[:2]] == ["10 of 10: 100% [69%, 100%]"] * 2
    assert [claim.verdict for claim in claims] == [REPRODUCED] * 3
    trained = {each.name: 100 for each in corpora.REAL}
    named = " ".join(cell for row in learned_table(cells, corpora.REAL, trained).rows for cell in row)
    assert all(each.name in named for each in corpora.REAL)
