"""Write the edges that no author wrote of a generation, from the tables.

``edges.npy`` (int32 [n, 5]: source component, document, target component or -1, table row or -1, number of the kind)
is sorted by source; ``edges.start.npy`` says where the edges of each component begin, ``edges.anchors.json`` what
each edge's source says. ``edges.loose.npy`` are the rows of documents that no author's link leaves or reaches, and
``edges.counts.json`` says how many edges of each kind there are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, select

from backtrail.tools.corpus.edges.edge import KINDS, Edge
from backtrail.tools.corpus.edges.findings import Findings, Moved, findings_of, renamed, save_findings
from backtrail.tools.corpus.edges.folders import Folders
from backtrail.tools.corpus.edges.linked_pairs import LinkedPairs, linked_pairs
from backtrail.tools.corpus.edges.parts import parts
from backtrail.tools.corpus.edges.references import Phrase, Phrases, called_by, edges_of, references
from backtrail.tools.corpus.edges.said import Stored
from backtrail.tools.corpus.edges.shared_names import shared_names
from backtrail.tools.corpus.tables.schema import documents
from backtrail.tools.corpus.writing.array_file import write_array
from backtrail.tools.corpus.writing.difference import Difference

EDGES = "edges"
"""The folder of a generation that holds them."""
ARRAY, STARTS, ANCHORS = "edges.npy", "edges.start.npy", "edges.anchors.json"
LOOSE, COUNTS = "edges.loose.npy", "edges.counts.json"
ANCHOR_CHARACTERS = 120


def build_edges(connection: Connection, folder: Path, difference: Difference | None = None) -> None:
    """Find and store all edges that no author wrote.

    Without a difference every component is read, three times at most, in order. With one only those of documents that
    are new, whose links changed, or that say what another document is called now; and, where they changed, those of
    all documents that are in no link, whose rare names are counted together.
    """
    statement = select(documents.c.key, documents.c.id, documents.c.title).order_by(documents.c.key)
    held = connection.execute(statement).all()
    keys = [row.key for row in held]
    linked = linked_pairs(connection, keys, [row.id for row in held])
    loose = frozenset(linked.loose(len(keys)).tolist())
    moved = Moved(difference, [row.id for row in held]) if difference else None
    earlier = _earlier(difference, moved) if difference and moved else None
    stay = int(np.count_nonzero(difference.documents)) if earlier and difference else 0
    called = _called_that_stay(earlier, difference) + [called_by(row.id, row.title) for row in held[stay:]]
    said = Stored(connection, keys, difference)
    read = frozenset(range(len(keys)))
    if earlier and moved:
        read = _affected(earlier, moved, called, linked, loose, said, stay)
    found = _read(said, read, Phrases(called), linked, loose, earlier, stay)
    _store(folder, found, [row.id for row in held], said.components)


def _earlier(difference: Difference, moved: Moved) -> Findings | None:
    folder = difference.previous.folder / EDGES
    try:
        array, anchors = np.load(folder / ARRAY), json.loads((folder / ANCHORS).read_bytes())
    except (OSError, ValueError, EOFError):
        return None
    fields = zip(array.tolist(), anchors, strict=True)
    edges = [
        Edge(source, document, target, cell_row, KINDS[kind], anchor)
        for (source, document, target, cell_row, kind), anchor in fields
    ]
    within = [edge for edge in edges if edge.kind == "reference" and edge.target >= 0]
    return findings_of(folder, difference, moved, within)


def _called_that_stay(earlier: Findings | None, difference: Difference | None) -> list[Sequence[Phrase]]:
    if earlier is None or difference is None:
        return []
    return [phrases for phrases, stays in zip(earlier.called, difference.documents, strict=True) if stays]


def _affected(
    earlier: Findings,
    moved: Moved,
    called: Sequence[Sequence[Phrase]],
    linked: LinkedPairs,
    loose: frozenset[int],
    said: Stored,
    stay: int,
) -> frozenset[int]:
    """Rows of documents that have to be read again."""
    new = range(stay, len(called))
    changed = linked.differing(earlier.linked) | (loose ^ earlier.loose)
    phrases = renamed(earlier.called, moved.targets, called)
    saying = said.saying(phrases, stay) if phrases else frozenset()
    return frozenset(row for row in (*new, *changed, *saying) if row >= 0)


def _read(
    said: Stored,
    read: frozenset[int],
    phrases: Phrases,
    linked: LinkedPairs,
    loose: frozenset[int],
    earlier: Findings | None,
    stay: int,
) -> Findings:
    """What the documents of some rows say, and what was known of the others."""
    named = list(references(said.of(read), phrases, linked, loose))
    within = list(parts(said.of(frozenset(row for row in read if row >= stay))))
    names: Sequence[Edge] = []
    if earlier is not None:
        named += [one for one in earlier.references if one.document not in read]
        within += earlier.parts
    if earlier is not None and loose == earlier.loose and all(row < stay for row in loose):
        names = earlier.names
    elif len(loose) > 1:
        names = shared_names(lambda: said.of(loose), len(loose))
    return Findings(phrases.called, named, within, names, linked, loose)


def _store(folder: Path, found: Findings, ids: Sequence[str], components: int) -> None:
    edges = edges_of(found.references) + list(found.parts)
    named = {(edge.source, edge.document) for edge in edges}
    edges += [edge for edge in found.names if (edge.source, edge.document) not in named]
    folder.mkdir(parents=True, exist_ok=True)
    write_array(folder / LOOSE, np.array(sorted(found.loose), np.int64))
    apart = [id_ for number, id_ in enumerate(ids) if number in found.loose]
    counts = Counter(edge.kind for edge in edges if edge.target < 0 or edge.kind == "name")
    (folder / COUNTS).write_text(json.dumps({**counts, "sibling": Folders(apart).pairs}), "utf-8")
    save_findings(folder, found)
    _write(folder, edges, components)


def _write(folder: Path, found: list[Edge], count: int) -> None:
    ordered = sorted(found, key=lambda edge: (edge.source, KINDS.index(edge.kind), edge.document, edge.target))
    fields = [(edge.source, edge.document, edge.target, edge.cell_row, KINDS.index(edge.kind)) for edge in ordered]
    array = np.array(fields, np.int32).reshape(-1, 5)
    write_array(folder / ARRAY, array)
    write_array(folder / STARTS, np.searchsorted(array[:, 0], np.arange(count + 1)).astype(np.int64))
    anchors = [" ".join(edge.anchor.split())[:ANCHOR_CHARACTERS] for edge in ordered]
    (folder / ANCHORS).write_text(json.dumps(anchors, ensure_ascii=False), "utf-8")
