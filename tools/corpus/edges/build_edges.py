"""Write the edges that no author wrote of a generation, from the tables.

``edges.npy`` (int32 [n, 5]: source component, document, target component or -1, table row or -1, number of the kind)
is sorted by source; ``edges.start.npy`` says where the edges of each component begin, ``edges.anchors.json`` what
each edge's source says. ``edges.loose.npy`` are the rows of documents that no author's link leaves or reaches, and
``edges.counts.json`` says how many edges of each kind there are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, func, select

from backtrail.tools.corpus.edges.edge import KINDS, Edge
from backtrail.tools.corpus.edges.folders import Folders
from backtrail.tools.corpus.edges.parts import parts
from backtrail.tools.corpus.edges.references import Phrases, Target, references
from backtrail.tools.corpus.edges.said import Said, read_said
from backtrail.tools.corpus.edges.shared_names import shared_names
from backtrail.tools.corpus.tables.schema import components, documents, links
from backtrail.tools.corpus.writing.array_file import write_array

EDGES = "edges"
"""The folder of a generation that holds them."""
ARRAY, STARTS, ANCHORS = "edges.npy", "edges.start.npy", "edges.anchors.json"
LOOSE, COUNTS = "edges.loose.npy", "edges.counts.json"
ANCHOR_CHARACTERS = 120


def build_edges(connection: Connection, folder: Path) -> None:
    """Find and store all edges that no author wrote. Reads every component three times at most, in order."""
    statement = select(documents.c.key, documents.c.id, documents.c.title).order_by(documents.c.key)
    held = connection.execute(statement).all()
    rows = {row.key: number for number, row in enumerate(held)}
    linked = _linked(connection, {row.id: number for number, row in enumerate(held)}, rows)
    loose = frozenset(rows.values()).difference(*linked)
    phrases = Phrases(Target(rows[row.key], row.id, row.title) for row in held)
    found = references(read_said(connection, rows), phrases, linked, loose)
    found += parts(read_said(connection, rows))
    if len(loose) > 1:
        named = {(edge.source, edge.document) for edge in found}
        shared = shared_names(lambda: _of(loose, connection, rows), len(loose))
        found += [edge for edge in shared if (edge.source, edge.document) not in named]
    folder.mkdir(parents=True, exist_ok=True)
    write_array(folder / LOOSE, np.array(sorted(loose), np.int64))
    ids = [row.id for number, row in enumerate(held) if number in loose]
    counts = Counter(edge.kind for edge in found if edge.target < 0 or edge.kind == "name")
    (folder / COUNTS).write_text(json.dumps({**counts, "sibling": Folders(ids).pairs}), "utf-8")
    _write(folder, found, connection.execute(select(func.count()).select_from(components)).scalar_one())


def _of(loose: frozenset[int], connection: Connection, rows: dict[int, int]) -> Iterator[Said]:
    return (said for said in read_said(connection, rows) if said.document in loose)


def _linked(connection: Connection, by_id: dict[str, int], rows: dict[int, int]) -> frozenset[tuple[int, int]]:
    """Pairs of document rows that an author's link joins, in its direction."""
    statement = (
        select(components.c.document_key, links.c.target)
        .join_from(links, components, links.c.component_key == components.c.key)
        .where(links.c.kind == "internal")
        .distinct()
    )
    pairs = ((rows[row.document_key], by_id[row.target]) for row in connection.execute(statement))
    return frozenset(pair for pair in pairs if pair[0] != pair[1])


def _write(folder: Path, found: list[Edge], count: int) -> None:
    ordered = sorted(found, key=lambda edge: (edge.source, KINDS.index(edge.kind), edge.document, edge.target))
    fields = [(edge.source, edge.document, edge.target, edge.cell_row, KINDS.index(edge.kind)) for edge in ordered]
    array = np.array(fields, np.int32).reshape(-1, 5)
    write_array(folder / ARRAY, array)
    write_array(folder / STARTS, np.searchsorted(array[:, 0], np.arange(count + 1)).astype(np.int64))
    anchors = [" ".join(edge.anchor.split())[:ANCHOR_CHARACTERS] for edge in ordered]
    (folder / ANCHORS).write_text(json.dumps(anchors, ensure_ascii=False), "utf-8")
