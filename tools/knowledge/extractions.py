"""Table of extractions: the reply, extractor and status of each chunk of each component."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, bindparam, case, delete, func, insert, select, update

from backtrail.state.knowledge.chunks import ExtractedKnowledge, KnowledgeChunk
from backtrail.tools.corpus import contents
from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.corpus.tables.schema import components, documents, extractions
from backtrail.tools.knowledge.chunks import chunks_of, content_hash

Status = Literal["ok", "empty", "failed", "pending"]
READ: tuple[Status, ...] = ("ok", "empty")
NOTHING = b"\0" * 16
"""Content hash of a component without words."""


@dataclass(frozen=True)
class Chunk:
    """A chunk of a stored component, with the extractor's inputs."""

    document: str
    component: str
    component_key: int
    number: int
    inputs: KnowledgeChunk
    hash: bytes


@dataclass(frozen=True)
class Outcome:
    """Outcome of a chunk. ``content`` is the reply as JSON, empty unless the status is "ok"."""

    chunk: Chunk
    status: Status
    content: str = ""
    error: str = ""


def as_content(knowledge: ExtractedKnowledge) -> str:
    """Return a reply in the stored form."""
    return json.dumps(knowledge.model_dump(exclude_defaults=True), ensure_ascii=False, separators=(",", ":"))


def outcome(chunk: Chunk, content: str) -> Outcome:
    """Return the outcome of a chunk with a reply."""
    return Outcome(chunk, "ok", content) if content != "{}" else Outcome(chunk, "empty")


def stored_chunks(connection: Connection, ids: Sequence[str]) -> dict[str, list[Chunk]]:
    """Return the chunks of components by id; an empty list for a component without words."""
    stored = contents.components(connection, ids)
    titles = _titles(connection, {component.document for component in stored.values()})
    keys = component_keys(connection, list(stored))
    return {
        id_: [
            Chunk(component.document, id_, keys[id_], number, inputs, content_hash(inputs))
            for number, inputs in enumerate(chunks_of(titles[component.document], component))
        ]
        for id_, component in stored.items()
    }


