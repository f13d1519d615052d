"""Message headers, decoded in time proportional to their length."""

from __future__ import annotations

import re
from email import policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message

from backtrail.ingest.html.text import normalise

LONGEST = 64 * 1024
"""Most characters of one header (ours): a thousand recipients have some fifty thousand."""

LONGEST_PARSED = 2_000
"""Characters that the standard library parses at once, in quadratic time: twice the longest line of RFC 5322.
Longer message headers are decoded in pieces; longer headers of parts are cut."""

BROKEN = (MessageError, ValueError, TypeError, KeyError, IndexError, AttributeError, LookupError, AssertionError,
          RecursionError)  # fmt: skip
"""Errors of the standard library on damaged messages."""

_PIECE = re.compile(rf".{{1,{LONGEST_PARSED}}}(?!\S)|.{{1,{LONGEST_PARSED}}}", re.S)


class BoundedHeaders(policy.Compat32):
    """Mail policy that does not parse header grammar, cuts long headers and writes headers unchanged."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        """Return the value of a header, cut if long."""
        return _plain(value[:LONGEST_PARSED])

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return a header of an attached message unchanged."""
        return f"{name}: {value}{self.linesep}".encode("utf-8", "surrogateescape")


BOUNDED = BoundedHeaders()


def header_text(message: Message, name: str, notes: list[str]) -> str:
    """Return a header as one decoded line; "" if missing. Adds a note if it is cut."""
    value = _plain(next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), ""))
    if len(value) > LONGEST:
        notes.append(f"its header {name} has {len(value):,} characters, of which {LONGEST:,} were read")
    return normalise(" ".join(map(decoded, _PIECE.findall(value[:LONGEST]))))


def cut_headers(part: Message) -> list[str]:
    """Return the names of a part's headers that are cut."""
    names = (name for name, value in part.raw_items() if len(str(value)) > LONGEST_PARSED)
    return [name for name in names if name.lower().startswith("content-")]


def decoded(piece: str) -> str:
    """Decode a header or a piece of one (RFC 2047)."""
    try:
        return str(make_header(decode_header(piece)))
    except BROKEN:
        return piece


def _plain(value: str) -> str:
    """Return the text of a header; bytes beyond ASCII are decoded as UTF-8."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
