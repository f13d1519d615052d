"""Remove boilerplate of a site from a saved page: menus, banners, related links.

Decided by markup (roles, names of classes) and contents. Contents count more: a block called sidebar that contains
paragraphs is read. Removed blocks keep their ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from backtrail.ingest.html.byline import byline_of
from backtrail.ingest.html.elements import BLOCKS, BOILERPLATE, HEADINGS, is_skipped
from backtrail.ingest.html.footer_contacts import keep_contacts
from backtrail.ingest.html.rewrites.tree import elements

_ALWAYS = frozenset({
    "cookie", "cookies", "consent", "gdpr", "cookieconsent", "noprint", "no-print", "d-print-none", "hidden-print",
    "mw-editsection", "mw-jump-link", "printfooter", "catlinks", "mw-indicators", "skip-link", "skiplink", "skip-links",
    "skip-to-content", "sr-only", "visually-hidden", "screen-reader-text", "screen-reader-only", "breadcrumb",
    "breadcrumbs", "sharedaddy", "social-share", "share-buttons", "share-links", "social-links", "pagination", "pager",
    "md-source-file", "theme-edit-this-page", "newsletter-signup", "subscribe-form", "signup-form", "advertisement",
    "sistersitebox", "sitesub",
})  # fmt: skip
"""Lower-case names of blocks that are never content: 1 word of main text and 240 others on 166 pages of the development
set of WCXB, as all figures here."""
_OFTEN = frozenset({
    "nav", "navbar", "navigation", "menu", "submenu", "sidebar", "sidenav", "toc", "masthead", "colophon", "footer",
    "topbar", "toolbar", "related", "relatedposts", "recommended", "recommendations", "recirc", "recirculation",
    "popular", "trending", "promo", "promotion", "sponsor", "sponsored", "social", "share", "sharing", "follow",
    "newsletter", "subscribe", "dropdown", "offcanvas", "modal", "popup", "overlay", "archives", "blogroll", "login",
    "search", "searchbox", "cookie", "cookies", "breadcrumbs", "ad", "ads", "advert", "nextprev", "prevnext",
    "languages", "toolbox",
})  # fmt: skip
"""Names, or parts of names, of blocks that are content only if they contain text to read: 501 words of main text and
5,042 others."""
_ARRANGED = frozenset({
    "header", "widget", "widgets", "banner", "teaser", "teasers", "secondary", "tags", "categories", "metadata",
    "latest", "archive", "copyright", "credits", "disclaimer", "legal",
})  # fmt: skip
"""Parts of names of blocks that are no content if they consist of links: 363 words of main text, 289 of them on one
page, and 718 others."""
_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_MOST_NAMES = 20
_MOST_ELEMENTS = 200_000
_LINKED = 0.6
"""Minimum share of a block's letters in links to count as a list of links (ours). 0.45 loses 139 words of main text and
403 others, 0.75 keeps 40 and 143 more."""
_MOST_OF_PAGE = 0.4
"""Share of a page's letters above which no block is boilerplate, whatever its name (ours)."""
_LONG = 200
"""Minimum letters of a paragraph of prose (ours). Without it, 58 words of main text and 157 others are lost."""
_LONG_TOLD = 300
"""Minimum letters of sentences in a block of prose, whatever their elements (ours). It keeps 198 words of main text and
2,985 others on 476 pages of WCXB, and 5,448 words of notes in ``div`` on 8 of 10 pages of the Debian handbook."""
_SENTENCE = 80
"""Minimum letters of a paragraph that locates the text of a page (ours). 40 keeps 9 words of main text and 252 others
more; 160 loses 421 others, and 196 words of 200 pages of documentation."""
_MOST_LEFT_OUT = 0.5
"""Minimum share of a page's letters outside links for a note on their removal (ours)."""
_WORTH_TELLING = 400
"""Minimum number of letters for such a note (ours)."""
_NEIGHBOURS = frozenset({"nav", "navigation", "navheader", "navfooter", "nextprev", "prevnext"})
"""Names, or parts of names, of tables that link to neighbouring pages."""
_MOST_NEIGHBOURS = 8
"""Maximum links of a table that links to neighbouring pages, including pictures of arrows (ours)."""
_LEAST_PROSE = 500
"""Letters of prose below which the search for the text ends (ours). 0 loses 605 words of main text and 235 others,
2,000 keeps 1,398 others more."""
_MOST_PROSE = 0.75
"""Minimum share of a page's prose in a block for the search to continue inside it (ours). 0.6 loses 89 words of main
text and 124 others, 0.9 keeps 21 and 13 more."""
_WRITTEN = frozenset({"p", "li", "dd", "td", "pre", "blockquote"})
_KEPT = HEADINGS | {"html", "body", "main", "article", "table", "tbody", "tr", "td", "th", "thead", "pre", "code"}


