"""Solvers that misbehave when they are asked for their version or whether they can be used. A plug-in."""

from __future__ import annotations

import os
import time

from solvers.base import Solution, Solver


class Plain(Solver):
    name = "plain-version"

    def solve(self, instance: object) -> Solution:
        return Solution("timeout")

    @classmethod
    def version(cls) -> str:
        return "plain 1.0"


class Exits(Plain):
    name = "version-exits"

    @classmethod
    def version(cls) -> str:
        raise SystemExit(0)


class Interrupts(Plain):
    name = "version-interrupts"

    @classmethod
    def version(cls) -> str:
        raise KeyboardInterrupt


class Ends(Plain):
    name = "version-ends"

    @classmethod
    def version(cls) -> str:
        os._exit(0)


class Long(Plain):
    name = "version-long"

    @classmethod
    def version(cls) -> str:
        return "1.0\n" * 5_000_000


class UnavailableExits(Plain):
    name = "unavailable-exits"

    @classmethod
    def unavailable(cls) -> str | None:
        raise SystemExit(0)


class UnavailableLong(Plain):
    name = "unavailable-long"

    @classmethod
    def unavailable(cls) -> str | None:
        return "x" * 20_000_000


class Sleeps(Plain):
    name = "version-sleeps"

    @classmethod
    def version(cls) -> str:
        time.sleep(600)
        return ""


class UnavailableSleeps(Plain):
    name = "unavailable-sleeps"

    @classmethod
    def unavailable(cls) -> str | None:
        time.sleep(600)
        return None
