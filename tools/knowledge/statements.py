"""Statements of components: extracted triplets, titles and captions."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import Connection, func, select

from backtrail.tools.corpus.tables.records import text_hash
from backtrail.tools.corpus.tables.schema import components, documents
from backtrail.tools.knowledge.merge import Said
from backtrail.tools.knowledge.protocol import StatementKind

Row = dict[str, Any]


def statement_rows(connection: Connection, said: Collection[Said]) -> Iterator[Row]:
    """Yield statement rows without keys. A text that a component repeats has one vector."""
    by_component = {one.component: one for one in said}
    for component, plain in _titles_and_captions(connection):
        yield from _rows(component, plain, by_component.pop(component, None))
    for component, one in by_component.items():
        yield from _rows(component, [], one)


def _rows(component: str, plain: list[tuple[StatementKind, str, str]], said: Said | None) -> Iterator[Row]:
    seen: set[str] = set()
    for ordinal, (kind, suffix, text) in enumerate(plain):
        if text not in seen:
            seen.add(text)
            yield _row(f"{component}/{suffix}", component, ordinal, kind, text)
    for ordinal, triplet in enumerate(said.triplets if said else ()):
        row = _row(f"{component}/t{ordinal}", component, ordinal, "triplet", triplet["text"])
        row.update({end: triplet[end] for end in ("head", "relation", "tail")})
        if triplet["text"] in seen:
            row["text_hash"] = None
        seen.add(triplet["text"])
        yield row


def _row(id_: str, component: str, ordinal: int, kind: StatementKind, text: str) -> Row:
    return {
        "id": id_,
        "component": component,
        "ordinal": ordinal,
        "kind": kind,
        "head": "",
        "relation": "",
        "tail": "",
        "text": text,
        "search_text": text,
        "text_hash": text_hash(text),
    }


def _titles_and_captions(connection: Connection) -> Iterator[tuple[str, list[tuple[StatementKind, str, str]]]]:
    """Yield each component's title of the document that it begins, caption of its table, and title of its picture."""
    table = components
    first = select(func.min(table.c.key)).group_by(table.c.document_key)
    titled = select(table.c.key, documents.c.title).join_from(table, documents, table.c.document_key == documents.c.key)
    titles = {row.key: row.title for row in connection.execute(titled.where(table.c.key.in_(first)))}
    texts = select(table.c.key, table.c.id).where(table.c.modality == "text").order_by(table.c.key)
    for row in connection.execute(texts).all():
        if titles.get(row.key, "").strip():
            yield row.id, [("title", "title", titles[row.key])]
    captioned = select(table.c.key, table.c.id, table.c.content).where(table.c.modality != "text")
    for row in connection.execute(captioned.order_by(table.c.key)).all():
        content = json.loads(row.content)
        shown = content.get("table") or content.get("image") or {}
        plain: list[tuple[StatementKind, str, str]] = [
            ("title", "title", titles.get(row.key, "")),
            ("title", "name", shown.get("title", "")),
            ("caption", "caption", shown.get("caption", "")),
        ]
        filled: list[tuple[StatementKind, str, str]] = [
            (kind, at, text.strip()) for kind, at, text in plain if text.strip()
        ]
        if filled:
            yield row.id, filled
