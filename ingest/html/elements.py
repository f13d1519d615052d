"""Kinds of elements: blocks, elements that are never shown, and elements that are no content."""

from __future__ import annotations

import re
from typing import Any

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCKS = HEADINGS | frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "legend", "li", "main",
    "menu", "nav", "ol", "optgroup", "option", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot",
    "th", "thead", "tr", "ul",
})  # fmt: skip
NEVER_SHOWN = frozenset({
    "script", "style", "template", "noscript", "rp", "rt", "svg", "canvas", "iframe", "object", "embed", "audio",
    "video", "map", "head", "title", "base", "meta", "link", "button", "input", "select", "textarea", "datalist",
    "annotation", "annotation-xml",
})  # fmt: skip
CHROME = frozenset({"nav", "footer"})
_CHROME_ROLES = frozenset({"navigation", "search", "complementary", "contentinfo", "banner"})
BOILERPLATE = "data-backtrail-furniture"
"""Attribute of boilerplate of the site."""
APART = "data-backtrail-apart"
"""Attribute of a block that belongs to no heading before it, such as the foot of a page."""
ENTRY = "data-backtrail-entry"
"""Attribute of a box of short blocks that become lines of one text."""
LABEL = "data-backtrail-label"
"""Attribute with the name of a block that has no heading: an admonition, a tab, titled code. Its contents become a
section of that name; within a list or quote the name is a line."""
_UNTIL_FOUND = "until-found"
"""Value of ``hidden`` on elements that a reader can unfold or find."""
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)


def is_skipped(element: Any) -> bool:
    """Return whether an element is no content: hidden, a script, or boilerplate of the site."""
    tag = element.tag
    if not isinstance(tag, str) or tag in NEVER_SHOWN or tag in CHROME:
        return True
    attributes = element.attrib
    if tag == "aside":
        return BOILERPLATE in attributes or not _is_within_text(element)
    if not attributes and tag != "header":
        return False
    if BOILERPLATE in attributes:
        return True
    if is_hidden(element):
        return True
    # icons and copies: 117 components and doubled figures on 13 of 166 pages of the development set of WCXB; on blocks
    # it is left over from an open dialog, and 7 words of main text and 558 others are lost
    if attributes.get("aria-hidden") == "true" and tag not in BLOCKS:
        return True
    if tag == "header" or attributes.get("role") in _CHROME_ROLES:
        return not _holds_heading(element)
    return False


def is_hidden(element: Any) -> bool:
    """Return whether the markup of an element hides it from all readers.

    It hides 1,958 words of main text and 2,606 others on 166 pages.
    """
    attributes = element.attrib
    hidden = attributes.get("hidden", _UNTIL_FOUND).lower() != _UNTIL_FOUND
    return hidden or _HIDING.search(attributes.get("style", "")) is not None


def _is_within_text(element: Any) -> bool:
    """Return whether an aside is within an article or section, as a note is, and not beside it.

    Without these, 112 words of main text on 166 pages are lost.
    """
    return any(parent.tag in ("article", "section", "main") for parent in element.iterancestors())


def _holds_heading(element: Any) -> bool:
    """Return whether a header contains the page's h1, or any heading if within an article or section."""
    if element.find(".//h1") is not None:
        return True
    inside = any(parent.tag in ("article", "section", "main") for parent in element.iterancestors())
    return inside and any(element.find(f".//{tag}") is not None for tag in HEADINGS)
