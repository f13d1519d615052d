"""Remove boilerplate of a site from a saved page: menus, banners, edit links.

Told by what the markup says (roles, names of classes) together with what stands there: words count for more than
names, so a block that is called a sidebar and holds paragraphs is read. What is left out keeps its ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from backtrail.ingest.html.byline import byline_of
from backtrail.ingest.html.elements import BLOCKS, FURNITURE, HEADINGS, is_skipped
from backtrail.ingest.html.footer_contacts import keep_contacts
from backtrail.ingest.html.rewrites.tree import elements, said

_ALWAYS = frozenset({
    "cookie", "cookies", "consent", "gdpr", "onetrust", "cookiebot", "cookieconsent", "cmplz", "noprint", "no-print",
    "d-print-none", "hidden-print", "print-hidden", "mw-editsection", "mw-jump-link", "mw-jump", "jump-to-nav",
    "printfooter", "catlinks", "mw-indicators", "skip-link", "skiplink", "skip-links", "skip-to-content", "sr-only",
    "visually-hidden", "screen-reader-text", "screen-reader-only", "breadcrumb", "breadcrumbs",
    "theme-doc-breadcrumbs", "sharedaddy", "addtoany", "sociable", "social-share", "share-buttons", "share-links",
    "sharebar", "social-links", "addthis", "pagination", "pager", "pagination-nav", "prev-next-area",
    "theme-doc-footer", "md-source-file", "theme-edit-this-page", "edit-this-page", "edit-page-link",
    "newsletter-signup", "subscribe-form", "signup-form", "adsbygoogle", "advertisement", "advert",
    "authority-control", "sistersitebox", "mw-authority-control", "sitesub", "contentsub",
})  # fmt: skip
"""Names of what is never content, in small letters."""
_OFTEN = frozenset({
    "nav", "navbar", "navigation", "navbox", "menu", "submenu", "sidebar", "sidenav", "toc", "masthead", "colophon",
    "footer", "topbar", "toolbar", "related", "relatedposts", "recommended", "recommendations", "recirc",
    "recirculation", "popular", "trending", "promo", "promotion", "sponsor", "sponsored", "social", "share",
    "sharing", "follow", "newsletter", "subscribe", "dropdown", "offcanvas", "modal", "popup", "overlay", "archives",
    "blogroll", "login", "search", "searchbox", "sphinxsidebar", "cookie", "cookies", "breadcrumbs", "ad", "ads",
    "advert", "nextprev", "prevnext", "languages", "toolbox", "ambox",
})  # fmt: skip
"""Names, or parts of names, of what is no content unless there is something in it to be read."""
_ARRANGED = frozenset({
    "header", "widget", "widgets", "banner", "teaser", "teasers", "secondary", "tags", "categories", "metadata",
    "latest", "archive", "copyright", "credits", "disclaimer", "legal",
})  # fmt: skip
"""Parts of names of what is no content where it is made of links."""
_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_MOST_NAMES = 20
_MOST_ELEMENTS = 200_000
_LINKED = 0.6
"""Share of a block's letters in links from which on it leads elsewhere rather than says something (ours)."""
_MOST_OF_PAGE = 0.4
"""Share of a page's letters above which no block is furniture, whatever it is called (ours)."""
_LONG = 200
"""Letters of a paragraph that is written to be read (ours)."""
_LONG_TOLD = 300
"""Letters of sentences in a block that is written to be read, whatever they stand in (ours)."""
_SENTENCE = 80
"""Letters of a paragraph that tells where the text of a page is (ours)."""
_LEAST_SHOWN = 0.6
"""Share of a page's words outside links above which names of furniture are not believed (ours)."""
_LEAST_SAID = 40
"""Letters outside links of a block that is then read (ours)."""
_MOST_LEFT_OUT = 0.5
"""Share of a page's words outside links from which on it is told that they are left out (ours)."""
_WORTH_TELLING = 400
"""Letters below which it is not (ours)."""
_NEIGHBOURS = frozenset({"nav", "navigation", "navheader", "navfooter", "nextprev", "prevnext"})
"""Names, or parts of names, of a table that leads to neighbouring pages."""
_MOST_NEIGHBOURS = 8
"""Links of a table that leads to neighbouring pages, pictures of arrows included (ours)."""
_LEAST_PROSE = 500
_MOST_PROSE = 0.75
"""Share of a page's text that a block must hold for the text to be looked for in it (ours)."""
_WRITTEN = frozenset({"p", "li", "dd", "td", "pre", "blockquote"})
_KEPT = HEADINGS | {"html", "body", "main", "article", "table", "tbody", "tr", "td", "th", "thead", "pre", "code"}
_EDIT = re.compile(
    r"(?:edit|improve|suggest edits?|view|show)(?: \w+){0,2} (?:page|source|github|gitlab|file|document|history)\.?"
    r"|(?:skip|jump) to (?:the )?(?:main )?(?:content|contents|text|navigation|search)"
    r"|edit|edit source|edit this|bearbeiten|quelltext bearbeiten|modifier(?: le code)?|editar|редактировать|編集|编辑",
    re.I,
)


