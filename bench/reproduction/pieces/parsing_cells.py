"""What the cells of the parsing experiments say: a decoder on a model order, the same sentences in several models, lengths.

The figures of Martins, Almeida & Smith (2013) are made from them: growth of the subproblems (Table 1), and AD3 against subgradient (Figure 2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from ...analysis.statistics.ratios import SpeedUp, speed_up
from ...output.plots.canvas import COLOURS, DASHES, MARKERS, add_legend, new_figure, plain_log_axis, style
from ...studies.parsing_costs import Growth
from ..evidence import Evidence, few
from ..piece import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure


FEW = "few "  # how `parsing-orders` names the sentences for slow solvers
SAME = 1e-6  # bounds within this relative difference are equal
SUBGRADIENT_STEPS = "subgradient"  # the solver, which has a label for each step size
AD3, SUBGRADIENT = "ad3", f"{SUBGRADIENT_STEPS}*"  # a label, and the pattern of those
PUBLISHED_AD3 = "ad3, published"  # without over-relaxation


def model_of(size: str) -> tuple[str, str]:
    """The sentences and the model of a size: `ptb-2+` is `ptb` and order `2+`, `ptb` is order `3`, `ptb-many` `many`."""
    match = re.fullmatch(r"(.+?)(?:-(1|2|2\+|3|many))?", size)
    assert match is not None
    return match[1], match[2] or "3"


RIGHT, SCORED = "metrics.correct without punctuation", "metrics.words without punctuation"


def with_models(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells with the columns `sentences`, `few` (those for slow solvers), `model`, `scored` and `right` (words and gold heads found).

    Punctuation is not scored, as in the paper. They are sorted by these, so that nothing depends on the order of running.
    """
    sentences, models = zip(*map(model_of, cells["size"]), strict=True)
    found = cells.assign(
        sentences=sentences,
        few=[name.startswith(FEW) for name in sentences],
        model=models,
        right=cells[RIGHT].fillna(0.0),  # none where there is no tree
        scored=cells[SCORED].groupby([pd.Series(sentences, cells.index), cells["instance"]]).transform("max"),
    )
    found["scored"] = found["scored"].fillna(found["length"])
    return found.sort_values(["few", "sentences", "label", "model", "instance"], ignore_index=True)


MANY = "many"  # the older decomposition of the third order: a few sentences only


def in_all_models(cells: pd.DataFrame) -> pd.DataFrame:
    """Without the sentences that AD3 has decoded in some orders only, so that rows can be compared."""
    own = cells[(cells["label"] == AD3) & (cells["model"] != MANY)]
    models = own.groupby("sentences")["model"].nunique()
    counts = own.groupby(["sentences", "instance"])["model"].nunique()
    keys = pd.MultiIndex.from_frame(cells[["sentences", "instance"]])
    whole = counts.reindex(keys).to_numpy() == models.reindex(cells["sentences"]).to_numpy()
    return cells[whole]


class Decoded(NamedTuple):
    """One decoder on one model order of some sentences; shares are between 0 and 1, `speed` is in tokens per CPU second."""

    sentences: int
    uas: float
    speed: float
    integral: float
    certified: float
    without_tree: int


def decoded(own: pd.DataFrame) -> Decoded:
    """Of the cells of one label and size. Sentences that a decoder declines count as wrong; they take no time."""
    taken = own[own["status"] != "skipped"]
    whole = own["integral"].dropna()
    return Decoded(
        len(own),
        float(own["right"].sum() / own["scored"].sum()),
        float(taken["length"].sum() / taken["runtime"].sum()) if len(taken) else np.nan,
        float(whole.mean()) if len(whole) else np.nan,
        float((own["status"] == "optimal").mean()),
        int((~own["answered"].astype(bool)).sum()),
    )


def by_sentence(own: pd.DataFrame, model: str) -> pd.DataFrame:
    """One decoder's cells of a model, in the order of the sentences' names."""
    return own[own["model"] == model].set_index("instance").sort_index()


def model_speed_up(own: pd.DataFrame, model: str, other: str, proved: bool = False) -> SpeedUp | None:
    """How many times faster one decoder is in `model` than in `other`, sentence by sentence.

    Two orders have different optima, so that any answer counts; two decompositions have the same, and both have to be `proved`.
    """
    relabelled = own.assign(label=own["model"], instance_digest=own["instance"])
    return speed_up(relabelled, {}, model, other, "optimal" if proved else "any", everywhere=False)


class LengthBin(NamedTuple):
    """AD3 as published and the subgradient method, with the most favourable step size for each sentence, on sentences of similar length.

    Times are mean seconds; `ours` is our over-relaxed AD3's. `faster`: where both prove the optimum. Shares of sentences are between 0 and 1; `behind`: those on
    which the subgradient method's bound is worse than AD3's.
    """

    name: str
    number: int
    sentences: int
    ad3: float
    ours: float
    subgradient: float
    faster: SpeedUp | None
    ad3_proved: float
    subgradient_proved: float
    behind: float


def most_favourable(cells: pd.DataFrame) -> pd.DataFrame:
    """For each sentence the subgradient method's cell with the lowest bound; of equal bounds, the fastest."""
    own = cells[cells["solver"] == SUBGRADIENT_STEPS]
    best = own.groupby("instance_digest")["bound"].transform("min")
    equal = own[own["bound"] <= best + SAME * best.abs()]
    return equal.sort_values("runtime", kind="stable").drop_duplicates("instance_digest")


BIN = 10  # words


