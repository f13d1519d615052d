"""Limit on inline marks: a paragraph or page beyond it is plain text, so that no page takes minutes."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from backtrail.ingest.markdown.page import Page

OF_PARAGRAPH = 20_000
"""Most marks of one paragraph or cell (ours): some two seconds of work."""

OF_PAGE = 300_000
"""Most marks of one page (ours): a book of several thousand printed pages has as many."""

_MARK = re.compile(r"[\[`*_<$~]")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\n]{0,500}\)")


def bounded_marks(md: MarkdownIt) -> None:
    """Make text beyond the limits plain, and count it on the page ``env["page"]``."""
    md.core.ruler.before("inline", "bounded_marks", _bound)


def _bound(state: StateCore) -> None:
    page = state.env.get("page")
    left = OF_PAGE - page.marks if isinstance(page, Page) else OF_PAGE  # blocks of a page may be parsed on their own
    for token in state.tokens:
        if token.type != "inline":
            continue
        marks = len(_MARK.findall(token.content))
        if marks <= min(left, OF_PARAGRAPH):
            left -= marks
            continue
        token.type, token.content = "text", _LINK.sub(r"\1", token.content)
        if isinstance(page, Page):
            page.leave_out("marks", f"of a paragraph with more than {min(left, OF_PARAGRAPH):,}")
    if isinstance(page, Page):
        page.marks = OF_PAGE - left
