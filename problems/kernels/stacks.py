"""Rows of a stack of spans, written number by number: numba takes a fifth of a second to compile `stack[at] = kind, i, j`."""

from __future__ import annotations

from .cache import inner


@inner
def put3(stack, at, kind, i, j):
    stack[at, 0] = kind
    stack[at, 1] = i
    stack[at, 2] = j


@inner
def put4(stack, at, kind, i, j, k):
    put3(stack, at, kind, i, j)
    stack[at, 3] = k


@inner
def put5(stack, at, kind, i, j, k, last):
    put4(stack, at, kind, i, j, k)
    stack[at, 4] = last
