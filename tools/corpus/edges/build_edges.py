"""Build the derived edges of a generation, which no author wrote, from the tables.

``edges.npy`` (int32 [n, 5]: source component, document, target component or -1, table row or -1, number of the kind)
is sorted by source; ``edges.start.npy`` is the offset of each component's edges, ``edges.anchors.json`` the anchor text
of each edge. ``edges.loose.npy`` are the rows of documents that no link leaves or reaches, and ``edges.counts.json``
the number of edges of each kind.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sqlalchemy import Connection, select

from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.mapped_array import load_array
from backtrail.tools.arrays.text_rows import TextRows, open_text_rows
from backtrail.tools.arrays.vector_rows import Mask
from backtrail.tools.arrays.write_text_rows import TextRowsWriter
from backtrail.tools.corpus.difference import Difference
from backtrail.tools.corpus.edges.component_text import Phrase, Stored
from backtrail.tools.corpus.edges.edge import KINDS, Edge
from backtrail.tools.corpus.edges.edge_cache import EdgeCache, Moved, findings_of, renamed, save_edge_cache
from backtrail.tools.corpus.edges.folders import Folders
from backtrail.tools.corpus.edges.linked_pairs import LinkedPairs, linked_pairs
from backtrail.tools.corpus.edges.numbered_references import parts
from backtrail.tools.corpus.edges.references import Phrases, edges_of, references
from backtrail.tools.corpus.edges.shared_names import shared_names
from backtrail.tools.corpus.edges.title_phrases import TitlePhrases, all_title_phrases, title_phrases_of, titles_by
from backtrail.tools.corpus.generation import Layer, open_layer
from backtrail.tools.corpus.rebuild_notice import announce_rebuild
from backtrail.tools.corpus.tables.schema import documents

EDGES = "edges"
"""The folder of edges in a generation."""
ARRAY, STARTS, ANCHORS = "edges.npy", "edges.start.npy", "edges.anchors.json"
LOOSE, COUNTS = "edges.loose.npy", "edges.counts.json"
TITLES = "titles"
"""Titles of documents by row, needed when a document is removed."""
ANCHOR_CHARACTERS = 120
_READ = 8_192


def build_edges(connection: Connection, generation: Path, difference: Difference | None = None) -> None:
    """Find and store all derived edges.

    Without a difference all components are read, at most three times, in order. With one, only those of documents that
    are new, whose links changed, or that mention a changed title; and those of all unlinked documents if these changed,
    because their rare names are counted together.

    Args:
        generation: folder of the generation, with its documents and components written.
    """
    folder = generation / EDGES
    documents = open_layer(generation, "documents")
    said = Stored(connection, documents.keys, open_layer(generation, "components").keys)
    moved = Moved(difference, documents.ids) if difference else None
    earlier = _earlier(difference, moved) if difference and moved else None
    if difference and earlier is None:  # damaged
        announce_rebuild(generation)
    linked = linked_pairs(connection, documents.keys)
    loose = linked.loose(len(documents))
    folder.mkdir(parents=True, exist_ok=True)
    naming = _name_documents(connection, folder, documents, difference if earlier else None)
    called = (
        earlier.title_phrases.kept(difference.documents).followed_by(naming.new)
        if earlier and difference
        else naming.new
    )
    read = np.ones(len(documents), np.bool_)
    if earlier and moved:
        phrases = renamed(earlier.title_phrases, moved.targets, called, naming.changed)
        read = _affected(earlier, linked, loose, said, phrases, naming.unchanged)
    found = _read(said, read, called, linked, loose, earlier, naming.unchanged)
    _store(folder, found, documents.ids, said.components)


class _Naming(NamedTuple):
    """Phrases of new documents, phrases of added and removed documents, and how many documents stay."""

    new: TitlePhrases
    changed: Sequence[Phrase]
    unchanged: int


def _name_documents(connection: Connection, folder: Path, layer: Layer, difference: Difference | None) -> _Naming:
    """Collect title phrases, and store the titles for later removals."""
    stay = int(np.count_nonzero(difference.documents)) if difference else 0
    last = int(layer.keys[stay - 1]) if stay else -1
    statement = select(documents.c.title).where(documents.c.key > last).order_by(documents.c.key)
    earlier = open_text_rows(difference.previous.folder / EDGES, TITLES) if difference else None
    phrases: list[Phrase] = []
    parts = [title_phrases_of([])]
    with TextRowsWriter(folder, TITLES, earlier, difference.documents if difference else None) as out:
        place = stay
        for titles in connection.execute(statement, execution_options={"yield_per": _READ}).scalars().partitions():
            out.add(titles)
            some = [titles_by(*one) for one in zip(layer.ids[place : place + len(titles)], titles, strict=True)]
            place += len(titles)
            parts.append(title_phrases_of(some))
            if difference is not None:
                phrases += [phrase for one in some for phrase in one]
    if difference is not None and earlier is not None:
        gone = np.flatnonzero(~difference.documents)
        named = zip(difference.previous.documents.ids.take(gone), earlier.take(gone), strict=True)
        phrases += [phrase for id_, title in named for phrase in titles_by(id_, title)]
    return _Naming(all_title_phrases(parts), phrases, stay)


def _earlier(difference: Difference, moved: Moved) -> EdgeCache | None:
    folder = difference.previous.folder / EDGES
    try:
        array, anchors = load_array(folder / ARRAY), json.loads((folder / ANCHORS).read_bytes())
        open_text_rows(folder, TITLES)
    except (OSError, ValueError, EOFError):
        return None
    edges = (
        Edge(source, document, target, cell_row, KINDS[kind], anchor)
        for (source, document, target, cell_row, kind), anchor in zip(array.tolist(), anchors, strict=True)
    )
    within = [edge for edge in edges if edge.kind == "reference" and edge.target >= 0]
    return findings_of(folder, difference, moved, within)


def _affected(
    earlier: EdgeCache, linked: LinkedPairs, loose: Mask, said: Stored, phrases: Collection[Phrase], stay: int
) -> Mask:
    """The documents to read again."""
    read = np.arange(len(loose)) >= stay
    changed = linked.differing(earlier.linked)
    read[changed[changed >= 0]] = True
    read[:stay] |= loose[:stay] ^ earlier.loose
    if phrases:
        read[sorted(said.saying(phrases, np.arange(len(loose)) < stay))] = True
    return read


def _read(
    said: Stored,
    read: Mask,
    called: TitlePhrases,
    linked: LinkedPairs,
    loose: Mask,
    earlier: EdgeCache | None,
    stay: int,
) -> EdgeCache:
    """Findings of the documents read, and cached ones of the others."""
    named = list(references(said.of(read), Phrases(called), linked, loose))
    within = list(parts(said.of(np.arange(len(loose)) >= stay)))
    names: Sequence[Edge] = []
    if earlier is not None:
        named += [one for one in earlier.references if not read[one.document]]
        within += earlier.parts
    count = int(np.count_nonzero(loose))
    same = earlier is not None and not earlier.loose_went and np.array_equal(loose[:stay], earlier.loose)
    if earlier is not None and same and not np.any(loose[stay:]):
        names = earlier.names
    elif count > 1:
        names = shared_names(lambda: said.of(loose), count)
    return EdgeCache(called, named, within, names, linked, loose)


def _store(folder: Path, found: EdgeCache, ids: TextRows, components: int) -> None:
    edges = edges_of(found.references) + list(found.parts)
    named = {(edge.source, edge.document) for edge in edges}
    edges += [edge for edge in found.names if (edge.source, edge.document) not in named]
    loose = np.flatnonzero(found.loose)
    write_array(folder / LOOSE, loose)
    apart = ids.take(loose)
    counts = Counter(edge.kind for edge in edges if edge.target < 0 or edge.kind == "name")
    (folder / COUNTS).write_text(json.dumps({**counts, "sibling": Folders(apart).pairs}), "utf-8")
    save_edge_cache(folder, found)
    _write(folder, edges, components)


def _write(folder: Path, found: list[Edge], count: int) -> None:
    ordered = sorted(found, key=lambda edge: (edge.source, KINDS.index(edge.kind), edge.document, edge.target))
    fields = [(edge.source, edge.document, edge.target, edge.cell_row, KINDS.index(edge.kind)) for edge in ordered]
    array = np.array(fields, np.int32).reshape(-1, 5)
    write_array(folder / ARRAY, array)
    write_array(folder / STARTS, np.searchsorted(array[:, 0], np.arange(count + 1)).astype(np.int64))
    anchors = [" ".join(edge.anchor.split())[:ANCHOR_CHARACTERS] for edge in ordered]
    (folder / ANCHORS).write_text(json.dumps(anchors, ensure_ascii=False), "utf-8")
