"""When an iterative solver pauses to look around: at round numbers, at chosen iterations, at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator


def marks(last: int, every: int, others: Collection[int] = ()) -> Iterator[int]:
    """Rising iteration numbers up to `last`: multiples of `every`, and the others. Works for any `last`."""
    chosen = sorted({mark for mark in others if 0 < mark < last})
    place, done = 0, 0
    while done < last:
        following = min(last, (done // every + 1) * every)
        if place < len(chosen) and chosen[place] <= following:
            following = chosen[place]
            place += 1
        done = following
        yield done


def spread(last: int, count: int = 60) -> set[int]:
    """About `count` iterations for a trace, dense at first and sparse later."""
    return {round(last ** (step / count)) for step in range(count + 1)}