def mark_boilerplate(body: Any) -> str:
    """Mark what is no content under a body, in place; what is to be told where that is most of what a page says, or "".

    Menus, banners and footers that the markup itself calls so do not count.
    """
    found = elements(body)
    if len(found) > _MOST_ELEMENTS:  # a dump of data, of which every line counts
        return ""
    lengths = Lengths(body)
    told = byline_of(found, lengths.of, lengths.said)
    named: list[Any] = []
    for element in found:
        if element.tag == "table" and _leads_on(element, lengths):
            element.set(FURNITURE, "")
        if element.tag in _KEPT or FURNITURE in element.attrib:
            continue
        always, often, arranged = _called(element)
        if element.tag == "a" and _is_edit_link(element):
            element.set(FURNITURE, "")
        elif element in told and not (always or often):
            continue
        elif _is_furniture(element, lengths, always, often, arranged):
            element.set(FURNITURE, "")
            named.extend([] if always else [element])
    _restore(named, lengths)
    _mark_outside_main(body, lengths)
    _mark_around_text(body, lengths, told)
    keep_contacts(body)
    left_out = sum(lengths.said(one) for one in _outermost(found))
    if left_out < _WORTH_TELLING or left_out < _MOST_LEFT_OUT * lengths.said_all:
        return ""
    return f"{left_out:,} of {lengths.said_all:,} letters outside links look like menus, banners and the like"


def _outermost(marked: list[Any]) -> list[Any]:
    """Those of some elements that are marked and stand in no other such."""
    marked = [one for one in marked if FURNITURE in one.attrib]
    return [one for one in marked if not any(FURNITURE in around.attrib for around in one.iterancestors())]


def _restore(named: list[Any], lengths: Lengths) -> None:
    """Where next to nothing but what names call furniture is shown, they mislead: unmark what says more than it links.

    A mail program may call each of its letters "ads", and a forum its posts.
    """
    outermost = _outermost(named)
    lost = sum(lengths.said(one) for one in outermost)
    if lost < _LEAST_SHOWN * lengths.said_all:
        return
    for one in outermost:
        if lengths.said(one) > max(lengths.linked(one), _LEAST_SAID):
            del one.attrib[FURNITURE]


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
    """Whether a table is what older manuals (DocBook) lead to the page before, above and after with."""
    named = {part.lower() for part in _PART.findall(table.get("class", "")[:400])} & _NEIGHBOURS
    if not (named or table.get("summary", "").lower().startswith("navigation")):
        return False
    links = sum(1 for _ in islice(table.iter("a"), _MOST_NEIGHBOURS + 1))
    bare = lengths.of(table) - lengths.linked(table)
    return 0 < links <= _MOST_NEIGHBOURS and bare <= _SENTENCE and lengths.of(table) <= _MOST_OF_PAGE * lengths.all


