"""Sanitize text from the web: no control characters, valid Unicode, bounded length."""

from __future__ import annotations

import re

# control characters but tab and new line, and halves of surrogate pairs
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def readable(text: str, characters: int) -> str:
    """Without control characters but new lines and tabs, and without what UTF-8 cannot hold; cut off."""
    return _UNWANTED.sub(" ", text[:characters]).strip()


def one_line(text: str, characters: int) -> str:
    """Printable, with single spaces, cut at a word with an ellipsis that shows the cut."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if len(line) <= characters:
        return line
    return line[: characters - 1].rsplit(" ", 1)[0] + "…"
