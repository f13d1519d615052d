"""What the rewrites share: classes, texts, and taking an element out without losing what follows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

_SPACE = re.compile(r"\s+")


def classes(element: Any) -> list[str]:
    """The classes of an element, in small letters."""
    given = element.get("class")
    return given.lower().split() if given else []


def has_class(element: Any, names: frozenset[str]) -> bool:
    """Whether an element has one of these classes."""
    return not names.isdisjoint(classes(element))


def elements(root: Any) -> list[Any]:
    """All elements under a root in reading order, as a list that stays whole while the tree is changed."""
    return list(root.iter(etree.Element))


def said(element: Any) -> str:
    """The text under an element, in one line."""
    return _SPACE.sub(" ", "".join(element.itertext())).strip()


def taken_out(element: Any) -> None:
    """Empty an element of all it says and is; the text behind it stays where it is."""
    tail = element.tail
    element.clear()
    element.tag, element.tail = "span", tail


def replaced(element: Any, tag: str, text: str) -> Any:
    """Put an element of this text in the place of another; it keeps the id."""
    new = etree.Element(tag)
    new.text, new.tail = text, element.tail
    if element.get("id"):
        new.set("id", element.get("id"))
    element.getparent().replace(element, new)
    return new


def ancestors(element: Any, most: int) -> Iterator[Any]:
    """The elements around one, innermost first, at most so many and never the body."""
    for number, parent in enumerate(element.iterancestors()):
        if number >= most or parent.tag in ("body", "html", "main", "article"):
            return
        yield parent
