"""What a process of ours may answer the runner: a kind, a nonce, a number, and fields of known types.

The nonce is new for each request and the number counts the answers to it. Bytes that a solver writes to the
connection itself have neither, whatever else they look like: the runner ends the process that sent them.
"""

from __future__ import annotations

import json
import secrets
from typing import Any

ANSWERS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "ready": {"problem": str, "changed": str, "version": str},
    "version": {"version": str},
    "warm": {},
    "loaded": {},
    "solved": {"claim": bytes, "children_seconds": (int, float)},
    "trace": {"points": list, "problem": str},
    "done": {},
    "checked": {"facts": dict},
    "row": {"row": dict},
    "suite": {"state": str, "facts": dict},
}
"""The fields of every kind of answer. Bytes follow the others on a line of their own; only the checker reads them."""
LONGEST = dict.fromkeys(ANSWERS, 2**20) | {
    "solved": 2**26,
    "trace": 2**23,
    "checked": 2**25,
    "row": 2**24,
    "suite": 2**23,
}
"""How many bytes an answer may have. What is parsed in the runner's own process takes ten times as much memory there."""


class NotAnAnswer(ValueError):
    """Bytes that are no answer to the request; the text says why."""


def new_nonce() -> str:
    return secrets.token_hex(16)


def encode(kind: str, nonce: str, number: int, fields: dict[str, Any]) -> bytes:
    """An answer as bytes; ValueError, TypeError or RecursionError where a field cannot be written as JSON."""
    plain = {name: value for name, value in fields.items() if not isinstance(value, bytes)}
    message = json.dumps({"kind": kind, "nonce": nonce, "number": number, **plain}).encode()
    return b"\n".join([message, *(value for value in fields.values() if isinstance(value, bytes))])


def decode(message: bytes, kind: str, nonce: str, number: int) -> dict[str, Any]:
    """The fields of the answer that is expected now."""
    wanted = ANSWERS[kind]
    attached = next((name for name, types in wanted.items() if types is bytes), None)
    if attached is not None:
        message, found_one, attachment = message.partition(b"\n")
    try:
        document = json.loads(message)
    except (ValueError, RecursionError):
        raise NotAnAnswer("not JSON") from None
    if not isinstance(document, dict):
        raise NotAnAnswer("not an object")
    found = document.get("nonce")
    if not isinstance(found, str) or not secrets.compare_digest(found.encode(errors="replace"), nonce.encode()):
        raise NotAnAnswer("not an answer to this request")
    if (document.get("kind"), document.get("number")) != (kind, number):
        raise NotAnAnswer("out of step")
    fields = {name: value for name, value in document.items() if name not in ("kind", "nonce", "number")}
    if attached is not None and found_one:
        fields[attached] = attachment
    if set(fields) != set(wanted) or not all(isinstance(fields[name], wanted[name]) for name in wanted):
        raise NotAnAnswer("fields of another kind")
    return fields


def error_text(error: BaseException) -> str:
    """An exception in words: its type and its message on one line."""
    return f"{type(error).__name__}: {error_message(error)}".rstrip(": ")


def error_message(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:2000]
    except Exception:
        return "its message cannot be printed"
