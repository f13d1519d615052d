"""Recognise captions and assign them to tables and figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from backtrail.ingest.pdf.geometry import Box, across

Kind = Literal["table", "figure"]

_NUMBER = r"[\s.\u00a0]*(?:nr\.?|no\.?|n°)?\s*([A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?|[IVXLC]{1,8}\b|[A-Z]\b(?=[.:]))"
_FIGURE = re.compile(
    r"^(?:supplementary\s+|extended data\s+)?(?:fig(?:ure|\.|s\.)?|abb(?:ildung|\.)|chart|graph|plate|photo|image|map|"
    r"diagram|exhibit|scheme|figura|grafik|bild|рис(?:унок|\.)|图|圖|図|شكل|איור)" + _NUMBER, re.I)  # fmt: skip
_TABLE = re.compile(
    r"^(?:supplementary\s+)?(?:tab(?:le|elle|leau|la|ela|\.)|cuadro|таб(?:лица|л\.)|表|جدول|טבלה)" + _NUMBER, re.I
)
_OPENINGS: tuple[tuple[Kind, re.Pattern[str]], ...] = (("table", _TABLE), ("figure", _FIGURE))
# Figures: pages of 203 with captions, in 190 papers, that change.
_DISTANCE = 48.0  # maximum points between a caption and its object; at 24: 25 pages lose a caption; at 96: 9 gain one
_OTHER_SIDE = 14.0  # extra distance of captions below tables and above figures; off: 10 pages get wrong ones


@dataclass(frozen=True)
class Label:
    """Kind and number of a caption, by which texts refer to it: ("table", "3")."""

    kind: Kind
    number: str


def read_label(text: str) -> Label | None:
    """Return the label of a text that begins like a caption; else None."""
    for kind, opening in _OPENINGS:
        match = opening.match(text)
        if match and _is_caption(text[match.end() :]):
            return Label(kind, match.group(1).rstrip(".").casefold())
    return None


def _is_caption(rest: str) -> bool:
    """Unlike "Table 3 shows …", a caption continues with a mark, a capital or nothing."""
    return not rest.strip() or rest[0] in ".:|–—-)\n" or bool(re.match(r"\s+[\W\dA-Z\u0080-\uffff]", rest))


def match_captions(captions: Sequence[tuple[Box, Label]], objects: Sequence[tuple[Box, Kind]]) -> dict[int, int]:
    """Assign captions to the nearest objects, preferring those of their kind, above tables and below figures."""
    pairs = sorted(
        (label.kind != kind, distance, number, other)
        for number, (box, label) in enumerate(captions)
        for other, (place, kind) in enumerate(objects)
        if (distance := _distance(box, label.kind, place)) is not None
    )
    matched: dict[int, int] = {}
    for *_, number, other in pairs:
        if number not in matched and other not in matched.values():
            matched[number] = other
    return matched


def _distance(caption: Box, kind: Kind, place: Box) -> float | None:
    below, above = caption[1] - place[3], place[1] - caption[3]
    distance = max(below, above)
    if across(caption, place) <= 0:
        return None
    if distance > _DISTANCE or distance < -0.5 * (caption[3] - caption[1]) - 2:
        return None
    is_below = below >= above
    return distance + (_OTHER_SIDE if is_below == (kind == "table") else 0.0)
