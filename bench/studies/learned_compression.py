"""Table 2 of Qian & Liu (2014) with trained models: rate, unigram F1, relation F1 and seconds of the joint model and its rivals.

    python -m bench.studies.learned_compression results/learned-compression --corpus google_eval --parser PARSER.model
    python -m bench.studies.learned_compression results/learned-compression                     (generated sentences)

Every system is trained on the same pairs and keeps the same number of words of each test sentence, a line fitted to the training
pairs (`LengthRule`); the CRF is also shown with its own lengths, as in the paper. The ILP of Thadani & McKeown (2013)
decodes the joint model's weights without projectivity, on a random part of the test sentences. Models are kept in a folder
of their own (`--models`) and not trained again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from problems.compression.corpora import ParsedPair
from problems.compression.labeller import Labeller
from problems.compression.model import CompressionModel
from problems.linear_program import Floats
from solvers import make_solver

from ..experiments.sources import data_folder
from ..learning.compression.data import Data, load
from ..learning.compression.measures import MEASURES, Kept, measured
from ..learning.compression.training import Training, gold_rate, read_any
from ..learning.loop import Silent
from ..learning.options import GENERATED
from ..output.tables import Table
from ..published import COMPRESSION
from ..records.provenance import provenance
from .learned_claims import Claim, Values, arguments, claims_table, described, verdicts

if TYPE_CHECKING:
    import pandas as pd

SYSTEMS: tuple[Literal["joint", "subtree", "bigram", "crf"], ...] = ("joint", "subtree", "bigram", "crf")
PART_SEED = 2014  # which sentences the ILP gets
ILP_LIMIT = 60.0  # seconds of a sentence
REPAIRED = "Ours (Approx), repaired"
JOINT, EXACT, SUBTREE, ILP, BIGRAM, CRF = (
    "Ours (Approx)",
    "Ours (Exact)",
    "Subtree",
    "TM13",
    "McDonald06",
    "CRFs, same lengths",
)
CLAIMS = [
    Claim("joint above subtree deletion", "unigram F1", EXACT, SUBTREE),
    Claim("joint above subtree deletion", "relation F1", EXACT, SUBTREE),
    Claim("joint above McDonald's bigrams", "unigram F1", EXACT, BIGRAM),
    Claim("joint above McDonald's bigrams", "relation F1", EXACT, BIGRAM),
    Claim("CRF above McDonald's bigrams in unigrams", "unigram F1", CRF, BIGRAM),
    Claim("CRF above subtree deletion in unigrams", "unigram F1", CRF, SUBTREE),
    Claim("CRF below McDonald's bigrams in relations", "relation F1", BIGRAM, CRF),
    Claim("CRF below subtree deletion in relations", "relation F1", SUBTREE, CRF),
    Claim("CRF below joint in relations", "relation F1", EXACT, CRF),
    Claim("exact above approximate, which keeps lengths of its own", "unigram F1", EXACT, JOINT),
    Claim("exact above approximate, which keeps lengths of its own", "relation F1", EXACT, JOINT),
]
PART_CLAIMS = [  # on the sentences that the ILP decoded
    Claim("joint DP above ILP without projectivity", "unigram F1", EXACT, ILP),
    Claim("joint DP above ILP without projectivity", "relation F1", EXACT, ILP),
    Claim("ILP takes longer than the exact DP", "seconds", ILP, EXACT),
    Claim("ILP takes longer than the approximate DP", "seconds", ILP, JOINT),
]


class Row(NamedTuple):
    """A system on some of the test sentences: its name, the paper's name for it, and what it kept."""

    name: str
    published: str
    outputs: list[Kept]
    seconds: Floats  # CPU, of decoding alone
    certified: int | None
    places: np.ndarray  # of the test sentences


Models = dict[str, CompressionModel | Labeller]


@dataclass
class Study:
    """Rows of the table, values per sentence, claims, and facts for the notes."""

    rows: pd.DataFrame
    values: dict[str, dict[str, Floats]]
    claims: pd.DataFrame
    part_claims: pd.DataFrame
    facts: dict[str, Any] = field(default_factory=dict)