def by_length(cells: pd.DataFrame, best: Mapping[str, float]) -> Iterator[LengthBin]:
    """Bins of ten words that have sentences, the last one as wide as the others."""
    bins = ((cells["length"].to_numpy(float) - 1) // BIN).astype(int)
    published = as_published(cells)
    for number in sorted(set(bins.tolist())):
        own = cells[bins == number]
        ad3 = own[own["label"] == published].set_index("instance_digest")
        other = most_favourable(own).set_index("instance_digest").reindex(ad3.index)
        slack = SAME * ad3["bound"].abs()
        yield LengthBin(
            f"{BIN * number + 1}-{BIN * (number + 1)}",
            number,
            len(ad3),
            float(ad3["runtime"].mean()),
            float(own.loc[own["label"] == AD3, "runtime"].mean()),
            float(other["runtime"].mean()),
            speed_up(own, best, published, SUBGRADIENT, "optimal", everywhere=False),
            float((ad3["status"] == "optimal").mean()),
            float((other["status"] == "optimal").mean()),
            float((other["bound"] > ad3["bound"] + slack).mean()),
        )


def as_published(cells: pd.DataFrame) -> str:
    """The label of AD3 as published, ours where it was not run."""
    return PUBLISHED_AD3 if (cells["label"] == PUBLISHED_AD3).any() else AD3


WORDS = 5  # of a bin of Figure 2


def growth_figure(found: Sequence[Growth]) -> Shown:
    prunings = list(dict.fromkeys(each.pruning for each in found))
    names = list(dict.fromkeys(each.name for each in found))
    with style():
        figure, axes = new_figure(len(prunings))
        handles = []
        for axis, pruning in zip(axes, prunings, strict=True):
            for each in (own for own in found if own.pruning == pruning):
                place = names.index(each.name)
                look = {"marker": MARKERS[place], "color": COLOURS[place], "linestyle": DASHES[place % len(DASHES)]}
                microseconds = [1e6 * value for value in each.seconds]
                handles += axis.loglog(each.lengths, microseconds, label=each.name, **look)
            axis.set_title(pruning)
            plain_log_axis(axis.xaxis, *axis.get_xlim())
            axis.set_xlabel("words")
        axes[0].set_ylabel("CPU time of one call (us)")
        add_legend(figure, handles)
    slopes = "; ".join(f"{each.pruning}, {each.name}: {each.law.exponent:.1f}" for each in found)
    return Shown(
        "growth",
        "Cost of one call of every oracle, and of an AD3 iteration, against sentence length.",
        f"Log-log lines of CPU time over words in {len(prunings)} panels, one per pruning. Slopes: {slopes}.",
        figure,
    )


def length_figure(cells: pd.DataFrame) -> Shown:
    """From the cells of `parsing-lengths`."""
    lines = {"AD3": cells[cells["label"] == as_published(cells)], "Subgrad.": most_favourable(cells)}
    longest = {label: 1e3 * float(own.sort_values("length")["runtime"].iloc[-1]) for label, own in lines.items()}
    return Shown(
        "figure2",
        f"Mean CPU time by sentence length, in bins of {WORDS} words, with 95 % intervals over sentences (bands) and the number of sentences of each bin "
        "(above). Hollow: a sentence of the bin is not proved within the cap on iterations, so that its time says too little. The paper's "
        "figure has seconds on its own machine.",
        f"Two lines over sentence length. On the longest sentence ({cells['length'].max():.0f} words) AD3 takes "
        f"{longest['AD3']:.1f} ms, the subgradient method {longest['Subgrad.']:.1f} ms.",
        _drawn(lines),
    )


def _drawn(lines: dict[str, pd.DataFrame]) -> Figure:
    """Mean length and milliseconds of each bin, with bands, counts, and hollow marks where a time is censored."""
    with style():
        figure, (axis,) = new_figure()
        handles = []
        for place, (label, own) in enumerate(lines.items()):
            colour, groups = COLOURS[2 * place], own.groupby(((own["length"] - 1) // WORDS).to_numpy())
            lengths = groups["length"].mean().to_numpy()
            means = [mean_interval(1e3 * part["runtime"].to_numpy()) for _, part in groups]
            values, low, high = np.array(means).T
            axis.fill_between(lengths, low, high, color=colour, alpha=0.18, linewidth=0)
            handles += axis.plot(lengths, values, marker=MARKERS[place], color=colour, label=label)
            censored = groups["status"].apply(lambda statuses: bool((statuses != "optimal").any())).to_numpy(bool)
            axis.plot(
                lengths[censored],
                values[censored],
                linestyle="",
                marker=MARKERS[place],
                color=colour,
                markerfacecolor="white",
            )
        counts = groups.size().to_numpy()
        for length, count in zip(lengths, counts, strict=True):
            axis.annotate(
                str(count), (length, 1.0), xycoords=("data", "axes fraction"), ha="center", va="bottom", size=7
            )
        axis.set_xlabel("sentence length (words)")
        axis.set_ylabel("average runtime (CPU ms)")
        axis.set_ylim(bottom=0)
        add_legend(figure, handles)
    return figure


def mean_interval(values: np.ndarray) -> tuple[float, float, float]:
    """A mean with its 95 % interval over items; of one item there is none."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, mean, mean
    low, high = np.percentile(bootstrapped_means(values), [2.5, 97.5])
    found = Evidence(mean, float(low), float(high), len(values))
    return found.widened(few(len(values)))[:3]


def bootstrapped_means(values: np.ndarray, samples: int = 1000) -> np.ndarray:
    rng = np.random.default_rng(1)
    return values[rng.integers(len(values), size=(samples, len(values)))].mean(axis=1)
