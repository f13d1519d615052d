"""Headers of a message, read in time proportional to their length."""

from __future__ import annotations

import re
from email import policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message

from backtrail.ingest.html.text import normalise

LONGEST = 64 * 1024
"""Characters of one header that are read (ours): a thousand recipients have some fifty thousand."""

LONGEST_PARSED = 2_000
"""Characters of a header that the standard library takes apart, in quadratic time: twice the longest line of RFC 5322.
Longer ones are decoded piece by piece, and of a part's headers the rest is ignored."""

BROKEN = (MessageError, ValueError, TypeError, KeyError, IndexError, AttributeError, LookupError, AssertionError,
          RecursionError)  # fmt: skip
"""What damaged messages make the standard library raise."""

_PIECE = re.compile(rf".{{1,{LONGEST_PARSED}}}(?!\S)|.{{1,{LONGEST_PARSED}}}", re.S)


class BoundedHeaders(policy.Compat32):
    """The policy that parses no grammar; it gives the beginning of a long header, and writes headers as they were."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        """The value of a header."""
        return _plain(value[:LONGEST_PARSED])

    def fold_binary(self, name: str, value: str) -> bytes:
        """A header of an attached message, which is passed on."""
        return f"{name}: {value}{self.linesep}".encode("utf-8", "surrogateescape")


BOUNDED = BoundedHeaders()


def header_text(message: Message, name: str, notes: list[str]) -> str:
    """A header as one decoded line; empty if there is none. What is too long to be read is noted."""
    value = _plain(next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), ""))
    if len(value) > LONGEST:
        notes.append(f"its header {name} has {len(value):,} characters, of which {LONGEST:,} were read")
    return normalise(" ".join(map(decoded, _PIECE.findall(value[:LONGEST]))))


def cut_headers(part: Message) -> list[str]:
    """The headers of a part that are too long to be parsed whole."""
    names = (name for name, value in part.raw_items() if len(str(value)) > LONGEST_PARSED)
    return [name for name in names if name.lower().startswith("content-")]


def decoded(piece: str) -> str:
    """A header or a part of one without its encoding (RFC 2047)."""
    try:
        return str(make_header(decode_header(piece)))
    except BROKEN:
        return piece


def _plain(value: str) -> str:
    """The text of a header; bytes that are no ASCII are taken for UTF-8."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
