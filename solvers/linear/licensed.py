"""What Gurobi and Xpress share: settings by name, a licence that must be there, and programs that are too large for it."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from problems.errors import InputError

from .backend import LinearBackend, missing

SMALLER = "`--option reduced=true` makes the program smaller by exact means."


@dataclass(kw_only=True)
class LicensedBackend(LinearBackend):
    module: ClassVar[str]
    extra: ClassVar[str]  # of this package; it brings the module
    limit_name: ClassVar[str]  # of the library's time limit
    settings: ClassVar[dict[str, float]]

    @classmethod
    def unavailable(cls) -> str | None:
        return missing(cls.module, f"pip install 'dualbench[{cls.extra}]'") or cls.licence_problem()

    @classmethod
    @abstractmethod
    def licence_problem(cls) -> str | None:
        """Why the library does not start, or None. Whoever only asks holds no licence afterwards."""

    def named_settings(self) -> dict[str, float]:
        limit = {} if self.time_limit is None else {self.limit_name: self.time_limit}
        return self.settings | limit

    def beyond_licence(self, sentence: str) -> InputError:
        """The refusal, and what else to try: some programs fit once they are reduced."""
        return InputError(sentence if self.reduced else f"{sentence} {SMALLER}")


def no_licence(library: str, error: Exception) -> str:
    return f"{library} finds no licence that it may use ({error})"


def plain_bound(value: float, infinity: float) -> float:
    """A bound as a library says it, which writes a large number for an infinite one."""
    return value if abs(value) < infinity else math.copysign(math.inf, value)
