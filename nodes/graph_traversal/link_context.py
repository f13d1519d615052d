"""The part of a component around a link: a table row, the sentences with the link, a caption."""

from __future__ import annotations

from backtrail.language.sentences import split_sentences
from backtrail.state.component import Component
from backtrail.state.path import Path


def piece_text(component: Component, path: Path) -> str:
    """Return the piece with the link: a table row with header, or sentences; for a mention the whole text.

    For a hierarchy edge it is the place in the site or folder.
    """
    if path.get("kind") == "hierarchy":
        return path["anchor"]
    if component.table is not None and path["row"] is not None and path["row"] < len(component.table.rows):
        table = component.table
        cells = zip(table.header, table.rows[path["row"]], strict=False)
        return f"{table.caption}: " + "; ".join(f"{head} is {cell}" for head, cell in cells if cell)
    if component.table is not None:
        return f"{component.table.caption}: " + " | ".join(component.table.header)
    if component.image is not None:
        return f"{component.image.title} {component.image.caption} {component.image.alt}"
    if path.get("mention"):
        return component.text or ""
    holding = [sentence for sentence in split_sentences(component.text or "") if path["anchor"] in sentence]
    return " ".join(holding) or (component.text or "")
