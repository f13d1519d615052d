"""Helpers of the rewrites: classes, texts, and removal and replacement of elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

_SPACE = re.compile(r"\s+")


def classes(element: Any) -> list[str]:
    """Return the lower-case classes of an element."""
    given = element.get("class")
    return given.lower().split() if given else []


def elements(root: Any) -> list[Any]:
    """Return all elements under a root in reading order, as a list that later changes do not affect."""
    return list(root.iter(etree.Element))


def said(element: Any) -> str:
    """Return the text of an element in one line."""
    return _SPACE.sub(" ", "".join(element.itertext())).strip()


def taken_out(element: Any) -> None:
    """Replace an element by an empty span, keeping the text after it."""
    tail = element.tail
    element.clear()
    element.tag, element.tail = "span", tail


def replaced(element: Any, tag: str, text: str) -> Any:
    """Replace an element by one with this tag and text, keeping the id."""
    new = etree.Element(tag)
    new.text, new.tail = text, element.tail
    if element.get("id"):
        new.set("id", element.get("id"))
    element.getparent().replace(element, new)
    return new


def ancestors(element: Any, most: int) -> Iterator[Any]:
    """Yield the ancestors of an element, innermost first, at most ``most`` and below the body."""
    for number, parent in enumerate(element.iterancestors()):
        if number >= most or parent.tag in ("body", "html", "main", "article"):
            return
        yield parent
