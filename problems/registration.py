"""Names and what they stand for: a table of built-ins, what plug-in files add, and entry points of installed packages.

Nothing is imported to list names. A built-in always wins over an entry point, so that no package can change what a
published name means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .errors import InputError, nearest, quoted

BUILT_IN = "built in"


@dataclass
class Registry:
    """Classes of one sort (`what`: solver or task) by name; `check` says why a class cannot be one, or None."""

    what: str
    group: str
    built_in: Mapping[str, str]
    check: Callable[[Any], str | None]
    reserved: frozenset[str] = frozenset()
    added: dict[str, tuple[type[Any], str]] = field(default_factory=dict)
    _found: dict[str, EntryPoint] | None = None

    def names(self) -> list[str]:
        """Every name there is: the built-in ones in their order, then all others by the alphabet."""
        return [*self.built_in, *sorted({*self.added, *self.installed()} - set(self.built_in))]

    def origin(self, name: str) -> str:
        """Where the thing of this name comes from: built in, a file, or a package with its version."""
        if name in self.built_in:
            return BUILT_IN
        if name in self.added:
            return self.added[name][1]
        point = self.installed().get(name)
        if point is None:
            raise self._unknown(name)
        return _package(point)

    def get(self, name: object) -> type[Any]:
        """The class of this name, imported now if it was not before."""
        if isinstance(name, str) and name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            return getattr(import_module(module), attribute)
        if isinstance(name, str) and name in self.added:
            return self.added[name][0]
        point = self.installed().get(name) if isinstance(name, str) else None
        if point is None:
            raise self._unknown(name)
        return self._load(point)

    def taken(self, name: str) -> str | None:
        """Who has this name already, in words; None if nobody has."""
        if name in self.built_in or name in self.reserved:
            return f"a built-in {self.what}"
        if name in self.added:
            return f"the {self.what} of {self.added[name][1]}"
        return None

    def add(self, found: type[Any], origin: str) -> None:
        """Register a class under its `name`; a second one of the same origin replaces the first."""
        known = self.added.get(found.name)
        owner = self.taken(found.name)
        if owner is not None and (known is None or known[1] != origin):
            raise InputError(f"{origin}: the name {found.name!r} is taken by {owner}.")
        self.added[found.name] = (found, origin)

    def installed(self) -> dict[str, EntryPoint]:
        """The entry points of installed packages by name, not imported; where two share a name, the first found counts."""
        if self._found is None:
            found: dict[str, EntryPoint] = {}
            for point in entry_points(group=self.group):
                if self.taken(point.name) is None:
                    found.setdefault(point.name, point)
            self._found = found
        return self._found

    def shadowed(self) -> list[tuple[str, str]]:
        """Entry points that can never be used because their name is taken: (name, why)."""
        hidden, seen = [], set()
        for point in entry_points(group=self.group):
            owner = self.taken(point.name)
            if owner is None and point.name in seen:
                owner = "another package"
            if owner is not None:
                hidden.append((point.name, f"{_package(point)} is not used: its name is taken by {owner}"))
            seen.add(point.name)
        return hidden

    def forget(self, name: str) -> None:
        """Take back what `add` did."""
        self.added.pop(name, None)

    def _load(self, point: EntryPoint) -> type[Any]:
        where = f"{self.what} {point.name!r} of {_package(point)}"
        try:
            found = point.load()
        except (Exception, SystemExit) as error:  # whatever a stranger's module does when imported
            raise InputError(f"{where} cannot be imported ({type(error).__name__}: {_line(error)}).") from error
        why = self.check(found)
        if why is None and found.name != point.name:
            why = f"its `name` is {found.name!r}, which differs from its entry point's"
        if why is not None:
            raise InputError(f"{where} ({point.value}) cannot be used: {why}.")
        return found

    def _unknown(self, name: object) -> InputError:
        return InputError(
            f"unknown {self.what} {quoted(name)}: {nearest(name, self.names(), f'dualbench list {self.what}s')}"
        )


def _package(point: EntryPoint) -> str:
    return f"package {point.dist.name} {point.dist.version}" if point.dist else f"entry point {point.value}"


def _line(error: BaseException) -> str:
    """An exception's message on one line."""
    return " ".join(str(error).split()) or "no message"


def why_no_name(found: Any) -> str | None:
    """Why a class cannot be looked up by its `name`, or None."""
    name = getattr(found, "name", None)
    if not isinstance(name, str) or not name or name != name.strip() or any(c.isspace() or c in "/\\" for c in name):
        return f"class {found.__name__!r} needs a `name`, a text without spaces such as name = 'my-solver'"
    return None
