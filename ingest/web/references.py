"""References of a page: links, pictures, canonical address, and directives for robots."""

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
    """Addresses in their normal form, without duplicates.

    Attributes:
        canonical: the page's canonical address; "" if it has none, or this one.
        index: whether the page may be stored.
        follow: whether its links may be followed.
    """

    links: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    canonical: str = ""
    index: bool = True
    follow: bool = True


@dataclass
class _Robots:
    """Directives of tags and headers for robots, of which there may be several."""

    directives: set[str] = field(default_factory=set)

    def add(self, directives: str) -> None:
        self.directives |= {word.lower() for word in _WORD.split(directives) if word}

    @property
    def index(self) -> bool:
        return not self.directives & {"noindex", "none"}

    @property
    def follow(self) -> bool:
        return not self.directives & {"nofollow", "none"}


def page_references(content: bytes, address: str, *, header: str = "", most_links: int, pictures: int) -> References:
    """Return the references of an HTML page.

    Args:
        address: its address, in its normal form.
        header: X-Robots-Tag of the answer.
        most_links: maximum of links; later ones are left out.
        pictures: maximum of pictures; 0 skips them.
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
    """Parse the directives of X-Robots-Tag for everybody or us; ``googlebot: noindex`` is for another.

    Several headers are joined by commas, so that a name applies until the next one.
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
            # collapsed first, as the pattern would backtrack on long white space
            match = _REFRESH.match(" ".join((element.get("content") or "").split())) if refresh else None
            href = match[1] if match else ""
        else:
            href = element.get("href") or element.get("src") or ""
        if href and not href.lstrip().startswith("#") and "nofollow" not in (element.get("rel") or "").lower().split():
            found.append(normal(href, base))
    return list(filter(None, found))


def _pictures(tree: Any, base: str) -> list[str]:
    """Return the pictures that the HTML parser uses: with lazily loaded ones, without those of menus."""
    body = tree.find("body")
    body = tree if body is None else body
    mark_boilerplate(body)
    drafts = PageWalker("", LinkTargets("")).walk(body)
    sources = (draft.picture.source for draft in drafts if draft.picture and draft.picture.source)
    return list(dict.fromkeys(filter(None, (normal(source, base) for source in sources))))
