"""Parse untrusted JSON, TOML and YAML within bounds of depth, size and digits.

A YAML alias of two characters repeats a whole value, and nested aliases grow exponentially. Code that walks or prints
such a value pays for each repeat, so each counts; counting is linear in the text.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, cast

from backtrail.state.errors import BacktrailError

DEEPEST = 100
"""Levels of lists and mappings (ours). Code that walks a value by recursion fails at about a thousand."""

MOST_DIGITS = 4_300
"""Digits of a whole number: Python does not print longer ones."""

_MOST_BITS = MOST_DIGITS * 332 // 100
_QUOTED = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|#[^\n]*')
_BETWEEN_KEYS = re.compile(r"[,=\[\]{}\n]")
_DOT = re.compile(r"[\w\"-][ \t]*\.[ \t]*(?=[\w\"-])")

_Containers = (Mapping, list, tuple, set, frozenset)


class ValueTooLarge(BacktrailError, ValueError):
    """A value exceeds a limit. The message is a clause that follows the name of the file."""


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        ValueTooLarge: nested more than ``DEEPEST`` levels.
        ValueError: not JSON.
    """
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise too_deep() from error
    opened = text.count(b"[") + text.count(b"{") if isinstance(text, bytes) else text.count("[") + text.count("{")
    if opened > DEEPEST:  # most texts are too short to be deep
        check_value(value)
    return value


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        ValueTooLarge: nested more than ``DEEPEST`` levels, or a whole number of more than ``MOST_DIGITS`` digits.
        tomllib.TOMLDecodeError: not TOML.
    """
    keys = _BETWEEN_KEYS.split(_QUOTED.sub('"', text))
    if any(key.count(".") >= DEEPEST and len(_DOT.findall(key)) >= DEEPEST for key in keys):
        raise too_deep()  # the parser takes time and memory in proportion to the square of a key's parts
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise too_deep() from error
    except ValueError as error:  # the one error that the parser lets through
        raise _too_many_digits() from error
    check_value(values)
    return values


def check_value(value: Any, most: int | None = None) -> None:
    """Refuse a parsed value that is nested too deep, too large, or contains itself.

    Args:
        most: limit of values and characters, with each repeat of a shared part counted; None where the format has
            no aliases, since the text is as long as its value then.

    Raises:
        ValueTooLarge: names the limit.
    """
    known: dict[int, tuple[int, int]] = {}
    path: set[int] = set()
    pending: list[Any] = [value] if isinstance(value, _Containers) else []
    while pending:
        one = pending[-1]
        if id(one) in known:
            pending.pop()
            continue
        parts = _parts(one)
        unknown: list[Any] = [
            part for part in parts if isinstance(part, _Containers) and id(cast("object", part)) not in known
        ]
        if unknown:
            path.add(id(one))
            if any(id(part) in path for part in unknown):
                raise ValueTooLarge("an alias refers to a value that contains it")
            pending.extend(unknown)
            continue
        known[id(one)] = size, levels = _measured(parts, known)
        path.discard(id(one))
        pending.pop()
        if levels > DEEPEST:
            raise too_deep()
        if most is not None and size > most:
            raise ValueTooLarge(f"with its aliases written out it is larger than {most:,} characters")


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        mapping = cast("Mapping[Any, Any]", value)
        return [*mapping.keys(), *mapping.values()]
    return list(cast("Iterable[Any]", value))


def _measured(parts: list[Any], known: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    """The size and the levels of a container whose inner containers are measured."""
    size, levels = 1, 1
    for part in parts:
        if isinstance(part, (str, bytes)):
            size += 1 + len(part)
        elif isinstance(part, int):
            size += 1
            if part.bit_length() > _MOST_BITS:
                raise _too_many_digits()
        elif isinstance(part, _Containers):
            inner, below = known[id(cast("object", part))]
            size, levels = size + inner, max(levels, below + 1)
        else:
            size += 1
    return size, levels


def too_deep() -> ValueTooLarge:
    """The error for a value of more than ``DEEPEST`` levels."""
    return ValueTooLarge(f"lists and mappings are nested more than {DEEPEST} levels deep")


def _too_many_digits() -> ValueTooLarge:
    return ValueTooLarge(f"a whole number has more than {MOST_DIGITS:,} digits")
