"""When an iterative solver pauses to look around: at round numbers, at chosen iterations, at the end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence


def marks(last: int, every: int, others: Collection[int] = ()) -> Iterator[int]:
    """Rising iteration numbers up to `last`: multiples of `every`, and the others. Works for any `last`."""
    chosen, done = sorted(others), 0
    while done < last:
        done = following(done, last, every, chosen)
        yield done


def following(done: int, last: int, every: int, chosen: Sequence[int]) -> int:
    """The next mark after `done` iterations; `chosen` are the others, sorted."""
    mark = min(last, (done // every + 1) * every)
    place = bisect_right(chosen, done)
    return min(mark, chosen[place]) if place < len(chosen) else mark


def spread(last: int, count: int = 60) -> set[int]:
    """About `count` iterations for a trace, dense at first and sparse later."""
    return {round(last ** (step / count)) for step in range(count + 1)}
