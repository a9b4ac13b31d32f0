"""Tables 2 and 3 of the turbo parser paper with trained models on the treebanks at hand: attachment and speed by order.

    python -m bench.studies.learned_parsing results/learned-parsing [--data DIR] [--models DIR] [only ...]

Without `--data` the parser is trained and tested on generated sentences. `only` chooses settings by name. Every finished row is kept in
`cells.jsonl` and not computed again. The paper trains with 10 epochs; a setting with fewer says so in its row.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from problems.parsing.instance import ORDERS
from problems.parsing.model import ParserModel

from ..learning.loop import Silent, Watcher
from ..learning.parsing.training import Evaluation, Training
from ..learning.significance import paired_bootstrap, ratio
from ..output.tables import Table

if TYPE_CHECKING:
    import pandas as pd

TURBO = {"1": (80.2, 9060), "2": (82.7, 1330), "3": (83.1, 910)}  # TurboParser, trained on en_ewt dev: UAS, tokens/s
PAPER = {  # UAS without punctuation and tokens per second on other data: Table 2 (PTB section 22), Table 3 (CoNLL-2006 Dutch)
    "en_ewt": {"1": (91.38, 4063), "2": (93.15, 1338), "2+": (93.28, 1018), "3": (93.29, 709)},
    "nl_lassysmall_v1.4": {"1": (83.61, 3884), "2": (86.37, 1294), "3": (86.19, 599)},
    "pt_bosque": {"1": (91.14, 4273), "2": (92.71, 1316), "3": (92.69, 740)},
    "da_ddt": {"1": (89.42, 4110), "2": (91.20, 1053), "3": (91.48, 650)},
}


@dataclass(frozen=True)
class Setting:
    """One treebank and kind of tags; `orders` are trained one by one."""

    name: str
    corpus: str
    split: str = "train"
    tags: Literal["gold", "predicted"] = "gold"
    orders: tuple[str, ...] = ("1", "2", "2+", "3")
    epochs: int = 10
    limit: int | None = None
    bits: int = 22


GENERATED = (
    Setting("generated", "generated", epochs=5),
    Setting("generated-predicted", "generated", tags="predicted", orders=("3",), epochs=5),
)
REAL = (
    Setting("en-dev", "en_ewt", "dev", orders=("3", "2", "1", "2+")),
    Setting("en-dev-predicted", "en_ewt", "dev", "predicted", ("1", "3")),
    Setting("nl", "nl_lassysmall_v1.4", orders=("1", "2", "3"), epochs=5),
    Setting("en-train", "en_ewt", orders=("1", "2", "3"), epochs=3),
    Setting("da-dev", "da_ddt", "dev"),
    Setting("pt-dev", "pt_bosque", "dev"),
)


def learned_rows(
    settings: Sequence[Setting],
    data: str = "",
    models: Path | None = None,
    cells: Path | None = None,
    watcher: Watcher | None = None,
) -> pd.DataFrame:
    """A row of measures for each setting and order; `correct` has the numbers of right heads and of words by sentence."""
    import pandas as pd

    found: list[dict[str, Any]] = []
    if cells is not None and cells.exists():
        found = [json.loads(line) for line in cells.read_text(encoding="utf-8").splitlines()]
    for setting in settings:
        for order in setting.orders:
            if any((row["setting"], row["order"]) == (setting.name, order) for row in found):
                continue
            found.append(_row(setting, order, data, models, watcher or Silent()))
            if cells is not None:
                with cells.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found[-1]) + "\n")
    names = [setting.name for setting in settings]
    kept = [row for row in found if row["setting"] in names]
    kept.sort(key=lambda row: (names.index(row["setting"]), ORDERS.index(row["order"])))
    return pd.DataFrame(kept)


def _row(setting: Setting, order: str, data: str, models: Path | None, watcher: Watcher) -> dict[str, Any]:
    watcher.say(f"{setting.name}, order {order}")
    path = None if models is None else models / f"{setting.name}-{order.replace('+', 'plus')}.model"
    if path is not None and path.exists():
        model = ParserModel.read(path)
    else:
        from ..learning.parsing.training import read_sentences

        training = Training(
            corpus=setting.corpus,
            data=data,
            split=setting.split,
            order=order,  # type: ignore[arg-type]
            tags="gold" if setting.tags == "gold" else "jackknifed",
            epochs=setting.epochs,
            limit=setting.limit,
            bits=setting.bits,
            classifier_bits=setting.bits,
        )
        sentences = read_sentences(setting.corpus, training.data, setting.split, setting.limit, training.seed)
        earlier = [] if models is None else sorted(models.glob(f"{setting.name}-[123]*.model"))
        base = ParserModel.read(earlier[0]) if earlier else None  # orders share tagger, pruner and labels
        model, _ = training.fit(sentences, watcher, base=base)
        if path is not None:
            model.write(path)
    test = Evaluation(corpus=setting.corpus, data=data, tags=setting.tags)
    row, correct = test.row_with_counts(model)
    figures = {f"training {name}": model.figures.get(name) for name in ("sentences", "words", "epochs", "cpu_seconds")}
    return {"setting": setting.name, "training split": setting.split, **row, **figures, "correct": correct}


def gains(frame: pd.DataFrame) -> list[str]:
    """Is each order better than first order (the paper: 'consistent gains when more expressive features are added')?"""
    said = []
    for name, group in frame.groupby("setting", sort=False):
        counts = {str(row["order"]): np.array(row["correct"], dtype=float) for _, row in group.iterrows()}
        present = [order for order in ORDERS if order in counts]
        for lower, higher in [
            (one, other) for one, other in (("1", "2"), ("2", "3"), ("1", "3")) if {one, other} <= {*present}
        ]:
            found = paired_bootstrap(counts[higher], counts[lower], ratio)
            said.append(
                f"{name}: order {higher} above {lower} by {100 * found.difference:+.2f} UAS "
                f"[{100 * found.low:+.2f}, {100 * found.high:+.2f}]: {found.verdict}."
            )
    return said


def table(frame: pd.DataFrame) -> Table:
    headings = [
        "training",
        "sentences",
        "tags",
        "order",
        "UAS",
        "LAS",
        "UAS no punct.",
        "non-proj. recall",
        "oracle",
        "heads/word",
    ]
    headings += ["tokens/s", "epochs", "TurboParser UAS", "tok/s", "paper UAS", "tok/s"]
    rows: list[list[str]] = []
    for _, row in frame.iterrows():
        if rows and rows[-1][0] != row["setting"]:
            rows.append([])
        order = str(row["order"])
        turbo = TURBO.get(order) if row["setting"] == "en-dev" else None
        paper = PAPER.get(str(row["corpus"]), {}).get(order)
        shown = [str(row["setting"]), f"{row['training sentences']:.0f}", str(row["tags"]), order]
        names = ("UAS", "LAS", "UAS-unicode", "non-projective recall", "oracle", "heads per word")
        shown += ["" if np.isnan(row[name]) else f"{row[name]:.2f}" for name in names]
        shown += [f"{row['tokens/s']:.0f}", f"{row['training epochs']:.0f}"]
        for pair in (turbo, paper):
            shown += [f"{pair[0]:g}", f"{pair[1]}"] if pair else ["", ""]
        rows.append(shown)
    notes = [
        "UAS and LAS (whole labels) count punctuation; 'no punct.' leaves out words of Unicode category P, as the CoNLL tasks did.",
        "tokens/s: CPU, pruning + features + decoding (order 1 by dp-mst, others by ad3 with at most 200 iterations), on a shared machine.",
        "TurboParser: the original, trained and tested on the same files. Paper: other treebanks, for orientation only.",
        "predicted: tags by our tagger, jackknifed 10-fold in training. non-proj. recall: of gold arcs over a word not dominated.",
        *gains(frame),
    ]
    return Table("Learned parsing by order", headings, rows, notes)


def main(folder: Path, data: str, models: Path | None, only: Sequence[str]) -> None:
    from rich.console import Console

    from ..learning.watching import TerminalWatcher

    folder.mkdir(parents=True, exist_ok=True)
    settings = [one for one in (REAL if data else GENERATED) if not only or one.name in only]
    with TerminalWatcher(Console()) as watcher:
        for setting in settings:
            learned_rows([setting], data, models, folder / "cells.jsonl", watcher)
        table(kept_rows(folder / "cells.jsonl")).write(folder)


def kept_rows(cells: Path) -> pd.DataFrame:
    """All rows that have been measured so far."""
    orders: dict[str, list[str]] = {}
    for line in cells.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        orders.setdefault(row["setting"], []).append(row["order"])
    known = [replace(one, orders=tuple(orders[one.name])) for one in (*GENERATED, *REAL) if one.name in orders]
    return learned_rows(known, cells=cells)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    values = {}
    for option in ("--data", "--models"):
        if option in arguments:
            place = arguments.index(option)
            values[option] = arguments[place + 1]
            del arguments[place : place + 2]
    given = Path(arguments[0]) if arguments else Path("results/learned-parsing")
    kept = Path(values["--models"]) if "--models" in values else None
    main(given, values.get("--data", ""), kept, arguments[1:])
