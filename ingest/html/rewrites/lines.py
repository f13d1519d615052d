"""Separate lines that a style sheet breaks: ``<span class="l"><span>a</span><span>b</span></span>``."""

from __future__ import annotations

from typing import Any


def read_lines(element: Any) -> None:
    """Add spaces between the parts, so that words are not joined.

    Only in a span with a class that contains only spans without attributes: those of highlighters and formulas have
    attributes, and those of editors, which split words, are in paragraphs.
    """
    if not element.get("class") or len(element) < 2 or (element.text or "").strip():
        return
    if all(part.tag == "span" and not part.attrib and not (part.tail or "").strip() for part in element):
        for part in element[:-1]:
            part.tail = part.tail or " "
