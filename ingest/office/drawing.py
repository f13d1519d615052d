"""Drawings on sheets (DrawingML, ISO/IEC 29500-1, 20.5): charts and pictures with their names, by place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.chart import chart_table
from backtrail.ingest.office.relations import read_relations
from backtrail.state.component import Table

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_ANCHORS = ("twoCellAnchor", "oneCellAnchor", "absoluteAnchor")


@dataclass(frozen=True)
class Drawn:
    """One thing on a sheet: a chart's table, the name of a picture's part, or words in a shape."""

    row: int
    table: Table | None = None
    picture: str = ""
    alt: str = ""
    words: str = ""


def read_drawing(archive: Archive, part: str) -> list[Drawn]:
    """What a drawing shows, from top to bottom; ``row`` is the 0-based row of its upper edge."""
    root = archive.tree(part)
    if root is None:
        return []
    relations = read_relations(archive, part)
    found: list[Drawn] = []
    for anchor in root:
        if not isinstance(anchor.tag, str) or anchor.tag.rpartition("}")[2] not in _ANCHORS:
            continue
        row = _row(anchor)
        name, alt = _described(anchor)
        for reference in anchor.iter("{*}chart"):
            relation = relations.get(reference.get(f"{_R}id") or "")
            chart = archive.tree(relation.target) if relation and not relation.is_external else None
            table = chart_table(chart, alt or name) if chart is not None else None
            found.extend([Drawn(row, table=table)] if table else [])
        for reference in anchor.iter("{*}blip"):
            relation = relations.get(reference.get(f"{_R}embed") or reference.get(f"{_R}link") or "")
            found.extend([Drawn(row, picture=relation.target, alt=alt)] if relation else [])
        words = " ".join(
            normalise("".join(run.text or "" for run in paragraph.iter("{*}t")))
            for body in anchor.iter("{*}txBody")
            for paragraph in body.iter("{*}p")
        )
        found.extend([Drawn(row, words=normalise(words))] if words.strip() else [])
    return sorted(found, key=lambda drawn: drawn.row)


def _row(anchor: Any) -> int:
    text = anchor.findtext("{*}from/{*}row") or ""
    return int(text) if text.strip().isdigit() else 0


def _described(anchor: Any) -> tuple[str, str]:
    """The author's name of a drawn thing unless it is a default one ("Picture 3"), and its description."""
    properties = next(anchor.iter("{*}cNvPr"), None)
    if properties is None:
        return "", ""
    name = normalise(properties.get("name") or "")
    shown = "" if name.rpartition(" ")[2].isdigit() else name
    return shown, normalise(properties.get("descr") or properties.get("title") or "")
