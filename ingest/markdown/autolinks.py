"""Bare addresses in a text as links, as GFM has it: ``https://…`` and ``www.…``.

A finder for the rule ``linkify`` of markdown-it. Ours, because linkify-it-py 2.1 takes ``index.md`` for an address and
time with the square of the brackets in one; mdit-py-plugins 0.7 takes time with the square of a paragraph's colons.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt

_ADDRESS = re.compile(r"(?<![\w/@.])(?:https?://|www\.)[^\s<]{1,2000}", re.I)
_TRAILING = re.compile(r"(?:[?!.,:*_~'\"]|&\w{1,20};){1,200}$")


@dataclass(frozen=True)
class _Address:
    """One address: what it leads to, its text, and where that begins and ends."""

    url: str
    text: str
    index: int
    last_index: int
    schema: str = "https:"


class _Finder:
    """What the rule needs of a linkifier."""

    def pretest(self, text: str) -> bool:
        """Whether a text may hold an address."""
        return "://" in text or "www." in text.lower()

    test = pretest

    def match(self, text: str) -> list[_Address]:
        """The addresses in a text."""
        return [
            _Address(shown if "://" in shown else f"https://{shown}", shown, found.start(), found.start() + len(shown))
            for found in _ADDRESS.finditer(text)
            if len(shown := _trimmed(found[0])) > len("https://")
        ]


def autolinks(md: MarkdownIt) -> None:
    """Make links of addresses that stand in no link and no code."""
    finder: Any = _Finder()
    md.options["linkify"], md.linkify = True, finder
    md.core.ruler.enable("linkify")


def _trimmed(address: str) -> str:
    """Without the punctuation behind it, and without closing brackets that were opened before it."""
    shorter = _TRAILING.sub("", address)
    while shorter.endswith(")") and shorter.count(")") > shorter.count("("):
        shorter = _TRAILING.sub("", shorter[:-1])
    return shorter
