"""Links as wikis and note books write them: ``[[Page]]``, ``[[Page#Heading|text]]``, ``![[picture.png]]``."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from backtrail.ingest.markdown.page import Page
from backtrail.ingest.sites.slugs import github

_LINK = re.compile(r"(!?)\[\[([^\[\]|#\n]{0,300})(?:#([^\[\]|\n]{0,300}))?(?:\|([^\[\]\n]{0,300}))?\]\]")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|bmp|tiff?|avif|svg)$", re.I)


def wiki_links(md: MarkdownIt) -> None:
    """Read wiki links. ``env["page"]`` says where they start; one that leads to no page stays as it is written."""
    md.inline.ruler.before("link", "wiki_link", _wiki_link)
    md.inline.ruler.before("image", "wiki_picture", _wiki_link)


def _wiki_link(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "[!":
        return False
    match = _LINK.match(state.src, state.pos, state.posMax)
    page = state.env.get("page")
    if match is None or not isinstance(page, Page) or not (match[2].strip() or match[3]):
        return False
    name, heading, text = match[2].strip(), (match[3] or "").strip(), (match[4] or "").strip()
    is_picture = bool(match[1]) and _PICTURE.search(name) is not None
    href = _picture(page, name) if is_picture else _page(page, name)
    if href is None:
        return False
    if not silent:
        if is_picture:
            _push_picture(state, href, text)
        else:
            anchor = f"#{quote(github(heading.rpartition('#')[2]))}" if heading else ""
            _push_link(state, href + anchor, text or " › ".join(filter(None, (name, heading))))
    state.pos = match.end()
    return True


def _page(page: Page, name: str) -> str | None:
    """The relative address of the page of that name; None if there is none."""
    if not name:
        return ""
    found = page.site_map.page_named(page.document_id, name)
    return None if found is None else _relative(found, page)


def _picture(page: Page, name: str) -> str | None:
    found = page.site_map.file_named(page.document_id, name)
    return None if found is None else _relative(found, page)


def _relative(target: str, page: Page) -> str:
    return quote(posixpath.relpath(target, posixpath.dirname(page.document_id) or "."))


def _push_picture(state: StateInline, source: str, alt: str) -> None:
    token = state.push("image", "img", 0)
    alt = "" if re.fullmatch(r"[\dx ]*", alt) else alt  # a size
    token.attrs = {"src": source, "alt": alt}
    token.children, token.content = [], alt


def _push_link(state: StateInline, href: str, text: str) -> None:
    state.push("link_open", "a", 1).attrs = {"href": href}
    state.push("text", "", 0).content = text
    state.push("link_close", "a", -1)
