"""Links for bare addresses (``https://…``, ``www.…``), as in GFM.

Own code, because others take quadratic time: mdit-py-plugins 0.7 in the colons of a paragraph, the rule ``linkify`` of
markdown-it in its links, linkify-it-py 2.1 in the brackets of an address.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_ADDRESS = re.compile(r"(?<![\w/@.])(?:https?://|www\.)[^\s<]{1,2000}", re.I)
_TRAILING = re.compile(r"(?:[?!.,:*_~'\"]|&\w{1,20};){1,200}$")


def autolinks(md: MarkdownIt) -> None:
    """Turn addresses outside links and code into links."""
    md.core.ruler.after("inline", "autolinks", _link_addresses)


def _link_addresses(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and ("://" in token.content or "www." in token.content.lower()):
            token.children = _linked(token.children or [])


def _linked(children: list[Token]) -> list[Token]:
    found: list[Token] = []
    depth = 0
    for child in children:
        if child.type in ("link_open", "link_close"):
            depth += child.nesting
        is_html_link = child.type == "html_inline" and child.content[:3].lower() in ("<a ", "</a")
        depth += (1 if child.content[1] != "/" else -1) if is_html_link else 0
        found += _parts(child) if child.type == "text" and depth <= 0 else [child]
    return found


def _parts(text: Token) -> list[Token]:
    parts: list[Token] = []
    position = 0
    for match in _ADDRESS.finditer(text.content):
        address = _trimmed(match[0])
        if len(address) <= len("https://"):
            continue
        parts += [_text(text.content[position : match.start()]), *_link(address)]
        position = match.start() + len(address)
    return [*parts, _text(text.content[position:])] if parts else [text]


def _trimmed(address: str) -> str:
    """Drop trailing punctuation and closing brackets that are opened before the address."""
    while True:
        shorter = _TRAILING.sub("", address)
        if shorter.endswith(")") and shorter.count(")") > shorter.count("("):
            shorter = shorter[:-1]
        if shorter == address:
            return address
        address = shorter


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(address: str) -> list[Token]:
    href = address if "://" in address else f"https://{address}"
    return [Token("link_open", "a", 1, attrs={"href": href}), _text(address), Token("link_close", "a", -1)]
