"""Size limits of a run's inputs, each with the reason for its number.

Limits are checked before anything is computed or stored, on the server and in Python alike; the error names the limit.
An operator may change one: ``BACKTRAIL_LIMIT_QUESTION=20000``.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

from backtrail.state.errors import InputRefused

VARIABLE = "BACKTRAIL_LIMIT_"

KIB, MIB = 1024, 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Limits in characters, unless a line says otherwise, counted as ``size_of`` does."""

    question: int = 10_000
    """Four times the longest question of the public sets in use (2,621), and three printed pages."""
    message: int = 100_000
    """Text of one earlier message: ten questions of maximal length (ours). Decisions read 2,000 characters of it."""
    message_size: int = 12 * MIB
    """One message with its pictures: a data URL grows by a third, so pictures of 9 MB in all."""
    pictures: int = 8
    """Pictures of one question: they are shown as one sheet, on which more would be too small (ours)."""
    messages: int = 1_000
    """Messages of a conversation. Every step stores them all, and no decision reads more than the last dozen."""
    conversation_size: int = 32 * MIB
    """All messages of a conversation with their pictures, for the same reason."""
    context: int = 64 * KIB
    """Settings of a run, an assistant or a cron, and fields beside a question. All settings at their longest take a
    quarter of that."""
    resume: int = 64 * KIB
    """The reply to an interrupted run: a decision and a few words, not a document (ours)."""
    metadata: int = 64 * KIB
    """Labels of threads, runs, assistants and crons: they are searched, and copied into every checkpoint (ours)."""
    state_update: int = 4 * MIB
    """Values written into a run from outside, where contents are references: a quarter of a request (ours)."""
    store_item: int = MIB
    """One item of the store, with its namespace and key. Files belong in a corpus (ours)."""
    request: int = 16 * MIB
    """Bytes of a request to the server: the largest message and its envelope."""
    upload: int = 256 * MIB
    """Bytes of one uploaded file; it goes to disk in pieces. A scanned book (ours)."""
    uploads: int = 4096 * MIB
    """Bytes of all uploaded files of one corpus (ours)."""
    files: int = 10_000
    """Uploaded files of one corpus: each is checked whenever another is uploaded (ours)."""
    values: int = 500_000
    """Values in the JSON of a request. Each takes up to 200 bytes in Python, so that the largest request needs 100 MB
    beside its text; a conversation of a thousand messages with all their citations has a tenth of them."""
    requests_in_memory: int = 128 * MIB
    """Bytes of requests that one process holds at a time: eight of the largest, thousands of ordinary ones (ours)."""


def limits() -> Limits:
    """Return the limits of this process.

    Raises:
        InputRefused: a variable is not a positive whole number.
    """
    overrides = {field.name: os.environ.get(VARIABLE + field.name.upper(), "").strip() for field in fields(Limits)}
    for name, text in overrides.items():
        if text and not (text.isdecimal() and int(text) > 0):
            raise InputRefused(f"{VARIABLE}{name.upper()}={text!r} is not a whole number of at least 1.")
    return Limits(**{name: int(text) for name, text in overrides.items() if text})


def size_of(value: Any, enough: int) -> int:
    """Return the approximate length of a value's JSON; counting ends soon after ``enough``.

    Strings count their length, everything else eight. Not recursive, since input may be nested deeply.
    """
    size = 0
    left: list[Any] = [value]
    while left and size <= enough:
        one = left.pop()
        if isinstance(one, (str, bytes)):
            size += len(one) + 2
        elif isinstance(one, Mapping):
            size += 2
            mapping = cast("Mapping[Any, Any]", one)
            left.extend(mapping.keys())
            left.extend(mapping.values())
        elif isinstance(one, (list, tuple, set, frozenset)):
            size += 2
            left.extend(cast("Collection[Any]", one))
        elif hasattr(one, "__dict__"):  # messages
            left.append(vars(one))
        else:
            size += 8
    return size


def check_size(value: Any, most: int, what: str, instead: str) -> None:
    """Refuse a value that is larger than ``most``.

    Raises:
        InputRefused: states the limit, and what to do ``instead``.
    """
    if size_of(value, most) > most:
        raise InputRefused(f"{what} is longer than {most:,} characters. {instead}")
