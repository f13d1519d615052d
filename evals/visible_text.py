"""Visible text, as quotes are compared: what a reader sees, whatever markup or parser brought it there.

White space is dropped, not collapsed: removing markup leaves space in some places ("bold ." for "**bold**.")
and eats it in others, and no quote is told from another by its spaces.
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
    """The text without tags, shortcodes, link targets, emphasis and white space, in compatible characters (NFKC)."""
    for markup in (_COMMENTS_AND_TAGS, _SHORTCODES, _ATTRIBUTES):
        text = markup.sub("", text)
    text = _LINKS.sub(r"\1", text)
    return _MARKS.sub("", unicodedata.normalize("NFKC", html.unescape(text)))


def without_separators(text: str) -> str:
    """Visible text whose cell separators are dropped: a row reads the same from a table, a pipe table or a CSV."""
    return _SEPARATORS.sub("", visible(text))


def row_forms(cells: Sequence[str]) -> tuple[str, ...]:
    """A row as it is compared: as it stands, and with neighbours of one span said once. Empty cells are dropped."""
    held = [text for cell in cells if (text := without_separators(cell))]
    return tuple(dict.fromkeys(("".join(held), "".join(text for text, _ in groupby(held)))))


def quote_forms(quote: str) -> tuple[str, ...]:
    """A quote as it is compared with rows and texts; one with `` | `` is a row."""
    return row_forms(quote.split(" | ")) if " | " in quote else (without_separators(quote),)


def holds(quote: str, texts: Iterable[str], rows: Iterable[Sequence[str]] = ()) -> bool:
    """Whether one of the texts, or one row of a table, contains the quote."""
    wanted = quote_forms(quote)
    forms = (form for row in rows for form in row_forms(row))
    said = (without_separators(text) for text in texts)
    return any(form in one for one in (*said, *forms) for form in wanted)
