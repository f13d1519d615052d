"""What a page refers to: links, pictures, the address it calls its own, and what it tells robots."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from backtrail.ingest.html.boilerplate import mark_boilerplate
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.markup import parse_markup
from backtrail.ingest.html.source import decode
from backtrail.ingest.html.walk_tree import PageWalker
from backtrail.ingest.sites.web_address import canonical_address
from backtrail.tools.web.crawling.address import normal
from backtrail.tools.web.fetching.fetch import AGENT

_REFRESH = re.compile(r"^\s*[\d.]{0,10}\s*[;,]?\s*url\s*=\s*['\"]?([^'\"]{1,2000})", re.I)
_WORD = re.compile(r"[\s,]+")
_DIRECTIVES = re.compile(r"^\s*(?:([\w-]{1,40})\s*:)?\s*([\w\s,-]{1,200})")


@dataclass(frozen=True)
class References:
    """Addresses in their normal form, each once.

    Attributes:
        canonical: what the page calls its own address; "" if it calls none, or this one.
        index: whether the page may be kept.
        follow: whether its links may be followed.
    """

    links: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    canonical: str = ""
    index: bool = True
    follow: bool = True


@dataclass
class _Robots:
    """What tags and headers for robots say, of which there may be several."""

    said: set[str] = field(default_factory=set)

    def add(self, directives: str) -> None:
        self.said |= {word.lower() for word in _WORD.split(directives) if word}

    @property
    def index(self) -> bool:
        return not self.said & {"noindex", "none"}

    @property
    def follow(self) -> bool:
        return not self.said & {"nofollow", "none"}


def page_references(content: bytes, address: str, *, header: str = "", most_links: int, pictures: int) -> References:
    """What an HTML page refers to.

    Args:
        address: where it was found, in its normal form.
        header: X-Robots-Tag of the answer.
        most_links: links that are taken; those after them are not.
        pictures: pictures that are taken; 0 does not look for them.
    """
    markup = decode(content) or ""
    tree, _ = parse_markup(markup)
    robots = header_directives(header)
    for meta in tree.iter("meta"):
        if (meta.get("name") or "").strip().lower() in ("robots", AGENT.lower()):
            robots.add(meta.get("content") or "")
    base_element = tree.find(".//base[@href]")
    base = normal(base_element.get("href") or "", address) if base_element is not None else ""
    base = base or address
    canonical = normal(canonical_address(markup))
    links = tuple(dict.fromkeys(_links(tree, base)))[:most_links] if robots.follow else ()
    shown = _pictures(tree, base)[:pictures] if pictures and robots.index else ()
    return References(links, tuple(shown), "" if canonical == address else canonical, robots.index, robots.follow)


def header_directives(header: str) -> _Robots:
    """What X-Robots-Tag says to everybody or to us; ``googlebot: noindex`` is for another.

    Several headers come joined by commas, so a name holds until the next one.
    """
    robots, ours = _Robots(), True
    for part in header[:2000].split(","):
        named = _DIRECTIVES.match(part)
        if named and named[1] and named[1].lower() not in ("max-snippet", "max-image-preview", "unavailable_after"):
            ours = named[1].lower() == AGENT.lower()
        if named and ours:
            robots.add(named[2])
    return robots


def _links(tree: Any, base: str) -> list[str]:
    found: list[str] = []
    for element in tree.iter("a", "area", "meta", "iframe", "frame"):
        if element.tag == "meta":
            refresh = (element.get("http-equiv") or "").strip().lower() == "refresh"
            # long white space would be looked through in all ways
            match = _REFRESH.match(" ".join((element.get("content") or "").split())) if refresh else None
            href = match[1] if match else ""
        else:
            href = element.get("href") or element.get("src") or ""
        if href and not href.lstrip().startswith("#") and "nofollow" not in (element.get("rel") or "").lower().split():
            found.append(normal(href, base))
    return list(filter(None, found))


def _pictures(tree: Any, base: str) -> list[str]:
    """The pictures that the reader of pages will ask for: it knows lazily loaded ones, and leaves out menus."""
    body = tree.find("body")
    body = tree if body is None else body
    mark_boilerplate(body)
    drafts = PageWalker("", LinkTargets("")).walk(body)
    sources = (draft.picture.source for draft in drafts if draft.picture and draft.picture.source)
    return list(dict.fromkeys(filter(None, (normal(source, base) for source in sources))))