def models_of(data: Data, folder: Path, options: dict[str, Any]) -> Models:
    """The trained systems, from their files where they are there already."""
    folder.mkdir(parents=True, exist_ok=True)
    found: Models = {}
    for system in SYSTEMS:
        path = folder / f"compression-{system}.model"
        if not path.is_file():
            start = time.process_time()
            figures = Training(system=system, **options).fit(data, path, True, Silent())
            print(system, figures, f"{time.process_time() - start:.0f} s CPU", flush=True)
        found[system] = read_any(path)
    return found


def decoded(
    name: str,
    published: str,
    model: CompressionModel,
    pairs: Sequence[ParsedPair],
    solver: str,
    options: dict[str, Any] | None = None,
    places: np.ndarray | None = None,
    **changes: Any,
) -> Row:
    """All test sentences, or those at some places, by one solver."""
    chosen = np.arange(len(pairs)) if places is None else places
    decoder = make_solver(solver, "compression", options or {})
    decoder.solve(model.instance(pairs[0].sentence, "warm-up", **changes))
    outputs, seconds, certified = [], [], 0
    for place in chosen.tolist():
        instance = model.instance(pairs[place].sentence, pairs[place].name, **changes)
        solution = decoder.solve(instance)
        outputs.append(() if solution.structure is None else tuple(solution.structure[0]))
        seconds.append(solution.cpu_seconds)
        certified += solution.status == "optimal"
    proves = name in (JOINT, REPAIRED, EXACT, ILP)
    return Row(name, published, outputs, np.array(seconds), certified if proves else None, chosen)


def labelled(name: str, pairs: Sequence[ParsedPair], output: Any) -> Row:
    """The CRF: labelling and choosing, features included, for they are its own."""
    outputs, seconds = [], []
    for pair in pairs:
        start = time.process_time()
        outputs.append(output(pair))
        seconds.append(time.process_time() - start)
    return Row(name, "CRFs", outputs, np.array(seconds), None, np.arange(len(pairs)))


def run(
    corpus: str = GENERATED,
    data: str = "",
    parser: str = "",
    models: Path = Path("models"),
    limit: int | None = None,
    test_limit: int | None = None,
    ilp_sentences: int = 40,
    ilp: str = "ilp-highs",
    **options: Any,
) -> Study:
    """Train (where there is no model yet), decode and measure."""
    folder = data or str(data_folder())
    test = load(corpus, folder, "test", test_limit, parser)
    names = {system: models / f"compression-{system}.model" for system in SYSTEMS}
    if all(path.is_file() for path in names.values()):
        trained: Models = {system: read_any(path) for system, path in names.items()}
    else:
        trained = models_of(load(corpus, folder, "train", limit, parser), models, options)
    pairs = test.pairs
    joint, subtree, bigram, crf = (trained[system] for system in SYSTEMS)
    assert isinstance(joint, CompressionModel)
    assert isinstance(subtree, CompressionModel)
    assert isinstance(bigram, CompressionModel)
    assert isinstance(crf, Labeller)
    part = np.sort(np.random.default_rng(PART_SEED).permutation(len(pairs))[:ilp_sentences])
    flow = {"projective": False, "formulation": "flow"}
    found = [
        decoded(JOINT, JOINT, joint, pairs, "dp-lagrangian", {"repair": False}),
        decoded(REPAIRED, "", joint, pairs, "dp-lagrangian"),
        decoded(EXACT, EXACT, joint, pairs, "dp-exact", {"lengths": "given"}),
        decoded(SUBTREE, SUBTREE, subtree, pairs, "dp-tree"),
        decoded(BIGRAM, BIGRAM, bigram, pairs, "dp-bigram"),
        labelled(CRF, pairs, lambda pair: crf.likeliest(pair.sentence, crf.rule.length(len(pair.sentence)))),
        labelled("CRFs, same average rate", pairs, lambda pair: crf.above(pair.sentence)),
        labelled("CRFs, as labelled", pairs, lambda pair: crf.labelled(pair.sentence)),
    ]
    if ilp_sentences:
        found.insert(4, decoded(ILP, ILP, joint, pairs, ilp, {"time_limit": ILP_LIMIT}, part, **flow))
    return concluded(found, test, part, {"gold rate": gold_rate(pairs), "dropped": test.dropped, "ilp": ilp})


