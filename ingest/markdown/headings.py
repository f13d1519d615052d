"""Heading ids that generators make from the text, and titles of pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from markdown_it.token import Token

from backtrail.ingest.sites.slugs import heading_ids

_WORD = re.compile(r"[^\W\d_]{2}")
_SHOWN = frozenset({"text", "code_inline", "math_inline", "myst_role"})


def name_headings(tokens: Sequence[Token]) -> None:
    """Give every heading its ids: the first as attribute, the others as empty anchors in it."""
    found = [(first, second) for first, second in pairwise(tokens) if first.type == "heading_open"]
    names = heading_ids([text_of(content) for _, content in found])
    for (opening, content), ids in zip(found, names, strict=True):
        if ids:
            opening.attrSet("id", ids[0])
        anchors = [Token("html_inline", "", 0, content=f'<a id="{name}"></a>') for name in ids[1:]]
        content.children = [*(content.children or []), *anchors]


def text_of(inline: Token) -> str:
    """Return the text of an inline token without marks."""
    return "".join(child.content for child in inline.children or [] if child.type in _SHOWN).strip()


def first_title(tokens: Sequence[Token]) -> tuple[str, str]:
    """Return the first top-level heading, and the first heading of any level if no text precedes it.

    A lower heading behind text names a part of the page, not the page.
    """
    first, has_text = "", False
    for token, content in pairwise(tokens):
        if token.type == "heading_open" and (text := text_of(content)):
            if token.tag == "h1":
                return text, text
            first = first or ("" if has_text else text)
            has_text = True
        elif token.type == "inline" and _WORD.search(text_of(token)):
            has_text = True
    return "", first
