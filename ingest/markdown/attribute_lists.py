"""Attribute lists, ``{#id .class key=value}``: the id names its element, the rest is how it looks."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_ENTRY = r"""(?:[#.][^\s{}"'=#]+|[\w:@.\-]+=(?:"[^"]*"|'[^']*'|[^\s{}"']*))"""
_LIST = re.compile(rf"\{{:?[ \t]*({_ENTRY}(?:[ \t\n]+(?:{_ENTRY}|[\w\-]+))*)[ \t\n]*\}}")
_ID = re.compile(r"""(?:^|[ \t])(?:#([^\s{}"'=#]+)|id=(?:"([^"]*)"|'([^']*)'|(\S+)))""")
LONGEST = 1_500
_BEHIND = frozenset(
    {"image", "code_inline", "link_close", "em_close", "strong_close", "s_close", "myst_role", "html_inline"}
)


def attribute_lists(md: MarkdownIt) -> None:
    """Read lists behind inline elements and at the end of headings, paragraphs and cells."""
    md.inline.ruler.before("text", "attribute_list", _behind_element)
    md.core.ruler.after("inline", "attribute_lists", _at_the_end)


def _behind_element(state: StateInline, silent: bool) -> bool:
    """A list right behind a link, picture, piece of code or emphasis."""
    if state.src[state.pos] != "{" or state.pending or not state.tokens or state.tokens[-1].type not in _BEHIND:
        return False
    match = _LIST.match(state.src, state.pos, min(state.posMax, state.pos + LONGEST))
    if match is None:
        return False
    if not silent:
        _name(state.tokens[-1], match[1])
    state.pos = match.end()
    return True


def _at_the_end(state: StateCore) -> None:
    """A list at the end of a block, on its line or on one of its own."""
    for opening, token in zip(state.tokens, state.tokens[1:], strict=False):
        if token.type != "inline" or not token.children:
            continue
        last = token.children[-1]
        if last.type == "text" and last.content.rstrip().endswith("}"):
            _take(opening, token, last)


def _take(opening: Token, inline: Token, last: Token) -> None:
    content = last.content.rstrip()
    start = content.rfind("{", max(0, len(content) - LONGEST))
    match = _LIST.fullmatch(content, start) if start >= 0 else None
    alone = start == 0 and len(inline.children or []) == 1
    if match is None or (alone and opening.type != "paragraph_open"):
        return
    _name(opening, match[1])
    last.content = content[:start].rstrip()


def _name(token: Token, entries: str) -> None:
    found = _ID.search(entries)
    if found and token.nesting >= 0:
        token.attrSet("id", found[found.lastindex or 1])
