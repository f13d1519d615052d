"""Callouts: quotes that begin with ``[!kind]`` (GitHub), with an optional fold and title (Obsidian)."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from backtrail.ingest.html.elements import LABEL
from backtrail.ingest.markdown.labels import kind_label

_FIRST_LINE = re.compile(r"\[!([\w-]{1,50})(?:\|[^\]\n]{0,100})?\][+-]?(?:[ \t]+([^\n]{0,300}))?[ \t]*(?:\n|$)")


def callouts(md: MarkdownIt) -> None:
    """Parse callouts of any kind, known or not."""
    md.core.ruler.after("block", "callouts", _label_callouts)


def _label_callouts(state: StateCore) -> None:
    """Turn the first line of each callout into the label of its quote."""
    for quote, paragraph, text in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if (quote.type, paragraph.type) != ("blockquote_open", "paragraph_open"):
            continue
        if match := _FIRST_LINE.match(text.content):
            quote.attrSet(LABEL, kind_label(match[1], match[2] or ""))
            text.content = text.content[match.end() :]
