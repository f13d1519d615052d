"""Keep telephone numbers and addresses that appear only in a page's footer.

Footers are removed, but often have the contact data of offices: those lines are kept, on 65 of 310 pages of the test
set of WCXB (web-content-extraction-benchmark).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from backtrail.ingest.html.elements import APART, BLOCKS, BOILERPLATE, HEADINGS, NEVER_SHOWN, is_hidden, is_skipped
from backtrail.ingest.html.rewrites.tree import elements, said

_YEARS = r"(?!(?:19|20)\d\d[ .-](?:19|20)\d\d)"
_AREA = r"(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,5}\)[ .-]?|\d{2,5}[ .-])"
_PHONE = rf"(?<![\d.,/-]){_YEARS}{_AREA}\d{{3,4}}[ .-]\d{{3,4}}(?![\d.-])"
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,12}\b"
_CONTACT = re.compile(rf"{_PHONE}|{_MAIL}", re.I)
_FOOT = re.compile(r"foot|contact|address|colophon|bottom", re.I)
_REACHING = ("tel:", "mailto:")
_LARGEST = 400
"""Maximum letters of a block of contact data (ours)."""
_LINKED = 0.25
"""Maximum share of its letters in links (ours)."""
_MOST_BLOCKS = 12
_MOST_LETTERS = 20_000
_MOST_ELEMENTS = 2_000
"""Maximum letters and elements of a footer that is searched (ours)."""


def keep_contacts(body: Any) -> None:
    """Unmark contact data in the footers of a marked page, in place."""
    for foot in [element for element in elements(body) if _is_foot(element) and _is_outermost(element, body)]:
        text = said(foot)
        if len(text) > _MOST_LETTERS or len(elements(foot)) > _MOST_ELEMENTS or not _CONTACT.search(text):
            continue
        blocks = list(dict.fromkeys(_grown(leaf, foot) for leaf in _leaves(foot)))[:_MOST_BLOCKS]
        if blocks:
            _open(foot, blocks)
            foot.set(APART, "")


def _is_foot(element: Any) -> bool:
    if element.tag == "footer" or element.get("role") == "contentinfo":
        return True
    named = f"{element.get('class', '')} {element.get('id', '')}" if BOILERPLATE in element.attrib else ""
    return _FOOT.search(named[:400]) is not None


def _is_outermost(element: Any, body: Any) -> bool:
    """Return whether no ancestor of an element is skipped."""
    for around in element.iterancestors():
        if around is body:
            return True
        if is_skipped(around):
            return False
    return False


def _leaves(foot: Any) -> Iterator[Any]:
    """Yield the innermost blocks with contact data."""
    for part in elements(foot):
        if part.tag not in BLOCKS and part is not foot:
            continue
        inside = any(inner.tag in BLOCKS and _CONTACT.search(said(inner)) for inner in part.iterdescendants())
        if not inside and _is_shown(part, foot) and _CONTACT.search(said(part)):
            yield part


def _is_shown(part: Any, foot: Any) -> bool:
    """Return whether a part of a footer is visible and no menu."""
    while part is not foot:
        if part.tag in NEVER_SHOWN or part.tag == "nav" or is_hidden(part):
            return False
        part = part.getparent()
    return not is_hidden(foot)


def _grown(leaf: Any, foot: Any) -> Any:
    """Return the largest block around contact data with little else, e.g. with name and street."""
    block = leaf
    while block is not foot:
        around = block.getparent()
        letters = len(said(around))
        leading = sum(len(said(link)) for link in around.iter("a") if not link.get("href", "").startswith(_REACHING))
        if letters > _LARGEST or leading > _LINKED * letters:
            break
        block = around
    return block


def _open(foot: Any, blocks: list[Any]) -> None:
    """Show only these blocks of a footer and the headings before them."""
    path = {around for block in blocks for around in block.iterancestors()}
    stack = [foot]
    while stack:
        element = stack.pop()
        if element in blocks:
            for part in elements(element):
                _show(part)
                if part.tag == "img":  # logos
                    part.set(BOILERPLATE, "")
        elif element in path:
            _show(element)
            element.text = None
            for part in element:
                part.tail = None
            stack.extend(part for part in element if isinstance(part.tag, str))
        elif not (element.tag in HEADINGS and (after := element.getnext()) is not None and after in path.union(blocks)):
            element.set(BOILERPLATE, "")


def _show(element: Any) -> None:
    element.attrib.pop(BOILERPLATE, None)
    element.attrib.pop("role", None)
    element.tag = "div" if element.tag in ("footer", "aside") else element.tag
