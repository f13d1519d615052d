"""Headers of a message, read in time proportional to their length."""

from __future__ import annotations

import re
from email import policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from functools import lru_cache
from typing import Any

from backtrail.ingest.html.text import normalise

LONGEST = 64 * 1024
"""Characters of one header that are read (ours): a thousand recipients have some fifty thousand."""

LONGEST_PARSED = 2_000
"""Characters of a header that the standard library parses by its grammar, which takes quadratic time or worse: twice
the longest line of RFC 5322. Longer ones are only decoded, and of a part's headers the rest is ignored."""

BROKEN = (MessageError, ValueError, TypeError, KeyError, IndexError, AttributeError, LookupError, AssertionError,
          RecursionError)  # fmt: skip
"""What damaged messages make the standard library raise."""

_PIECE = re.compile(rf".{{1,{LONGEST_PARSED}}}(?!\S)|.{{1,{LONGEST_PARSED}}}", re.S)


class BoundedHeaders(policy.EmailPolicy):
    """The default policy, which parses the beginning of a long header, and leaves one that it cannot parse as text."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        """The value of a header."""
        return _parsed(name, value[:LONGEST_PARSED])


BOUNDED = BoundedHeaders(refold_source="none")
"""Attached messages are written out as they were: folding their lines anew would parse them."""


def header_text(message: Message, name: str, notes: list[str]) -> str:
    """A header as one decoded line; empty if there is none. What is too long to be read is noted."""
    value = _plain(next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), ""))
    if len(value) <= LONGEST_PARSED:
        return normalise(str(message.get(name, "")))
    if len(value) > LONGEST:
        notes.append(f"its header {name} has {len(value):,} characters, of which {LONGEST:,} were read")
    return normalise(" ".join(map(_decoded, _PIECE.findall(value[:LONGEST]))))


def cut_headers(part: Message) -> list[str]:
    """The headers of a part that are too long to be parsed whole."""
    names = (name for name, value in part.raw_items() if len(str(value)) > LONGEST_PARSED)
    return [name for name in names if name.lower().startswith("content-")]


@lru_cache(maxsize=16)
def _parsed(name: str, value: str) -> Any:
    """A header by its grammar; its type and parameters are asked for several times."""
    try:
        return policy.default.header_fetch_parse(name, value)
    except BROKEN:
        return _plain(value)


def _decoded(piece: str) -> str:
    try:
        return str(make_header(decode_header(piece)))
    except BROKEN:
        return piece


def _plain(value: str) -> str:
    """The text of a header; bytes that are no ASCII are taken for UTF-8."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
