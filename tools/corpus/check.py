"""Check the invariants of a stored corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sqlalchemy import Column, Connection, func, select

from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.errors import CorpusUnfinished
from backtrail.tools.corpus.generation import LAYERS, Generation, Layer, open_generation
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.search.lexical import Words
from backtrail.tools.corpus.search.sections import Sections
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.meta import Meta, read_meta
from backtrail.tools.corpus.writing.index_vectors import index_folders
from backtrail.tools.corpus.writing.picture_vectors import shows_picture
from backtrail.tools.corpus.writing.resolve_links import unresolved_links
from backtrail.tools.home import corpus_folder
from backtrail.tools.knowledge.check import check_knowledge

_ROWS = 65_536  # vectors checked at once


def check(name: str) -> list[str]:
    """The problems of a corpus, one sentence each.

    Checked are orphaned rows, vectors and lexical index of every row of every layer, targets of links, picture files,
    vectors of pictures where the corpus has a pixel encoder, and the knowledge graph if there is one.

    Raises:
        CorpusNotFound: no such corpus.
        CorpusUnfinished: its first ingest was killed.
    """
    folder = corpus_folder(name)
    with read_only(name) as connection:
        meta = read_meta(connection, name)
        if not meta.generation:
            raise CorpusUnfinished(name)
        problems = [*_orphans(connection), *_links(connection), *_blobs(connection, folder)]
        try:
            generation = open_generation(folder, meta.generation)
        except (OSError, ValueError) as error:
            return [*problems, f"the index cannot be read: {error}"]
        problems += [*_rows(connection, generation), *_pictures(connection, generation, meta)]
        if meta.knowledge:
            problems += check_knowledge(connection, folder, meta)
    problems += [*_vectors(generation), *_words(generation)]
    return [*problems, *_indexes(folder, meta)]


def _orphans(connection: Connection) -> Iterator[str]:
    parents: list[tuple[Column[int], Column[int]]] = [
        (schema.components.c.document_key, schema.documents.c.key),
        (schema.fragments.c.document_key, schema.documents.c.key),
        (schema.subcomponents.c.component_key, schema.components.c.key),
        (schema.links.c.component_key, schema.components.c.key),
    ]
    for child, parent in parents:
        statement = select(func.count()).select_from(child.table).where(child.not_in(select(parent)))
        if count := connection.execute(statement).scalar_one():
            yield f"{count} {child.table.name} without {parent.table.name}"


def _links(connection: Connection) -> Iterator[str]:
    if count := unresolved_links(connection):
        yield f"{count} internal links have no target"


def _blobs(connection: Connection, folder: Path) -> Iterator[str]:
    store = BlobStore(folder)
    stored = {row.sha256: row.size for row in connection.execute(select(schema.blobs))}
    for sha256, size in stored.items():
        file = store.path(sha256)
        if not file.is_file():
            yield f"picture file {sha256} is missing"
        elif file.stat().st_size != size:
            yield f"picture file {sha256} has {file.stat().st_size} bytes, not {size}"
    shown = select(schema.components.c.blob).where(schema.components.c.blob.is_not(None)).distinct()
    for sha256 in connection.execute(shown).scalars():
        if sha256 not in stored:
            yield f"picture {sha256} is shown but not stored"


def _rows(connection: Connection, generation: Generation) -> Iterator[str]:
    for granularity, name in LAYERS.items():
        column = schema.metadata.tables[name].c.key
        keys = np.fromiter(connection.execute(select(column).order_by(column)).scalars(), np.int64)
        layer = generation.layer(granularity)
        if not np.array_equal(keys, layer.keys):
            yield f"the index has {len(layer)} {name}, not the {len(keys)} that are stored"


def _pictures(connection: Connection, generation: Generation, meta: Meta) -> Iterator[str]:
    if not meta.pixels:
        return
    column = schema.components.c.key
    keys = np.fromiter(connection.execute(select(column).where(shows_picture()).order_by(column)).scalars(), np.int64)
    layer = generation.pictures
    if layer is None or not np.array_equal(keys, layer.keys):
        yield f"the index has {len(layer) if layer else 0} pictures, not the {len(keys)} that are stored"
    elif layer.vectors.shape[1] != meta.pixels_dimension:
        yield f"vectors of pictures have {layer.vectors.shape[1]} dimensions, not {meta.pixels_dimension}"


def _vectors(generation: Generation) -> Iterator[str]:
    layers = [generation.layer(granularity) for granularity in LAYERS]
    for layer in [*layers, *([generation.pictures] if generation.pictures else [])]:
        bad = sum(_not_unit(layer, start) for start in range(0, len(layer), _ROWS))
        if bad:
            yield f"{bad} vectors of {layer.name} are not of length 1"


def _not_unit(layer: Layer, start: int) -> int:
    norms = np.linalg.norm(layer.vectors[start : start + _ROWS], axis=1)
    return int(np.count_nonzero(~(np.abs(norms - 1) < 1e-3)))


def _words(generation: Generation) -> Iterator[str]:
    for granularity, name in LAYERS.items():
        layer = generation.layer(granularity)
        try:
            count = Words(generation.folder / "words" / name).count
        except (OSError, ValueError) as error:
            yield f"the lexical index of {name} cannot be read: {error}"
            continue
        if count != len(layer):
            yield f"the lexical index of {name} has {count} rows, not {len(layer)}"
    try:
        sections = Sections(generation.folder / "words", ())
    except (OSError, ValueError) as error:
        yield f"the lexical index of sections cannot be read: {error}"
    else:
        if len(sections.of_component) != len(generation.components):
            yield f"the sections have {len(sections.of_component)} components, not {len(generation.components)}"


def _indexes(folder: Path, meta: Meta) -> Iterator[str]:
    try:
        folders = index_folders(folder, meta)
    except (OSError, ValueError):
        return  # damage of the knowledge graph, which check_knowledge reports
    yield from (problem for one in folders if (problem := one.problem()))
