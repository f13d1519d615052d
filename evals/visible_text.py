"""Normalize text for the comparison of quotes: what a reader sees, independent of markup and parser.

White space is dropped, not collapsed: removing markup leaves space in some places ("bold ." for "**bold**.")
and removes it in others, and no two quotes differ in spaces only.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

_COMMENTS_AND_TAGS = re.compile(r"<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>", re.S)
_SHORTCODES = re.compile(r"\{\{.{0,500}?\}\}|\{%.{0,500}?%\}", re.S)
_ATTRIBUTES = re.compile(r"\{:?\s*[#.][^{}]*\}")
_LINKS = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"[*_`~\\\s]+")
_SEPARATORS = re.compile(r"[|;,]+")


def visible(text: str) -> str:
    """Return the text without tags, shortcodes, link targets, emphasis and white space, in NFKC."""
    for markup in (_COMMENTS_AND_TAGS, _SHORTCODES, _ATTRIBUTES):
        text = markup.sub("", text)
    text = _LINKS.sub(r"\1", text)
    return _MARKS.sub("", unicodedata.normalize("NFKC", html.unescape(text)))


def without_separators(text: str) -> str:
    """Return visible text without cell separators: a row is the same from a table, a pipe table or a CSV."""
    return _SEPARATORS.sub("", visible(text))


def row_forms(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the comparable forms of a row: all non-empty cells, and without repeats of merged cells."""
    texts = [text for cell in cells if (text := without_separators(cell))]
    return tuple(dict.fromkeys(("".join(texts), "".join(text for text, _ in groupby(texts)))))


def quote_forms(quote: str) -> tuple[str, ...]:
    """Return the comparable forms of a quote; one with `` | `` is a row."""
    return row_forms(quote.split(" | ")) if " | " in quote else (without_separators(quote),)


def holds(quote: str, texts: Iterable[str], rows: Iterable[Sequence[str]] = ()) -> bool:
    """Return whether one of the texts, or one row of a table, contains the quote."""
    wanted = quote_forms(quote)
    forms = (form for row in rows for form in row_forms(row))
    plain = (without_separators(text) for text in texts)
    return any(form in one for one in (*plain, *forms) for form in wanted)
