"""A weight vector that changes in few places per step, shrinks as a whole, and knows its average over all steps.

The vector is `scale * raw`, so that shrinking is one multiplication. Its sum over steps is kept lazily: with S the sum of the
scales so far, a change d of `raw` made when the sum was S counts from then on, so that the total is S * raw minus the sum of
all S * d at the time of the change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from problems.linear_program import Floats, Integers
from problems.storage import Fields

SMALLEST_SCALE = 1e-6  # below it the scale is folded into the vector

ARRAYS = ("raw", "late", "total")


class AveragedWeights:
    def __init__(self, size: int) -> None:
        self.raw: Floats = np.zeros(size)
        self.late: Floats = np.zeros(size)  # of each change, the sum of scales that it came too late for
        self.total: Floats = np.zeros(size)  # of steps before the scale was last folded in
        self.scale = 1.0
        self.scales = 0.0
        self.steps = 0

    def __len__(self) -> int:
        return len(self.raw)

    def current(self) -> Floats:
        return self.scale * self.raw

    def averaged(self) -> Floats:
        """The mean over all ticks; the current weights before the first."""
        if not self.steps:
            return self.current()
        return (self.total + self.scales * self.raw - self.late) / self.steps

    def add(self, indices: Integers, values: Floats) -> None:
        """Add to some weights; each index at most once."""
        changes = values / self.scale
        self.raw[indices] += changes
        self.late[indices] += self.scales * changes

    def shrink(self, factor: float) -> None:
        """Multiply all weights; a factor of 0 or less forgets them."""
        if factor > 0.0:
            self.scale *= factor
            if self.scale >= SMALLEST_SCALE:
                return
        else:
            self.scale = 0.0
        self.total += self.scales * self.raw - self.late
        self.raw *= self.scale
        self.late[:] = 0.0
        self.scale, self.scales = 1.0, 0.0

    def tick(self) -> None:
        """A step is over: the current weights count once in the average."""
        self.scales += self.scale
        self.steps += 1

    def state(self) -> tuple[dict[str, Any], dict[str, Floats]]:
        """All that it is, as numbers and arrays for a checkpoint."""
        numbers = {"scale": self.scale, "scales": self.scales, "steps": self.steps}
        return numbers, {name: getattr(self, name) for name in ARRAYS}

    def restore(self, numbers: dict[str, Any], arrays: dict[str, Floats]) -> None:
        given = Fields(numbers, "numbers")
        self.scale, self.scales, self.steps = given.number("scale"), given.number("scales"), given.integer("steps", 0)
        for name in ARRAYS:
            setattr(self, name, arrays[name].copy())
