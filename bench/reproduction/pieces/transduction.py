"""Yao, Wan & Xiao (2014): Table 2 with marks of significance, Table 3 (published only) and Table 4 (examples)."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

from problems.transduction.generate import Example, example

from ...output.tables import Table
from ...published import RATINGS, SIGNIFICANT, TRANSDUCTION
from ...studies.transduction_table import Result, decode, marks, systems
from ..piece import Context, Outcome, Passage, Piece
from ..real import CORPORA
from .transduction_claims import transduction_claims

PAPER = "Yao, Wan & Xiao (2014)"
SENTENCES, QUICK_SENTENCES = 294, 20  # as many as the paper's Written test set
EXAMPLE_SENTENCES, EXAMPLES = 40, 2  # the paper shows two


def decoded(count: int) -> tuple[list[Example], dict[str, list[Result]]]:
    sentences = [example(seed, "news") for seed in range(count)]
    results = {}
    for system in systems():
        decode(system, sentences[0], "warm-up")
        results[system.name] = [decode(system, each, f"news-{seed}") for seed, each in enumerate(sentences)]
    return sentences, results


def make_table2(context: Context) -> Outcome:
    """With real data: models trained on pairs; the human ratings are shown as published either way."""
    if context.data is not None:
        from .learned_pairs import transduction_outcome

        learned = transduction_outcome(context)
        return replace(learned, tables={**learned.tables, "table3": ratings()})
    sentences, results = decoded(QUICK_SENTENCES if context.quick else SENTENCES)
    rate = 100 * fmean(len(each.kept) / len(each.tree.words()) for each in sentences)
    tables = {"table": table2(results, rate), "table3": ratings()}
    return Outcome(tables, claims=transduction_claims(results))


def table2(results: dict[str, list[Result]], gold_rate: float) -> Table:
    signs = marks({name: [each.measures["relation F1"] for each in found] for name, found in results.items()})
    rows = []
    for name, found in results.items():
        rate, relation = (
            100 * fmean(each.measures[key] for each in found) for key in ("compression rate", "relation F1")
        )
        cells = [
            name,
            f"{rate:.1f}",
            f"{relation:.1f}{signs[name]}",
            f"{1e3 * fmean(each.seconds for each in found):.2f}",
        ]
        paper = TRANSDUCTION.get(name)
        if paper is None:
            cells += [""] * 4
        else:
            mark = SIGNIFICANT.get(name, "")
            cells += [f"{paper.written_rate}", f"{paper.written_relations}{mark}"]
            cells += [f"{paper.spoken_rate}", f"{paper.spoken_relations}{mark}"]
        rows.append(cells)
    gold = TRANSDUCTION["Gold-Standard"]
    rows.append(
        [
            "Gold-Standard",
            f"{gold_rate:.1f}",
            "100.0",
            "",
            f"{gold.written_rate}",
            "100.0",
            f"{gold.spoken_rate}",
            "100.0",
        ]
    )
    headings = ["system", "rate", "relation F1", "ms", "paper: Written rate", "F1", "Spoken rate", "F1"]
    count = len(next(iter(results.values())))
    notes = [
        f"Per cent, over {count} generated sentences of size 'news'; ms: mean CPU of decoding with building the graph.",
        "† (*): differs from T3+LM (T3+Discr.) by dual decomposition; paired t-tests, p < 0.01 after Holm's correction over this family.",
        "G&A2010 is given 70 % of each sentence as its length, since no reward steers it; the row with free length keeps more words.",
        "The paper's numbers are of other sentences with another parser: only orders can be compared.",
    ]
    return Table("Table 2 of Yao et al. (2014): automatic evaluation", headings, rows, notes)


def ratings() -> Table:
    """Table 3 as it was published: nothing of it can be computed."""
    headings = ["system", "Written: grammar", "importance", "rate", "Spoken: grammar", "importance", "rate"]
    rows = [
        [name, *(f"{value:.1f}" if place % 3 == 2 else f"{value:.2f}" for place, value in enumerate(row))]
        for name, row in RATINGS.items()
    ]
    notes = [
        "Published values only: ratings from 1 to 5 by three people on 30 sentences of each corpus cannot be reproduced."
    ]
    return Table("Table 3 of Yao et al. (2014), as published: human ratings", headings, rows, notes)


def make_table4(context: Context) -> Outcome:
    """Examples: of the first sentences those on which the systems differ most, so that none is picked by hand."""
    words, outputs = examples(context, 10 if context.quick else EXAMPLE_SENTENCES)
    different = [len({kept[place] for kept in outputs.values()}) for place in range(len(words))]
    chosen = sorted(sorted(range(len(words)), key=lambda place: (-different[place], place))[:EXAMPLES])
    count = len(words)
    words = [words[place] for place in chosen]
    kept = {name: [own[place] for place in chosen] for name, own in outputs.items()}
    rows = [["Original", *(str(len(each)) for each in words)]]
    rows += [[name, *(str(len(each)) for each in own)] for name, own in kept.items()]
    passages = [
        Passage(
            f"Sentence {number + 1}, {name}",
            [[(word, at in own[number]) for at, word in enumerate(words[number], start=1)]],
        )
        for number in range(len(chosen))
        for name, own in kept.items()
    ]
    notes = [
        f"Words kept. Of {count} sentences the {len(chosen)} on which the systems differ most"
        + ("; their texts are below." if context.texts else " (their texts are left out).")
    ]
    headings = ["system", *(f"sentence {number + 1}" for number in range(len(chosen)))]
    table = Table("Table 4 of Yao et al. (2014): example outputs", headings, rows, notes)
    return Outcome({"table": table}, passages=passages)


def examples(context: Context, count: int) -> tuple[list[tuple[str, ...]], dict[str, list[tuple[int, ...]]]]:
    """Words of sentences, and what each system and the gold standard keep of them."""
    if context.data is not None:
        from .learned_pairs import transduction_examples

        return transduction_examples(context, count)
    sentences, results = decoded(count)
    kept = {name: [each.kept for each in found] for name, found in results.items()}
    gold = {"Gold-Standard": [tuple(each.kept) for each in sentences]}
    return [tuple(each.tree.words()) for each in sentences], kept | gold


PAIRS = CORPORA["transduction"]
PIECES = [
    Piece("yao-table2", PAPER, "Tables 2 and 3", "Six systems of tree transduction", make_table2, False, PAIRS),
    Piece("yao-table4", PAPER, "Table 4", "Example outputs", make_table4, False, PAIRS),
]
