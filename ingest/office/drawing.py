"""Drawings on sheets (DrawingML, ISO/IEC 29500-1, 20.5): charts and pictures with their names, words of shapes."""

from __future__ import annotations

from backtrail.ingest.archive import Archive
from backtrail.ingest.draft import Draft, PictureDraft
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.chart import chart_table
from backtrail.ingest.office.names import R
from backtrail.ingest.office.relations import read_relations


def read_drawing(archive: Archive, part: str) -> list[Draft]:
    """What a drawing shows, as drafts of no section."""
    root = archive.tree(part)
    relations = read_relations(archive, part)
    found: list[Draft] = []
    for anchor in root if root is not None else ():
        properties = next(anchor.iter("{*}cNvPr"), None)
        said = (properties.get("descr") or properties.get("title") or "") if properties is not None else ""
        alt = normalise(said)
        for reference in anchor.iter("{*}chart"):
            relation = relations.get(reference.get(f"{R}id") or "")
            chart = archive.tree(relation.target) if relation and not relation.is_external else None
            table = chart_table(chart, alt) if chart is not None else None
            found.extend([Draft("", table=table)] if table else [])
        for reference in anchor.iter("{*}blip"):
            relation = relations.get(reference.get(f"{R}embed") or reference.get(f"{R}link") or "")
            found.extend([Draft("", picture=PictureDraft(relation.target, alt=alt))] if relation else [])
        lines = ("".join(run.text or "" for run in one.iter("{*}t")) for one in anchor.iterfind(".//{*}txBody/{*}p"))
        words = normalise(" ".join(lines))
        found.extend([Draft("", text=words)] if words else [])
    return found