def _titles(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    return {id_: document.title for id_, document in contents.documents(connection, sorted(ids)).items()}


def component_keys(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """Return the keys of components by id."""
    keys: dict[str, int] = {}
    for some in chunks(ids):
        rows = connection.execute(select(components.c.id, components.c.key).where(components.c.id.in_(some)))
        keys.update((row.id, row.key) for row in rows)
    return keys


def settle(connection: Connection) -> bool:
    """Drop extractions of removed or changed components; return whether any was dropped.

    A document that is stored again has new keys; extractions of its unchanged components are kept.
    """
    kept = select(components.c.key)
    statement = select(extractions.c.component).where(extractions.c.component_key.not_in(kept)).distinct()
    moved = list(connection.execute(statement).scalars())
    dropped = False
    for some in chunks(moved):
        now = stored_chunks(connection, some)
        rows = connection.execute(select(extractions).where(extractions.c.component.in_(some))).all()
        same: list[dict[str, object]] = []
        for row in rows:
            hashes = [chunk.hash for chunk in now.get(row.component, [])]
            nothing = row.component in now and not hashes and bytes(row.content_hash) == NOTHING
            if nothing or (row.chunk < len(hashes) and hashes[row.chunk] == bytes(row.content_hash)):
                same.append({"its": row.component, "number": row.chunk})
        keys = component_keys(connection, some)
        _remove_except(connection, some, {(str(one["its"]), int(str(one["number"]))) for one in same})
        for one in same:
            one["now"] = keys[str(one["its"])]
        if same:
            table = extractions
            wanted = (table.c.component == bindparam("its")) & (table.c.chunk == bindparam("number"))
            connection.execute(update(table).where(wanted).values(component_key=bindparam("now")), same)
        dropped |= len(same) < len(rows)
    return dropped


def _remove_except(connection: Connection, ids: Collection[str], kept: Collection[tuple[str, int]]) -> None:
    table = extractions
    rows = connection.execute(select(table.c.component, table.c.chunk).where(table.c.component.in_(ids))).all()
    gone = [{"its": row.component, "number": row.chunk} for row in rows if (row.component, row.chunk) not in kept]
    if gone:
        wanted = (table.c.component == bindparam("its")) & (table.c.chunk == bindparam("number"))
        connection.execute(delete(table).where(wanted), gone)


def unread_components(connection: Connection, fingerprints: Collection[str]) -> list[str]:
    """Return ids of components that no such extractor has read completely, in reading order."""
    table = extractions
    good = case((table.c.extractor.in_(fingerprints) & table.c.status.in_(READ), 0), else_=1)
    settled = select(table.c.component_key).group_by(table.c.component_key).having(func.sum(good) == 0)
    statement = select(components.c.id).where(components.c.key.not_in(settled)).order_by(components.c.key)
    return list(connection.execute(statement).scalars())


def read_rows(
    connection: Connection, ids: Sequence[str], fingerprints: Collection[str]
) -> dict[tuple[str, int], bytes]:
    """Return the content hashes of the chunks that an extractor of these fingerprints has read."""
    table = extractions
    found: dict[tuple[str, int], bytes] = {}
    for some in chunks(ids):
        rows = connection.execute(
            select(table.c.component, table.c.chunk, table.c.content_hash).where(
                table.c.component.in_(some), table.c.extractor.in_(fingerprints), table.c.status.in_(READ)
            )
        )
        found.update(((row.component, row.chunk), bytes(row.content_hash)) for row in rows)
    return found


def store(connection: Connection, ids: Sequence[str], outcomes: Sequence[Outcome], extractor: str) -> None:
    """Store the outcomes of chunks of components; rows of other chunks stay."""
    for some in chunks(ids):
        ours = {(one.chunk.component, one.chunk.number): one for one in outcomes if one.chunk.component in set(some)}
        _remove(connection, list(ours))
        if ours:
            connection.execute(insert(extractions), [_row(one, extractor) for one in ours.values()])


def remove_surplus(connection: Connection, counts: dict[str, int]) -> None:
    """Remove chunks beyond a component's current number."""
    table = extractions
    for some in chunks(list(counts)):
        rows = connection.execute(select(table.c.component, table.c.chunk).where(table.c.component.in_(some)))
        _remove(connection, [(row.component, row.chunk) for row in rows if row.chunk >= counts[row.component]])


def _remove(connection: Connection, places: Sequence[tuple[str, int]]) -> None:
    if places:
        wanted = (extractions.c.component == bindparam("its")) & (extractions.c.chunk == bindparam("number"))
        rows = [{"its": component, "number": number} for component, number in places]
        connection.execute(delete(extractions).where(wanted), rows)


def _row(one: Outcome, extractor: str) -> dict[str, object]:
    return {
        "component": one.chunk.component,
        "chunk": one.chunk.number,
        "component_key": one.chunk.component_key,
        "content_hash": one.chunk.hash,
        "extractor": extractor,
        "status": one.status,
        "error": one.error,
        "content": one.content,
    }


def wordless(component: str, component_key: int) -> Outcome:
    """Return the outcome of a component without words, which needs no extraction."""
    nothing = KnowledgeChunk(title="", modality="text")
    return Outcome(Chunk("", component, component_key, 0, nothing, NOTHING), "empty")


def count_components(connection: Connection) -> dict[str, int]:
    """Count components by status: read, failed (at least one chunk), pending (some chunks or all)."""
    states: dict[int, set[str]] = defaultdict(set)
    table = extractions
    for row in connection.execute(select(table.c.component_key, table.c.status).distinct()):
        states[row.component_key].add(row.status)
    total = connection.execute(select(func.count()).select_from(components)).scalar_one()
    failed = sum("failed" in statuses for statuses in states.values())
    read = sum(statuses <= set(READ) for statuses in states.values())
    return {"read": read, "failed": failed, "pending": total - read - failed}


def failures(connection: Connection, limit: int) -> Iterator[tuple[str, str]]:
    """Yield component ids and errors of failed chunks, in order."""
    table = extractions
    statement = (
        select(table.c.component, table.c.error)
        .where(table.c.status == "failed")
        .order_by(table.c.component, table.c.chunk)
        .limit(limit)
    )
    yield from ((row.component, row.error) for row in connection.execute(statement))


def document_of(connection: Connection) -> dict[str, tuple[str, str | None]]:
    """Return the document id and stored picture file, if any, of every component with an extraction."""
    statement = (
        select(components.c.id, documents.c.id.label("document"), components.c.blob)
        .join_from(components, documents, components.c.document_key == documents.c.key)
        .where(components.c.key.in_(select(extractions.c.component_key).where(extractions.c.status == "ok")))
    )
    return {row.id: (row.document, row.blob) for row in connection.execute(statement)}


def pictures_read(connection: Connection) -> dict[str, dict[str, Any]]:
    """Return the ``image`` of every picture with an extraction, by component id."""
    statement = select(components.c.id, components.c.content).where(
        components.c.modality == "image",
        components.c.key.in_(select(extractions.c.component_key).where(extractions.c.status == "ok")),
    )
    return {row.id: json.loads(row.content).get("image") or {} for row in connection.execute(statement)}
