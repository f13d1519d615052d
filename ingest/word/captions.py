"""Captions joined with the tables and pictures that they stand above or below."""

from __future__ import annotations

import re
from typing import Any

from backtrail.ingest.word.body import CAPTION
from backtrail.ingest.word.elements import add_text, new, says

_OF_TABLES = re.compile(r"\s*(?:table|tabelle|tableau|tabla|tabella|tabel|tabell|таблица|表)\b", re.I)
_OF_PICTURES = re.compile(
    r"\s*(?:fig|figure|abb|abbildung|bild|chart|diagram|diagramm|grafik|ilustra|figura|рис|图|図|photo|foto)", re.I
)


def join_captions(body: Any) -> None:
    """Put captions into their tables, and pictures with captions into figures.

    A caption that says "Table" belongs to the table after it, else before it; one that says "Figure" to the picture
    before it, else after it. Others take what is there. A caption without anything beside it stays a paragraph.
    """
    for caption in list(body.iter("p")):
        kind = caption.attrib.pop(CAPTION, None)
        if kind is None or not says(caption):
            continue
        named = f"{kind} {says(caption)}"
        before, after = _neighbour(caption, forwards=False), _neighbour(caption, forwards=True)
        if _OF_TABLES.match(kind) or _OF_TABLES.match(says(caption)):
            order = [(after, "table"), (before, "table"), (before, "img"), (after, "img")]
        elif _OF_PICTURES.match(kind) or _OF_PICTURES.match(named.partition(" ")[2]):
            order = [(before, "img"), (after, "img"), (before, "table"), (after, "table")]
        else:
            order = [(after, "table"), (before, "img"), (before, "table"), (after, "img")]
        for neighbour, wanted in order:
            if neighbour is not None and _take(neighbour, wanted, caption):
                break


def _neighbour(caption: Any, *, forwards: bool) -> Any | None:
    """The next block that is not blank."""
    block = caption.getnext() if forwards else caption.getprevious()
    while block is not None and block.tag == "p" and not says(block) and block.find(".//img") is None:
        block = block.getnext() if forwards else block.getprevious()
    return block


def _take(block: Any, wanted: str, caption: Any) -> bool:
    if wanted == "table" and block.tag == "table" and block.find("caption") is None:
        held = new("caption")
        _move(caption, held)
        block.insert(0, held)
        return True
    if wanted == "img" and block.tag == "p" and block.find(".//img") is not None and not says(block):
        figure = new("figure")
        block.getparent().replace(block, figure)
        figure.append(block)
        held = new("figcaption")
        _move(caption, held)
        figure.append(held)
        return True
    return False


def _move(caption: Any, into: Any) -> None:
    """The content of a caption into another element; it is gone from where it was."""
    add_text(into, caption.text or "")
    for part in list(caption):
        into.append(part)
    caption.getparent().remove(caption)