def mark_boilerplate(body: Any) -> str:
    """Mark boilerplate under a body in place; return a note if that is most of the page's text, or "".

    Menus, banners and footers that the markup declares do not count.
    """
    found = elements(body)
    if len(found) > _MOST_ELEMENTS:  # a data dump, of which every line counts
        return ""
    lengths = Lengths(body)
    bylines = byline_of(found, lengths.of, lengths.said)
    for element in found:
        if element.tag == "table" and _leads_on(element, lengths):
            element.set(BOILERPLATE, "")
        if element.tag in _KEPT or BOILERPLATE in element.attrib:
            continue
        always, often, arranged = _called(element)
        if element in bylines and not (always or often):
            continue
        if _is_furniture(element, lengths, always, often, arranged):
            element.set(BOILERPLATE, "")
    _mark_outside_main(body, lengths)
    _mark_around_text(body, lengths, bylines)
    keep_contacts(body)
    left_out = sum(lengths.said(one) for one in _outermost(found))
    if left_out < _WORTH_TELLING or left_out < _MOST_LEFT_OUT * lengths.said_all:
        return ""
    return f"{left_out:,} of {lengths.said_all:,} letters outside links look like menus, banners and the like"


def _outermost(marked: list[Any]) -> list[Any]:
    """Return the marked elements that are not inside another marked one."""
    marked = [one for one in marked if BOILERPLATE in one.attrib]
    return [one for one in marked if not any(BOILERPLATE in around.attrib for around in one.iterancestors())]


def _is_furniture(element: Any, lengths: Lengths, always: bool, often: bool, arranged: bool) -> bool:
    if not (always or often or arranged) or (element.tag == "a" and not always):
        return False
    if lengths.of(element) > _MOST_OF_PAGE * lengths.all or element.find(".//h1") is not None:
        return False
    if next(element.iter("main", "article"), None) is not None:
        return False
    if always:
        return True
    return (often or lengths.linked(element) >= _LINKED * lengths.of(element) > 0) and not _says_something(
        element, lengths
    )


def _leads_on(table: Any, lengths: Lengths) -> bool:
    """Return whether a table is the navigation of older manuals (DocBook) to neighbouring pages: 10 of 200 pages of
    documentation have one, of 50 components."""
    named = {part.lower() for part in _PART.findall(table.get("class", "")[:400])} & _NEIGHBOURS
    if not (named or table.get("summary", "").lower().startswith("navigation")):
        return False
    links = sum(1 for _ in islice(table.iter("a"), _MOST_NEIGHBOURS + 1))
    bare = lengths.of(table) - lengths.linked(table)
    return 0 < links <= _MOST_NEIGHBOURS and bare <= _SENTENCE and lengths.of(table) <= _MOST_OF_PAGE * lengths.all


def _called(element: Any) -> tuple[bool, bool, bool]:
    """Return whether an element has names of each of the three kinds; an ``aside`` is of the third."""
    names = f"{element.get('class', '')} {element.get('id', '')}"[:400].split() if element.attrib else []
    often, arranged = False, element.tag == "aside"
    for name in names[:_MOST_NAMES]:
        if name.lower() in _ALWAYS:
            return True, True, True
        parts = {part.lower() for part in _PART.findall(name)}
        often = often or not parts.isdisjoint(_OFTEN)
        arranged = arranged or not parts.isdisjoint(_ARRANGED)
    return False, often, arranged


def _says_something(element: Any, lengths: Lengths) -> bool:
    """Return whether a block contains prose, a table or code, rather than links and labels."""
    if next(element.iter("pre", "table", "math"), None) is not None:
        return True
    if lengths.linked(element) >= _LINKED * lengths.of(element):
        return False
    if lengths.told(element) > _LONG_TOLD:
        return True
    return any(lengths.of(part) - lengths.linked(part) > _LONG for part in element.iter("p", "li", "dd", "blockquote"))


