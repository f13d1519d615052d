"""Captions that Pandoc and its relatives write below a table: ``: Pumps by year {#tbl-pumps}``, ``Table: Pumps``."""

from __future__ import annotations

import re
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_NAMED = re.compile(r"^Table:[ \t]+(?=\S)")
LONGEST = 400
"""Characters of a caption; more is text."""


def table_captions(md: MarkdownIt) -> None:
    """Put such a paragraph into its table; its attribute list names the table."""
    md.core.ruler.after("attribute_lists", "table_captions", _take_captions)


def _take_captions(state: StateCore) -> None:
    tokens = state.tokens
    kept: list[Token] = []
    latest: dict[int, int] = {}  # by level, where the last table starts
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.type == "table_open":
            latest[token.level] = len(kept)
        caption, length = _caption(tokens, position)
        if caption and kept and kept[-1].type == "table_close" and kept[-1].level in latest:
            table = latest[kept[-1].level]
            opening = tokens[position + (length == 5)]
            for name, value in opening.attrs.items():
                kept[table].attrSet(name, str(value))
            first = (caption.children or [caption])[0]
            first.content = _NAMED.sub("", first.content, count=1)
            kept[table + 1 : table + 1] = [_tag(1), caption, _tag(-1)]
            position += length
            continue
        kept.append(token)
        position += 1
    state.tokens = kept


def _caption(tokens: list[Token], start: int) -> tuple[Token | None, int]:
    """The text of a caption that starts here, and how many tokens it takes."""
    marked = tokens[start].type == "definition_open"
    paragraph = start + marked
    length = 5 if marked else 3
    if [token.type for token in tokens[paragraph : paragraph + 3]] != ["paragraph_open", "inline", "paragraph_close"]:
        return None, 0
    text = tokens[paragraph + 1]
    if len(text.content) > LONGEST or not text.children:
        return None, 0
    if marked:
        whole = start + 4 < len(tokens) and tokens[start + 4].type == "definition_close"
        return (text, length) if whole else (None, 0)
    first = text.children[0]
    if first.type != "text" or not _NAMED.match(first.content):
        return None, 0
    return text, length


def _tag(nesting: Literal[1, -1]) -> Token:
    return Token("caption_open" if nesting == 1 else "caption_close", "caption", nesting, block=True)
