"""Callouts: quotes that begin with ``[!kind]``, on their own (GitHub) or with a fold and a title (Obsidian)."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from backtrail.ingest.html.elements import LABEL
from backtrail.ingest.markdown.labels import kind_label

_FIRST_LINE = re.compile(r"\[!([\w-]{1,50})(?:\|[^\]\n]{0,100})?\][+-]?(?:[ \t]+([^\n]{0,300}))?[ \t]*(?:\n|$)")


def callouts(md: MarkdownIt) -> None:
    """Read every kind, whatever it is called."""
    md.core.ruler.after("block", "callouts", _label_callouts)


def _label_callouts(state: StateCore) -> None:
    """The first line of a callout becomes the name of its quote, and is no text."""
    for quote, paragraph, text in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if (quote.type, paragraph.type) != ("blockquote_open", "paragraph_open"):
            continue
        if match := _FIRST_LINE.match(text.content):
            quote.attrSet(LABEL, kind_label(match[1], match[2] or ""))
            text.content = text.content[match.end() :]
