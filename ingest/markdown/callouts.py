"""Callouts: quotes that begin with ``[!kind]``, on their own (GitHub) or with a fold and a title (Obsidian)."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from backtrail.ingest.html.elements import LABEL
from backtrail.ingest.markdown.labels import kind_label

_FIRST_LINE = re.compile(r"\[!([\w-]{1,50})(?:\|[^\]\n]{0,100})?\][+-]?(?:[ \t]+([^\n]{0,300}))?[ \t]*(?:\n|$)")


def callouts(md: MarkdownIt) -> None:
    """Read every kind, whatever it is called."""
    md.core.ruler.after("block", "callouts", _label_callouts)


def _label_callouts(state: StateCore) -> None:
    """A callout's quote becomes a block with a name; its first line becomes the name, and is no text."""
    open_quotes: list[bool] = []
    dropped: set[int] = set()
    for index, token in enumerate(state.tokens):
        if token.type == "blockquote_open":
            label = _label(state.tokens, index, dropped)
            open_quotes.append(label is not None)
            if label is not None:
                token.type, token.tag = "labelled_open", "div"
                token.attrSet(LABEL, label)
        elif token.type == "blockquote_close" and open_quotes and open_quotes.pop():
            token.type, token.tag = "labelled_close", "div"
    state.tokens = [token for index, token in enumerate(state.tokens) if index not in dropped]


def _label(tokens: list[Token], quote: int, dropped: set[int]) -> str | None:
    """What a quote is headed by; None if it is no callout."""
    if quote + 2 >= len(tokens) or tokens[quote + 1].type != "paragraph_open":
        return None
    text = tokens[quote + 2]
    match = _FIRST_LINE.match(text.content)
    if match is None:
        return None
    text.content = text.content[match.end() :]
    if not text.content.strip():
        dropped.update((quote + 1, quote + 2, quote + 3))
    return kind_label(match[1], match[2] or "")
