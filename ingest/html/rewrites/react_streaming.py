"""Move streamed React fragments to their places.

A page saved without running its scripts has fragments at the end, ``<div hidden id="S:5">``, and empty placeholders,
``<template id="B:5">`` or ``"P:5"``.
Of 2,408 pages, 23 have such fragments.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

_PIECE = re.compile(r"([\w-]{0,40})S:([0-9a-f]{1,8})")
_PLACE = re.compile(r"([\w-]{0,40})[BP]:([0-9a-f]{1,8})")


def put_in_place(root: Any) -> None:
    """Move fragments to their placeholders; fragments without one stay and are shown."""
    pieces = [
        (match, part) for part in root.iter("div") if (match := _numbered(part, _PIECE)) and "hidden" in part.attrib
    ]
    if not pieces:
        return
    places = {match.groups(): part for part in root.iter("template") if (match := _numbered(part, _PLACE))}
    for match, piece in pieces:
        del piece.attrib["hidden"]
        place = places.pop(match.groups(), None)
        if place is None or any(around is piece for around in place.iterancestors()):
            continue
        placeholder = etree.Element("span")
        placeholder.tail, piece.tail = piece.tail, place.tail
        piece.getparent().replace(piece, placeholder)
        place.getparent().replace(place, piece)


def _numbered(element: Any, pattern: re.Pattern[str]) -> re.Match[str] | None:
    return pattern.fullmatch(element.get("id", ""))
