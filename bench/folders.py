"""Folders that runs write to. No run overwrites the records of another."""

from __future__ import annotations

from pathlib import Path

from problems.errors import InputError


def fresh_folder(wanted: Path, records: str) -> Path:
    """The folder, made if need be; one that already holds a file `records` stays, and the next free number is taken."""
    number = 1
    try:
        folder = wanted
        while (folder / records).exists():
            number += 1
            folder = wanted.with_name(f"{wanted.name}-{number}")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{wanted}: cannot be written ({error.strerror}).") from None
    return folder
