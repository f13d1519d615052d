"""Lines that a style sheet sets below each other: ``<span class="l"><span>a</span><span>b</span></span>``."""

from __future__ import annotations

from typing import Any


def read_lines(element: Any) -> None:
    """Set the parts apart with spaces, so that their words are not glued.

    Only a span with a class that holds nothing but spans without any attribute: highlighters and formulas name theirs,
    and what editors cut words into stands in a paragraph.
    """
    if not element.get("class") or len(element) < 2 or (element.text or "").strip():
        return
    if all(part.tag == "span" and not part.attrib and not (part.tail or "").strip() for part in element):
        for part in element[:-1]:
            part.tail = part.tail or " "
