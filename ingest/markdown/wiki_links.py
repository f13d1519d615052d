"""Links by the name of a page, ``[[Page#Heading|text]]``, and pictures by that of their file, ``![[picture.png]]``."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from backtrail.ingest.markdown.page import Page
from backtrail.ingest.sites.slugs import github

_LINK = re.compile(r"!?\[\[([^\[\]|#\n]{0,600})(?:#([^\[\]|\n]{0,600}))?(?:\|([^\[\]\n]{0,600}))?\]\]")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|bmp|tiff?|avif|svg)$", re.I)


def wiki_links(md: MarkdownIt) -> None:
    """Read such links. ``env["page"]`` says where they start; one that leads to no page stays as it is written."""
    md.inline.ruler.before("link", "wiki_link", _wiki_link)
    md.inline.ruler.before("image", "wiki_picture", _wiki_link)


def _wiki_link(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "[!":
        return False
    match = _LINK.match(state.src, state.pos, state.posMax)
    page = state.env.get("page")
    if match is None or not isinstance(page, Page):
        return False
    name, heading, text = ((part or "").strip() for part in match.groups())
    is_picture = _PICTURE.search(name) is not None
    found = page.site_map.file_named(page.document_id, name) if is_picture else _page(page, name)
    if found is None or not (name or heading):
        return False
    if not silent:
        address = quote(posixpath.relpath(found, posixpath.dirname(page.document_id) or ".")) if name else ""
        if is_picture:
            _push_picture(state, address, "" if text.isdigit() else text)
        else:
            shown = text or " › ".join(filter(None, (name, heading)))
            _push_link(state, address + (f"#{quote(github(heading.rpartition('#')[2]))}" if heading else ""), shown)
    state.pos = match.end()
    return True


def _page(page: Page, name: str) -> str | None:
    """The page of a name, in which spaces may stand for hyphens."""
    if not name:
        return page.document_id
    names = dict.fromkeys((name, name.replace(" ", "-"), name.replace("-", " ")))
    return next(filter(None, (page.site_map.page_named(page.document_id, one) for one in names)), None)


def _push_picture(state: StateInline, source: str, alt: str) -> None:
    token = state.push("image", "img", 0)
    token.attrs = {"src": source, "alt": alt}
    token.children, token.content = [Token("text", "", 0, content=alt)], alt


def _push_link(state: StateInline, href: str, text: str) -> None:
    state.push("link_open", "a", 1).attrs = {"href": href}
    state.push("text", "", 0).content = text
    state.push("link_close", "a", -1)
