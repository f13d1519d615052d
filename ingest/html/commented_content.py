"""Read content in a comment that the page's script would show.

Sites of sports statistics send most of their tables that way. Other comments are no content.
"""

from __future__ import annotations

import re

_PLACEHOLDER = re.compile(
    r"""<(?:div|span)\s[^<>]{0,200}?class\s?=\s?["']?placeholder\b[^<>]{0,200}>\s{0,200}</(?:div|span)>"""
    r"""\s{0,200}<!--(?=\s{0,200}<\w)"""
)


def with_commented(markup: str) -> str:
    """Replace each placeholder that is directly followed by a comment by the comment's contents."""
    pieces: list[str] = []
    end = 0
    for opening in _PLACEHOLDER.finditer(markup):
        closing = markup.find("-->", opening.end())
        if closing < 0:
            break
        if opening.start() < end:
            continue
        pieces += [markup[end : opening.start()], markup[opening.end() : closing]]
        end = closing + len("-->")
    return "".join([*pieces, markup[end:]]) if pieces else markup
