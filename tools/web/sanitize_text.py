"""Sanitize text from the web: no control characters, valid Unicode, bounded length."""

from __future__ import annotations

import re

# Control characters except tab and newline, and lone surrogates.
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def readable(text: str, characters: int) -> str:
    """Replace control characters except newlines and tabs, and lone surrogates; truncate."""
    return _UNWANTED.sub(" ", text[:characters]).strip()


def one_line(text: str, characters: int) -> str:
    """Make a text one printable line with single spaces, cut at a word with an ellipsis."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if len(line) <= characters:
        return line
    return line[: characters - 1].rsplit(" ", 1)[0] + "…"
