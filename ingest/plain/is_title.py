"""Decide whether the first line of a plain text is its title."""

from __future__ import annotations

import re
from typing import Any

MOST = 100
"""Maximum letters of a title (ours). At 200, 12 of 768 texts are called by their first line, mostly head data."""

# off: 63 of 768 texts and 74 of 238 Word files are called by a sentence or mark
_NO_TITLE = re.compile(r"[.,;:!?…]$|[@|\t]|^[#*•\-–>({\[<]")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def may_be_title(line: str) -> bool:
    """Return whether a first line can be a title: some words that are no sentence."""
    # one word: 23 of 238 Word files are called "Good" or "A"
    is_short = " " in line.strip() and len(line) <= MOST
    return is_short and any(map(str.isalpha, line)) and not _NO_TITLE.search(line)


def title_on_top(body: Any) -> str:
    """Return the first line of a page if it is a title; empty if it is none, or one heading of several."""
    blocks = [block for block in body if "".join(block.itertext()).strip()]
    if len(blocks) < 2 or blocks[0].tag not in {"p", *_HEADINGS}:
        return ""
    line = " ".join("".join(blocks[0].itertext()).split())
    above = _HEADINGS[: _HEADINGS.index(blocks[0].tag) + 1] if blocks[0].tag in _HEADINGS else ()
    return "" if any(block.tag in above for block in blocks[1:]) or not may_be_title(line) else line
