"""Table 2 of Yao, Wan & Xiao (2014) with models trained on pairs: rate and F1 of grammatical relations of eight systems.

    python -m bench.studies.learned_transduction results/learned-transduction --corpus google_eval --parser PARSER.model
    python -m bench.studies.learned_transduction results/learned-transduction                     (generated sentences)

All systems keep the same number of words of each test sentence (`--length rule`), by a line fitted to the training pairs, or
as many as their rewards, tuned to the gold rate on held-out pairs, make them keep (`--length free`, as in the paper). The model is
kept in a folder of its own (`--models`) and not trained again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from problems.linear_program import Floats
from problems.transduction.learned.model import TransductionModel

from ..experiments.sources import data_folder
from ..learning.compression.data import load
from ..learning.compression.measures import MEASURES, measured
from ..learning.compression.training import gold_rate
from ..learning.loop import Silent
from ..learning.options import GENERATED
from ..learning.transduction.systems import SYSTEMS, outputs
from ..learning.transduction.training import Training
from ..output.tables import Table
from ..published import TRANSDUCTION
from ..records.provenance import provenance
from .learned_claims import Claim, arguments, claims_table, described, verdicts

if TYPE_CHECKING:
    import pandas as pd

DISCRIMINATIVE, RERANKER, RULES = "Discriminative", "G&A2010", "Pure Tree-Transduction"
BEAM, LM, BOTH = "T3+LM (Beam Search)", "T3+LM (Dual Decomp.)", "T3+Discr. (Dual Decomp.)"
CLAIMS = [
    Claim("T3+discriminative above T3+LM", "relation F1", BOTH, LM),
    Claim("T3+discriminative above T3+LM", "unigram F1", BOTH, LM),
    Claim("T3+discriminative above T3+LM, both exact", "relation F1", "T3+Discr., exact", "T3+LM, exact"),
    Claim("T3+discriminative above discriminative alone", "relation F1", BOTH, DISCRIMINATIVE),
    Claim("T3+discriminative above rules alone", "relation F1", BOTH, RULES),
    Claim("T3+discriminative above the reranker", "relation F1", BOTH, RERANKER),
    Claim("T3+LM above rules alone", "relation F1", LM, RULES),
    Claim("dual decomposition above beam search", "relation F1", LM, BEAM),
]


class Study(NamedTuple):
    """Rows of the table, values per sentence, claims, and facts for the notes."""

    rows: pd.DataFrame
    values: dict[str, dict[str, Floats]]
    claims: pd.DataFrame
    facts: dict[str, Any]


def run(
    corpus: str = GENERATED,
    data: str = "",
    parser: str = "",
    models: Path = Path("models"),
    limit: int | None = None,
    test_limit: int | None = None,
    length: str = "rule",
    without: Sequence[str] = (),
    **options: Any,
) -> Study:
    """Train (where there is no model yet), decode and measure."""
    import pandas as pd

    folder = data or str(data_folder())
    path = models / "transduction.model"
    if not path.is_file():
        models.mkdir(parents=True, exist_ok=True)
        start = time.process_time()
        training = Training(**options)
        figures = training.fit(load(corpus, folder, "train", limit, parser), path, True, Silent())
        print(figures, f"{time.process_time() - start:.0f} s CPU", flush=True)
    model = TransductionModel.read(path)
    test = load(corpus, folder, "test", test_limit, parser)
    lengths = [None if length == "free" else model.rule.length(len(pair.sentence)) for pair in test.pairs]
    values: dict[str, dict[str, Floats]] = {}
    rows = []
    for system in (each for each in SYSTEMS if each.name not in without):
        outputs(system, model, path, test.pairs[:1], lengths[:1])  # warm-up
        found = outputs(system, model, path, test.pairs, lengths)
        scores = measured(test.pairs, [each.kept for each in found], test.parse)
        values[system.name] = scores | {"seconds": np.array([each.seconds for each in found])}
        row: dict[str, Any] = {"system": system.name}
        row |= {name: float(array.mean()) for name, array in values[system.name].items()}
        rows.append(row | {"certified": sum(each.certified for each in found)})
        print(row, flush=True)
    facts = {"pairs": len(test.pairs), "dropped": test.dropped, "gold rate": gold_rate(test.pairs), "length": length}
    facts["settings"] = {name: list(values) for name, values in model.settings.items()}
    return Study(pd.DataFrame(rows), values, verdicts(CLAIMS, values), facts)


def table(study: Study, corpus: str, parser: str) -> Table:
    headings = ["system", "rate", "relation F1", "unigram F1", "exact match", "certified", "ms"]
    headings += ["paper: Written rate", "F1", "Spoken rate", "F1"]
    rows = []
    for row in study.rows.to_dict("records"):
        paper = TRANSDUCTION.get(row["system"])
        cells = [row["system"]]
        cells += [f"{100 * row[name]:.1f}" for name in (MEASURES[0], MEASURES[2], MEASURES[1], MEASURES[3])]
        cells += [str(row["certified"]), f"{1e3 * row['seconds']:.2f}"]
        rows.append(cells + (["", "", "", ""] if paper is None else [f"{value:g}" for value in paper]))
    facts = study.facts
    relations = "a parser's labelled arcs on each output" if parser else "the source tree, contracted to the kept words"
    lengths = (
        "Every system keeps the same number of words of a sentence, by a line fitted to the training pairs."
        if facts["length"] == "rule"
        else "Lengths are free: rewards per kept word meet the gold rate on held-out pairs; the reranker knows no reward."
    )
    notes = [
        f"Means in per cent over {facts['pairs']} test pairs of {corpus} ({facts['dropped']} could not be aligned); gold rate {100 * facts['gold rate']:.1f}.",
        lengths,
        f"Relations: {relations}. The paper has other sentences and another parser: only orders can be compared.",
        "ms: CPU of decoding, warm (beam search with a fixed length: with the search for its reward); certified: proven optima of a system's own model.",
        "With a fixed length, dual decomposition rounds its mean: the paper's Algorithm 1 takes what the first factor says, which knows no length.",
        *([f"Trees: {described(parser)}."] if parser else []),
    ]
    return Table("Sentence compression by transduction: Table 2 of Yao, Wan & Xiao (2014)", headings, rows, notes)


def main() -> None:
    given = arguments(__doc__, epochs=5)
    given.add_argument("--length", choices=("rule", "free"), default="rule")
    given.add_argument("--without", action="append", default=[], help="a system that is left out; may be repeated")
    chosen = given.parse_args()
    study = run(**{name: value for name, value in vars(chosen).items() if name != "folder"})
    chosen.folder.mkdir(parents=True, exist_ok=True)
    ending = "" if chosen.length == "rule" else "-free"
    table(study, chosen.corpus, chosen.parser).write(chosen.folder, stem=f"table{ending}")
    notes = ["Paired bootstrap over test sentences, 10,000 samples; undecided: the interval contains 0."]
    claims_table("Claims of Yao, Wan & Xiao (2014)", study.claims, notes).write(chosen.folder, stem=f"claims{ending}")
    solvers = dict.fromkeys(system.solver for system in SYSTEMS)
    facts = provenance(solvers, corpus=chosen.corpus, parser=chosen.parser, facts=study.facts)
    (chosen.folder / f"provenance{ending}.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