def _mark_outside_main(body: Any, lengths: Lengths) -> None:
    """Mark everything outside a declared main part that contains most of the page.

    It leaves out 144 words of main text and 2,830 others.
    """
    mains = [part for part in elements(body) if part.tag == "main" or part.get("role") == "main"]
    mains = [part for part in mains if not any(parent in mains for parent in part.iterancestors())]
    if len(mains) != 1 or lengths.of(mains[0]) < _MOST_OF_PAGE * lengths.all:
        return
    has_title = mains[0].find(".//h1") is not None
    for beside in _beside(mains[0], body):
        if beside.tag not in HEADINGS and (has_title or beside.find(".//h1") is None):
            beside.set(BOILERPLATE, "")


def _beside(inside: Any, body: Any) -> Iterator[Any]:
    """Yield the elements around an element, up to the body."""
    while inside is not body:
        parent = inside.getparent()
        yield from (part for part in parent if part is not inside and isinstance(part.tag, str))
        inside = parent


def _mark_around_text(body: Any, lengths: Lengths, bylines: set[Any]) -> None:
    """Descend to the block with most of the page's prose, and mark lists of links around it.

    It leaves out 48 words of main text and 3,764 others.
    """
    here = body
    while lengths.prose(here) > _LEAST_PROSE:
        inside = next((part for part in here if lengths.prose(part) > _MOST_PROSE * lengths.prose(body)), None)
        if inside is None or inside.tag in _KEPT - {"main", "article"}:
            return
        for beside in here:
            if beside is not inside and beside not in bylines and _leads_elsewhere(beside, lengths):
                beside.set(BOILERPLATE, "")
        here = inside


def _leads_elsewhere(element: Any, lengths: Lengths) -> bool:
    if (
        not isinstance(element.tag, str)
        or element.tag in _KEPT
        or element.find(".//h1") is not None
        or lengths.linked(element) < 40
    ):
        return False
    links = sum(1 for _ in element.iter("a"))
    return links >= 3 and lengths.linked(element) >= 0.5 * lengths.of(element) and not _says_something(element, lengths)


class Lengths:
    """Counts of shown letters under every element: all, in links, and in prose."""

    def __init__(self, body: Any) -> None:
        self._all: dict[Any, int] = {}
        self._linked: dict[Any, int] = {}
        self._prose: dict[Any, int] = {}
        self._told: dict[Any, int] = {}
        for element in reversed(elements(body)):
            if element is not body and is_skipped(element):
                self._all[element] = self._linked[element] = self._prose[element] = self._told[element] = 0
                continue
            own = len((element.text or "").strip())
            inside = [part for part in element if isinstance(part.tag, str)]
            tails = sum(len((part.tail or "").strip()) for part in element)
            self._all[element] = own + tails + sum(self._all[part] for part in inside)
            linked = sum(self._linked[part] for part in inside)
            self._linked[element] = self._all[element] if element.tag == "a" else linked
            said = self._all[element] - self._linked[element]
            prose = sum(self._prose[part] for part in inside)
            self._prose[element] = said if element.tag in _WRITTEN and said > _SENTENCE else prose
            loose = own + tails if own + tails > _SENTENCE and element.tag in BLOCKS else 0
            told = loose + sum(self._told[part] for part in inside)
            self._told[element] = max(told, self._prose[element])
        self.all = max(self._all.get(body, 0), 1)
        self.said_all = max(self.said(body), 1)

    def of(self, element: Any) -> int:
        """Return all letters under an element."""
        return self._all.get(element, 0)

    def linked(self, element: Any) -> int:
        """Return the letters in its links."""
        return self._linked.get(element, 0)

    def said(self, element: Any) -> int:
        """Return the letters outside its links."""
        return self.of(element) - self.linked(element)

    def told(self, element: Any) -> int:
        """Return the letters of its longer texts outside links, in paragraphs or not."""
        return self._told.get(element, 0)

    def prose(self, element: Any) -> int:
        """Return the letters of its longer paragraphs outside links."""
        return self._prose.get(element, 0)
