"""Icons by name (``:material-check:``): a tick or a cross where they say yes or no, else nothing."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

_ICON = re.compile(r":(?:material|octicons|fontawesome|simple|mdi|fa|bi|lucide|logos)-[\w-]{1,80}:")
_YES = re.compile(r"-(?:check|yes|done)\b")
_NO = re.compile(r"-(?:close|no|x|cancel|minus-circle|times|xmark)\b")


def icons(md: MarkdownIt) -> None:
    """Read icons as elements of their own, which an attribute list may follow."""
    md.inline.ruler.before("link", "icon", _icon)
    md.add_render_rule("icon", lambda renderer, tokens, index, options, env: tokens[index].content)


def _icon(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != ":":
        return False
    match = _ICON.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("icon", "", 0)
        name = match[0][1:-1]
        token.content = "✓" if _YES.search(name) else "✗" if _NO.search(name) else ""
    state.pos = match.end()
    return True
