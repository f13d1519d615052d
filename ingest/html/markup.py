"""Parse the markup of a page, broken or not, to an element tree."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.html.rewrites.standardise import standardise
from backtrail.tools.web.bound_attributes import MOST_ATTRIBUTES, bound_attributes

_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,200}\?>")
_BLOCK_WRAPPERS = re.compile(r"</?(?:div|section|article|main|center)\b[^<>]*>", re.I)
_CROWDED = f"attributes beyond {MOST_ATTRIBUTES} of one tag were left out (tags: {{}})"
_INLINE_WRAPPERS = re.compile(r"</?(?:span|font|b|i|u|em|strong|small|big)\b[^<>]*>", re.I)


def parse_markup(markup: str) -> tuple[Any, list[str]]:
    """Return the root element of a page, and a sentence for each loss.

    Markup nested deeper than the parser's limit (256) is parsed again without wrappers, so that text survives.
    Constructs of sites and generators are rewritten to plain HTML.
    """
    root, losses = _parse(markup)
    standardise(root)
    return root, losses


def parse_body(markup: str) -> tuple[Any, list[str]]:
    """Like ``parse_markup``, but return the body."""
    root, losses = parse_markup(markup)
    body = root.find("body")
    return root if body is None else body, losses


def _parse(markup: str) -> tuple[Any, list[str]]:
    root = _as_xhtml(markup) if _XML_DECLARATION.match(markup) else None
    if root is not None:
        return root, []
    markup, crowded = bound_attributes(_XML_DECLARATION.sub("", markup, count=1))
    losses = [_CROWDED.format(crowded)] if crowded else []
    root, complete = _as_html(markup)
    if complete:
        return root, losses
    flat = _INLINE_WRAPPERS.sub("", _BLOCK_WRAPPERS.sub("<hr>", markup))
    root, complete = _as_html(flat)
    if complete:
        return root, [*losses, "the markup is nested too deeply; it was read without its wrappers and their ids"]
    lost = "the markup is nested too deeply or has an oversized element; what follows it was not read"
    return root, [*losses, lost]


def _as_html(markup: str) -> tuple[Any, bool]:
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=False)
    # a NUL ends the document for libxml2
    content = markup.replace("\0", " ").encode("utf-8", "replace")
    root = None
    with suppress(etree.XMLSyntaxError):  # only comments or white space
        root = etree.fromstring(content, parser)
    if root is None:
        root = etree.fromstring("<html><body></body></html>", etree.HTMLParser())
    cut = any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)
    return root, not cut


def _as_xhtml(markup: str) -> Any | None:
    """Parse well-formed XHTML, in which ``<script/>`` is closed; None if it is not well-formed."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(_XML_DECLARATION.sub("", markup, count=1).encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None
    elements = list(root.iter())
    if any(not isinstance(element.tag, str) for element in elements):
        return None  # unresolved entities: the HTML parser knows their names
    for element in elements:
        element.tag = etree.QName(element).localname.lower()
    return root if root.tag == "html" else None