def _called(element: Any) -> tuple[bool, bool, bool]:
    """Whether an element has a name of each of the three kinds; an ``aside`` is of the third."""
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
    """Whether a block holds text to be read, a table or code, rather than links and labels."""
    if next(element.iter("pre", "table", "math"), None) is not None:
        return True
    if lengths.linked(element) >= _LINKED * lengths.of(element):
        return False
    if lengths.told(element) > _LONG_TOLD:
        return True
    return any(lengths.of(part) - lengths.linked(part) > _LONG for part in element.iter("p", "li", "dd", "blockquote"))


def _is_edit_link(link: Any) -> bool:
    """Whether a link leads to where its page is edited, or over a menu to its text."""
    text = said(link).strip("[]() ✎")
    return len(text) < 60 and _EDIT.fullmatch(text) is not None


def _mark_outside_main(body: Any, lengths: Lengths) -> None:
    """Where a page says what its main part is, and that holds most of it, mark what stands around it."""
    mains = [part for part in elements(body) if part.tag == "main" or part.get("role") == "main"]
    mains = [part for part in mains if not any(parent in mains for parent in part.iterancestors())]
    if len(mains) != 1 or lengths.of(mains[0]) < _MOST_OF_PAGE * lengths.all:
        return
    has_title = mains[0].find(".//h1") is not None
    for beside in _beside(mains[0], body):
        if beside.tag not in HEADINGS and (has_title or beside.find(".//h1") is None):
            beside.set(FURNITURE, "")


def _beside(inside: Any, body: Any) -> Iterator[Any]:
    """What stands around an element, up to the body."""
    while inside is not body:
        parent = inside.getparent()
        yield from (part for part in parent if part is not inside and isinstance(part.tag, str))
        inside = parent


def _mark_around_text(body: Any, lengths: Lengths, told: set[Any]) -> None:
    """Follow the text of a page down to the block that holds most of it; mark lists of links around that."""
    here = body
    while lengths.prose(here) > _LEAST_PROSE:
        inside = next((part for part in here if lengths.prose(part) > _MOST_PROSE * lengths.prose(body)), None)
        if inside is None or inside.tag in _KEPT - {"main", "article"}:
            return
        for beside in here:
            if beside is not inside and beside not in told and _leads_elsewhere(beside, lengths):
                beside.set(FURNITURE, "")
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


def _unfolds(link: Any) -> bool:
    """Whether a link is the heading of what it shows on its own page, as in a list that unfolds."""
    if not link.get("href", "#").startswith("#"):
        return False
    return next(link.iter(*HEADINGS), None) is not None or next(link.iterancestors(*HEADINGS), None) is not None


class Lengths:
    """Letters under every element that are shown; how many of them are links, and how many text to be read."""

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
            self._linked[element] = self._all[element] if element.tag == "a" and not _unfolds(element) else linked
            said = self._all[element] - self._linked[element]
            prose = sum(self._prose[part] for part in inside)
            self._prose[element] = said if element.tag in _WRITTEN and said > _SENTENCE else prose
            loose = own + tails if own + tails > _SENTENCE and element.tag in BLOCKS else 0
            told = loose + sum(self._told[part] for part in inside)
            self._told[element] = max(told, self._prose[element])
        self.all = max(self._all.get(body, 0), 1)
        self.said_all = max(self.said(body), 1)

    def of(self, element: Any) -> int:
        """Letters under an element."""
        return self._all.get(element, 0)

    def linked(self, element: Any) -> int:
        """Letters in its links."""
        return self._linked.get(element, 0)

    def said(self, element: Any) -> int:
        """Letters outside its links."""
        return self.of(element) - self.linked(element)

    def told(self, element: Any) -> int:
        """Letters of its longer texts that are no links, those that stand in no paragraph too."""
        return self._told.get(element, 0)

    def prose(self, element: Any) -> int:
        """Letters of its longer paragraphs that are not links."""
        return self._prose.get(element, 0)
