"""Components as MCP tools return them: as values and as text, within a bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from backtrail.nodes.reading.component_views import component_text
from backtrail.state.component import Component

SNIPPET, WHOLE = 400, 20_000
"""Characters of a component in a list, and of one read (ours)."""


def piece_of(one: Component, title: str, characters: int) -> dict[str, Any]:
    """Return a component with its beginning."""
    return {
        "id": one.id, "document": one.document, "title": title, "section": one.section, "modality": one.modality,
        "text": component_text(one, max(characters, 1)),
    }  # fmt: skip


def piece_line(piece: Mapping[str, Any]) -> str:
    """Return a piece in one line, with where it is."""
    section = piece["section"] if piece["section"] != piece["title"] else ""
    where = " › ".join(part for part in (piece["title"], section) if part)
    return f"{where} ({piece['modality']}, id {piece['id']}): {piece['text']}"


def read_pieces(pieces: Iterable[Component], title: str, total: int) -> tuple[str, dict[str, Any]]:
    """Return the text of the first components that fit, and how many of the ``total`` are left."""
    read: list[dict[str, Any]] = []
    room = WHOLE
    for one in pieces:
        read.append(piece_of(one, title, room))
        room -= len(read[-1]["text"])
        if room <= 0:
            break
    left = total - len(read)
    whole = "\n\n".join(f"[{one['id']}] {one['text']}" for one in read)
    more = f"\n\n({left} further pieces: next_part with the id {read[-1]['id']} goes on.)" if left and read else ""
    return whole + more, {"read": read, "left": left}
