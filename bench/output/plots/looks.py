"""One colour per solver, in every figure, on every page: the hue says which kind of solver it is, the shade and the marker which one.

Colours are based on Okabe & Ito (2008). Each has a twin for dark pages. A line is dashed for one reason only: it shows objectives beside
the bounds of the same solver (`convergence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from ...records.frame import Records

MARKERS = ("o", "s", "^", "D", "v", "P", "*", "<")


class Kind(NamedTuple):
    """Solvers whose names begin alike: shades as (on white, on dark), and the known names in the order of shades and markers.

    `turn` is the marker of the first: it differs from kind to kind, for readers who do not see colours.
    """

    starts: tuple[str, ...]
    turn: int
    shades: tuple[tuple[str, str], ...]
    members: tuple[str, ...]


KINDS = (
    Kind(("ad3",), 0, (("#0072B2", "#4A9FD8"), ("#56B4E9", "#9BD4F5"), ("#003F7D", "#7C97EA")), ("ad3", "ad3-exact", "ad3-ilp")),
    Kind(("subgradient",), 4, (("#E69F00", "#E69F00"), ("#A66F00", "#CFA14A")), ("subgradient",)),
    Kind(
        ("dp-",), 3,
        (("#009E73", "#12B886"), ("#5FB233", "#98D66A"), ("#005C42", "#5FA98C"), ("#00A0A8", "#3FD0D0")),
        ("dp-exact", "dp-lagrangian", "dp-eisner", "dp-mst", "dp-tree", "dp-bigram", "dp-ngram", "dp-transduction"),
    ),
    Kind(
        ("ilp-", "tree-ilp"), 2,
        (("#D55E00", "#EE7733"), ("#8B1A1A", "#E07070"), ("#F0806A", "#FFB3A3"), ("#B5446E", "#E07BA0"), ("#7A3E00", "#C08A55")),
        ("ilp-highs", "ilp-glpk", "ilp-cpsat", "ilp-gurobi", "ilp-xpress", "ilp-scip", "ilp-cbc", "ilp-pulp"),
    ),
    Kind(
        ("lp-",), 7,
        (("#CC79A7", "#DD9DC0"), ("#6A3D9A", "#A98BD9"), ("#A56CC1", "#CBA6E0")),
        ("lp-highs", "lp-clp", "lp-glop", "lp-glpk", "lp-gurobi", "lp-xpress", "lp-highs-ipm", "lp-pdlp"),
    ),
    Kind(
        ("",), 5,
        (
            *(("#000000", "#FFFFFF"), ("#7F7F7F", "#9E9E9E"), ("#8C564B", "#BC8A80"), ("#8A8A1F", "#C4C45A")),
            *(("#332288", "#9186E8"), ("#882255", "#CF6597"), ("#3B7A8C", "#7FB8C8")),
        ),
        ("beam", "greedy", "crf", "rerank", "brute-force", "auto", "wcsp-toulbar2", "maxsat-rc2"),
    ),
)  # fmt: skip
PALETTE: tuple[tuple[str, str], ...] = tuple(shade for kind in KINDS for shade in kind.shades)
"""All colours on white, each with its twin on a dark page."""


@dataclass(frozen=True)
class Look:
    """How a solver is drawn in every figure; the fields are matplotlib's properties of a line."""

    color: str
    marker: str
    linestyle: str = "-"

    @property
    def place(self) -> int:
        """Of its colour in the palette."""
        return [light for light, _ in PALETTE].index(self.color)


def looks(records: Records) -> dict[str, Look]:
    """A look for each label, those of the experiment first: the same in all plots of a run."""
    planned = [solver.get("label") for solver in records.experiment.get("solvers", [])]
    solvers = dict(zip(records["label"], records["solver"], strict=True))
    labels = [label for label in dict.fromkeys(planned) if label in solvers]
    return assigned({label: str(solvers[label]) for label in [*labels, *solvers]})


def assigned(solvers: Mapping[str, str] | Iterable[str]) -> dict[str, Look]:
    """A look for each label (of a solver, or itself a solver's name); no two are alike as long as there are looks left.

    Labels of one solver share its colour and differ in their markers. Where there is only one solver, colours tell its labels apart.
    """
    given = dict(solvers) if isinstance(solvers, Mapping) else {label: label for label in solvers}
    alone = len(given) > 1 and len(set(given.values())) == 1
    found: dict[str, Look] = {}
    for label in sorted(given, key=lambda label: (_known(given[label]) is None, label != given[label])):
        if alone:
            wanted = _from(len(found), len(found), [kind.shades[0] for kind in KINDS])
        else:
            wanted = _wanted(given[label], {look.color for look in found.values()})
        found[label] = next((look for look in wanted if look not in found.values()), wanted[0])
    return {label: found[label] for label in given}


def _wanted(solver: str, used: set[str]) -> list[Look]:
    """Looks for a solver, the best one first. A name that is not known here avoids colours that others have."""
    kind, known = _kind(solver), _known(solver)
    if known is not None:
        place = kind.members.index(known)
        return _from(place, place + kind.turn, kind.shades)
    place = crc32(solver.encode("utf-8", "replace"))
    looks = _from(place, place + kind.turn, kind.shades)
    return sorted(looks, key=lambda look: look.color in used)


def _from(place: int, first: int, shades: Sequence[tuple[str, str]]) -> list[Look]:
    """The shade at a place with every marker, then the next shades, then the whole palette."""
    turned = [shades[(place + turn) % len(shades)] for turn in range(len(shades))]
    every = dict.fromkeys([*turned, *PALETTE])
    return [Look(light, MARKERS[(first + turn) % len(MARKERS)]) for light, _ in every for turn in range(len(MARKERS))]


def _kind(solver: str) -> Kind:
    return next(kind for kind in KINDS if solver.startswith(kind.starts))


def _known(solver: str) -> str | None:
    """The solver that a label names, if it is one of ours."""
    return next((name for name in sorted(_kind(solver).members, key=len, reverse=True) if _names(solver, name)), None)


def _names(label: str, name: str) -> bool:
    """Is it that solver, perhaps with options behind its name?"""
    return label == name or (label.startswith(name) and not (label[len(name)].isalnum() or label[len(name)] == "-"))


NEUTRAL = {"#ffffff": "#14171b", "#000000": "#e6e9ec", "#737373": "#a3adb8", "#e6e6e6": "#30363e"}
"""Paper, ink, notes and grid of a figure, and their twins on a dark page."""


def follows_the_page(svg: str) -> str:
    """A drawing that is dark on a dark page: every colour becomes its twin."""
    twins = {light.lower(): dark for light, dark in PALETTE} | NEUTRAL
    rules = [
        f'[style*="{name}: {light}"] {{ {name}: {dark} !important; }}'
        for light, dark in twins.items()
        for name in ("fill", "stroke")
        if f"{name}: {light}" in svg
    ]
    said = f"svg {{ fill: {NEUTRAL['#000000']}; }} {' '.join(rules)}"  # text has no colour of its own
    style = f"<style>@media screen and (prefers-color-scheme: dark) {{ {said} }}</style>"
    return re.sub(r"<svg\b[^>]*>", lambda found: found[0] + style, svg, count=1)


def palette_css() -> str:
    """The palette as classes `k0`, `k1` ... of a page, light and dark."""
    names = range(len(PALETTE))
    light, dark = ("".join(f"--k{place}: {PALETTE[place][side]}; " for place in names) for side in (0, 1))
    classes = " ".join(f".k{place} {{ color: var(--k{place}); }}" for place in names)
    return f":root {{ {light}}}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark}}} }}\n{classes}\n"
