"""Detect questions that captions or pictures answer: about a picture or an appearance."""

from __future__ import annotations

import re

_PICTURE = re.compile(
    r"\b(?:pictures?|pictured|images?|photos?|photograph(?:s|ed)?|diagrams?|drawings?|sketch(?:es)?|depict(?:s|ed)?|"
    r"illustrat(?:ed|ions?)|charts?|graphs?|screenshots?|paintings?|portraits?)\b",
    re.IGNORECASE,
)
_LOOKS = re.compile(
    r"\b(?:look(?:s|ed)? like|appearance|logo|flag|emblem|colou?rs?|shape|wear(?:s|ing)?|drawn|map)\b", re.IGNORECASE
)


def names_a_picture(text: str) -> bool:
    """Whether an English text mentions a picture of any kind."""
    return _PICTURE.search(text) is not None


def asks_for_looks(text: str) -> bool:
    """Whether an English text mentions a picture or a visual property (colour, shape, logo)."""
    return names_a_picture(text) or _LOOKS.search(text) is not None
