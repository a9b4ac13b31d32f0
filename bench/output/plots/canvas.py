"""What all figures share: the style file, one look per solver, a legend beside the data, files that repeat byte by byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from problems.errors import InputError, nearest
from problems.files import check_regular

from ...records.log import writing
from ..escaping import figure_text, plain_text, short_names
from .looks import KINDS
from .looks import MARKERS as MARKERS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = Path(__file__).with_name("dualbench.mplstyle")
FORMATS = ("png", "svg", "pdf")

COLOURS = (*(KINDS[place].shades[0][0] for place in (0, 2, 1, 3, 4, 5)), KINDS[5].shades[2][0])
"""For figures whose lines are no solvers, and for AD3 (the first) beside the subgradient method (the third)."""
DASHES: tuple[Any, ...] = ("-",)
"""Lines of solvers are solid: a dashed line shows objectives beside bounds."""
GREY = "0.45"
LONGEST_NAME = 60  # characters of an entry of a legend


@contextmanager
def style() -> Iterator[None]:
    """Matplotlib's defaults and the style file, whatever the user's own settings are."""
    import matplotlib.style

    with matplotlib.style.context(str(STYLE), after_reset=True):
        yield


def new_figure(columns: int = 1, rows: int = 1) -> tuple[Figure, list[Any]]:
    """A figure of its own (no global state) with its axes row by row; to be called within `style()`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4 if columns == 1 else 4.8 * columns, 4.0 if rows == 1 else 3.3 * rows))
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, sharey=columns * rows > 1)
    return figure, list(axes.flat)


def panel_figure(titles: Sequence[str]) -> tuple[Figure, list[Any]]:
    """A figure with a panel for each title, two in a row; a single one has no title."""
    columns = min(2, len(titles))
    figure, axes = new_figure(columns, -(-len(titles) // columns))
    for unused in axes[len(titles) :]:
        unused.set_axis_off()
    if len(titles) > 1:
        for one, title in zip(axes, titles, strict=False):
            one.set_title(figure_text(title))
    return figure, axes[: len(titles)]


def name_axes(panels: Sequence[Any], x: str, y: str) -> None:
    """What the axes of a `panel_figure` show, said at its left and below the lowest panels."""
    for panel in panels[-2:]:
        panel.set_xlabel(x)
    for panel in panels[::2]:
        panel.set_ylabel(y)


def plain_log_axis(axis: Any, low: float, high: float) -> None:
    """A logarithmic axis with plain numbers: 1, 2, 5, 10 ... on a short one, powers of ten on a long one."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    within = (1.0, 2.0, 3.0, 5.0) if high < 10 * low else (1.0, 2.0, 5.0) if high < 50 * low else (1.0,)
    axis.set_major_locator(LogLocator(subs=within))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(NullFormatter())


def add_legend(figure: Figure, handles: Sequence[Any], notes: Iterable[str] = ()) -> None:
    """The legend and then the notes below the axes, where they cover no data; the figure grows by what they need."""
    entries = {str(handle.get_label()): handle for handle in handles}
    names = [figure_text(name) for name in short_names(entries, LONGEST_NAME).values()]
    notes = [figure_text(note) for note in notes]
    renderer: Any = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    dpi, width, plain = figure.dpi, figure.get_figwidth(), figure.get_figheight()
    said = figure.text(0.0, 0.0, "", fontsize=8, color=GREY, va="bottom", linespacing=1.3, in_layout=False)
    for characters in range(int(width * 18), 20, -4):
        said.set_text("\n".join(line for note in notes for line in wrap(note, characters)))
        if said.get_window_extent(renderer).width <= (width - 0.3) * dpi:
            break
    legend = None
    for columns in range(len(entries), 0, -1):
        legend = figure.legend(list(entries.values()), names, loc="lower center", ncols=columns, borderaxespad=0)
        if columns == 1 or legend.get_window_extent(renderer).width <= width * dpi:
            break
        legend.remove()
    heights = [said.get_window_extent(renderer).height / dpi + 0.1 if said.get_text() else 0.0]
    heights += [legend.get_window_extent(renderer).height / dpi if legend else 0.0]
    heights[1] += 0.05  # a little air below the axes
    total = plain + sum(heights)
    figure.set_figheight(total)
    said.set_position((0.15 / width, 0.07 / total))
    if legend:
        legend.set_in_layout(False)
        legend.set_bbox_to_anchor((0.5, heights[0] / total), transform=figure.transFigure)
    figure.get_layout_engine().set(rect=(0.0, sum(heights) / total, 1.0, plain / total))  # type: ignore[union-attr, call-arg]


def save(figure: Figure, path: str | Path, formats: Iterable[str] = FORMATS) -> list[Path]:
    """Write PATH.png, PATH.svg and PATH.pdf (a path without suffix); the same figure gives the same bytes."""
    formats = tuple(formats)
    for name in formats:
        if name not in FORMATS:
            raise InputError(f"unknown format {name!r} of a plot: {nearest(name, FORMATS)}")
    silent: dict[str, dict[str, None]] = {
        "png": {"Software": None},
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    }
    written = []
    for artist in figure.findobj():  # what names an element of an SVG file
        artist.set_gid(plain_text(str(artist.get_gid())) if artist.get_gid() else None)
    with style():
        for name in formats:
            target = Path(f"{path}.{name}")
            with writing(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                check_regular(target)
                figure.savefig(target, format=name, metadata=silent[name])
            written.append(target)
    return written
