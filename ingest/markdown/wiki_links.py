"""Links as wikis and note books write them: ``[[Page]]``, ``[[Page#Heading|text]]``, ``![[picture.png]]``.

Wikis of GitHub and GitLab write ``[[text|Page]]``. Which is meant is told by what is there: pages, or an address.
"""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from backtrail.ingest.markdown.page import Page
from backtrail.ingest.sites.slugs import github

_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]{1,600})(?:\|([^\[\]\n]{0,600}))?\]\]")
_ADDRESS = re.compile(r"https?://[^\s<>]+|mailto:[^\s<>]+", re.I)
_OPTIONS = re.compile(r"\s*(?:[\dx ]*|(?:alt|align|width|height|float|frame)\b.*)", re.S)
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
    if match is None or not isinstance(page, Page):
        return False
    first, second = match[2].strip(), (match[3] or "").strip()
    file = first.partition("#")[0].strip()
    is_picture = _PICTURE.search(file) is not None and (bool(match[1]) or second.startswith("alt="))
    found = _picture(page, file, second) if is_picture else _link(page, first, second)
    if found is None:
        return False
    if not silent:
        (_push_picture if is_picture else _push_link)(state, *found)
    state.pos = match.end()
    return True


def _link(page: Page, first: str, second: str) -> tuple[str, str] | None:
    """Address and text of a link; None if neither part leads anywhere."""
    if _ADDRESS.fullmatch(second):
        return second, first
    if _ADDRESS.fullmatch(first):
        return first, second or first
    sides = [(first, second), (second, first)] if second else [(first, "")]
    if len(sides) > 1 and page.in_wiki:
        sides.reverse()
    for name, text in sides:
        address = _address(page, name)
        if address is not None:
            return address, text or " › ".join(filter(None, map(str.strip, name.split("#", 1))))
    return None


def _address(page: Page, written: str) -> str | None:
    """The relative address of ``Page#Heading``; None if there is no such page."""
    name, _, heading = (part.strip() for part in written.partition("#"))
    if not name and not heading:
        return None
    href = _page(page, name)
    anchor = f"#{quote(github(heading.rpartition('#')[2]))}" if heading else ""
    return None if href is None else href + anchor


def _page(page: Page, name: str) -> str | None:
    """The relative address of the page of that name; None if there is none."""
    if not name:
        return ""
    names = dict.fromkeys((name, name.replace(" ", "-"), name.replace("-", " ")))
    found = next(filter(None, (page.site_map.page_named(page.document_id, name) for name in names)), None)
    return None if found is None else _relative(found, page)


def _picture(page: Page, name: str, text: str) -> tuple[str, str] | None:
    """Address and alternative text of a picture; its size and place are none."""
    found = page.site_map.file_named(page.document_id, name)
    alt = re.search(r"(?:^|\|)\s*alt=([^|]*)", text)
    plain = "" if _OPTIONS.fullmatch(text) else text.partition("|")[0]
    return None if found is None else (_relative(found, page), alt[1].strip() if alt else plain)


def _relative(target: str, page: Page) -> str:
    return quote(posixpath.relpath(target, posixpath.dirname(page.document_id) or "."))


def _push_picture(state: StateInline, source: str, alt: str) -> None:
    token = state.push("image", "img", 0)
    token.attrs = {"src": source, "alt": alt}
    token.children, token.content = [Token("text", "", 0, content=alt)], alt


def _push_link(state: StateInline, href: str, text: str) -> None:
    state.push("link_open", "a", 1).attrs = {"href": href}
    state.push("text", "", 0).content = text
    state.push("link_close", "a", -1)
