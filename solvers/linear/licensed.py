"""What the backends of licensed libraries share: a program that is too large for the licence in force is refused."""

from __future__ import annotations

from dataclasses import dataclass

from problems.errors import InputError

from .backend import LinearBackend

SMALLER = "`--option reduced=true` makes the program smaller by exact means."


@dataclass(kw_only=True)
class LicensedBackend(LinearBackend):
    def beyond_licence(self, sentence: str) -> InputError:
        """The refusal, and what else to try: some programs fit once they are reduced."""
        return InputError(sentence if self.reduced else f"{sentence} {SMALLER}")
