"""Derive the short form of an answer: its first sentence, which answers by every prompt, or its list (ours)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from backtrail.language.sentences import split_sentences

_LONGEST = 600
_NUMBER = re.compile(r"\s*(\d[\d.,:/–-]*)\.\s+\S")  # "1998. The club …": otherwise that opens a list item
_ACRONYM = re.compile(r"\b[^\W\d_]\.\Z")


def short_form(short: str, text: str) -> str:
    """Return the given short form, or the first sentence of the text without its full stop."""
    given = " ".join(short.split())
    if given:
        return given
    if number := _NUMBER.match(text):
        return number[1]
    first = " ".join(next(iter(split_sentences(text[: 2 * _LONGEST])), "").split())
    return (first if _ACRONYM.search(first) else first.rstrip(".。"))[:_LONGEST]


def short_list(items: Iterable[str]) -> str:
    """Return the items of a list as its short form; empty if that is longer than a short form may be."""
    listed = "; ".join(" ".join(item.split()).rstrip(".。") for item in items)
    return listed if len(listed) <= _LONGEST else ""
