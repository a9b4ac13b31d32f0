"""How many steps of compiling are done, for commands that show nothing else meanwhile: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console

from .kernel_steps import WHAT, Step, load_step

if TYPE_CHECKING:
    from rich.progress import Progress

LINE_EVERY_SECONDS = 20.0


class Lines:
    """What is said where no bar can be drawn: the first count, and then one line in a while."""

    def __init__(self, say: Callable[[str], object], clock: Callable[[], float] = time.monotonic) -> None:
        self._say, self._clock = say, clock
        self._said: float | None = None

    def __call__(self, what: str, done: int, total: int) -> None:
        now = self._clock()
        if self._said is None:
            self._say(f"{what}, once for this version: {done} of {total}")
            self._said = now
        elif now - self._said >= LINE_EVERY_SECONDS and done < total:
            self._say(f"{what}: {done} of {total}")
            self._said = now


class CompilingBar:
    """Call it with each count (`Announce`). The bar goes when everything is done, or when the context is left."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._lines = Lines(lambda text: console.print(text, markup=False, soft_wrap=True), clock)
        self._bar: Progress | None = None

    def __call__(self, what: str, done: int = 0, total: int = 0, /) -> None:
        if not self._console.is_terminal:
            self._lines(what, done, total)
            return
        if self._bar is None:
            self._bar = _started(self._console)
            self._bar.add_task(what)
        self._bar.update(self._bar.task_ids[0], description=f"{what}: {done} of {total}", completed=done, total=total)
        if done >= total:
            self.close()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __enter__(self) -> CompilingBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _started(console: Console) -> Progress:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console, transient=True)
    bar.start()
    return bar


@contextlib.contextmanager
def compiled_here(steps: list[Step], console: Console) -> Iterator[None]:
    """Take steps in this process; what runs in the context is the last one. Nothing is shown unless a kernel is compiled."""
    from problems.kernels import announcing

    done, total, shown = 0, len(steps) + 1, False
    with CompilingBar(console) as bar:

        def show() -> None:
            nonlocal shown
            if not shown:
                shown = True
                bar(WHAT, done, total)

        with announcing.shown_by(show):
            for step in steps:
                load_step(step)
                done += 1
                if shown:
                    bar(WHAT, done, total)
            yield
