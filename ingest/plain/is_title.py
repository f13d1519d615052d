"""Decide whether the first line of a plain text is its title."""

from __future__ import annotations

import re
from typing import Any

MOST = 100
"""Maximum letters of a title (ours)."""

_NO_TITLE = re.compile(
    r"[.,;:!?…]$|[@|\t]|https?:|www\.|:\s|\S:\S|_{3}|\.{4}|^[#*•\-–>({\[<]|^\d+[.)]\s|\d{5}"
    r"|^(dear|hi|hello|hey|sehr geehrte|liebe[rs]?|bonjour|cher|chère|hola|estimad[oa]s?|to whom)\b"
    r"|^(\w+day,?\s)?(\d{1,2}\.?\s)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s(\d{1,2}(st|nd|rd|th)?,?\s)?"
    r"\d{4}$", re.I)  # fmt: skip


_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def may_be_title(line: str) -> bool:
    """Return whether a first line can be a title: some words, and no sentence, greeting, date or value."""
    words = line.split()
    letters = [letter for letter in line if letter.isalpha()]
    if not 2 <= len(words) <= 16 or len(line) > MOST or 2 * len(letters) < len(line.replace(" ", "")):
        return False
    return not letters[0].islower() and not _NO_TITLE.search(line)


def title_on_top(body: Any) -> str:
    """Return the first line of a page if it is a title; empty if it is none, or one heading of several."""
    blocks = [block for block in body if "".join(block.itertext()).strip()]
    if len(blocks) < 2 or blocks[0].tag not in {"p", *_HEADINGS}:
        return ""
    line = " ".join("".join(blocks[0].itertext()).split())
    above = _HEADINGS[: _HEADINGS.index(blocks[0].tag) + 1] if blocks[0].tag in _HEADINGS else ()
    return "" if any(block.tag in above for block in blocks[1:]) or not may_be_title(line) else line