def concluded(found: list[Row], test: Data, part: np.ndarray, facts: dict[str, Any]) -> Study:
    import pandas as pd

    values: dict[str, dict[str, Floats]] = {}
    rows = []
    for row in found:
        pairs = [test.pairs[place] for place in row.places]
        scores = {**measured(pairs, row.outputs, test.parse), "seconds": row.seconds}
        values[row.name] = scores
        line: dict[str, Any] = {"system": row.name, "published": row.published, "sentences": len(pairs)}
        line |= {name: float(scores[name].mean()) for name in (*MEASURES, "seconds")}
        rows.append(line | {"certified": row.certified})
        if row.name == ILP:
            rows.append(_on_part(values[EXACT], part))
    same: Values = {
        name: {measure: array[part] if len(array) == len(test.pairs) else array for measure, array in scores.items()}
        for name, scores in values.items()
    }
    whole = {name: scores for name, scores in values.items() if name != ILP}
    facts["pairs"] = len(test.pairs)
    return Study(pd.DataFrame(rows), values, verdicts(CLAIMS, whole), verdicts(PART_CLAIMS, same), facts)


def _on_part(scores: dict[str, Floats], part: np.ndarray) -> dict[str, Any]:
    """The exact program on the sentences that the ILP decoded, to be compared with it."""
    line: dict[str, Any] = {"system": f"{EXACT}, on these", "published": "", "sentences": len(part)}
    return line | {name: float(scores[name][part].mean()) for name in (*MEASURES, "seconds")} | {"certified": None}


def table(study: Study, corpus: str, parser: str) -> Table:
    headings = ["system", "sentences", "rate", "unigram F1", "relation F1", "exact match", "seconds", "certified"]
    headings += ["paper: rate", "F1", "RASP", "seconds"]
    rows = []
    for row in study.rows.to_dict("records"):
        paper = COMPRESSION.get(row["published"])
        cells = [row["system"], str(row["sentences"]), *(f"{row[name]:.3f}" for name in MEASURES)]
        cells += [f"{row['seconds']:.2g}", "" if row["certified"] != row["certified"] else f"{row['certified']:.0f}"]
        rows.append(cells + (["", "", "", ""] if paper is None else [f"{value:g}" for value in paper]))
    facts = study.facts
    relations = "a parser's labelled arcs on each output" if parser else "the source tree, contracted to the kept words"
    notes = [
        f"Means over {facts['pairs']} test pairs of {corpus} ({facts['dropped']} could not be aligned); gold rate {facts['gold rate']:.3f}.",
        f"Every system keeps the same number of words of a sentence, by a line fitted to the training pairs, but for two CRF rows and for {JOINT}: where it finds no multiplier for that length it keeps the nearest that it finds, and so the model has a say in the length.",
        f"Relations: {relations}. The paper has RASP's relations, other sentences and a rate of 0.68: only orders can be compared.",
        f"seconds: CPU of decoding, warm, without features (the CRF: with them). TM13: {facts['ilp']} on a random part of the sentences, at most {ILP_LIMIT:.0f} s each, with the joint model's weights.",
        "certified: sentences whose optimum at this length was proved.",
        *([f"Trees: {described(parser)}."] if parser else []),
    ]
    return Table("Sentence compression with trained models: Table 2 of Qian & Liu (2014)", headings, rows, notes)


def main() -> None:
    given = arguments(__doc__, epochs=8)
    given.add_argument("--ilp-sentences", type=int, default=40)
    given.add_argument("--ilp", default="ilp-highs")
    chosen = given.parse_args()
    options = {name: value for name, value in vars(chosen).items() if name != "folder"}
    study = run(**options)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    table(study, chosen.corpus, chosen.parser).write(chosen.folder)
    import pandas as pd

    claims = pd.concat([study.claims, study.part_claims], ignore_index=True)
    notes = ["Paired bootstrap over test sentences, 10,000 samples; undecided: the interval contains 0."]
    written = claims_table("Claims of Qian & Liu (2014)", claims, notes)
    written.write(chosen.folder, stem="claims")
    solvers = ["dp-lagrangian", "dp-exact", "dp-tree", "dp-bigram", "crf", chosen.ilp]
    facts = provenance(solvers, corpus=chosen.corpus, parser=chosen.parser, facts=study.facts)
    (chosen.folder / "provenance.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
