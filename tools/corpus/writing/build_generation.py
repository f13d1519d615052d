"""Write the arrays of a generation from the tables and the vector cache."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Column, Connection, Table, func, select

from backtrail.tools.arrays.array_file import write_array, write_rows
from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.arrays.write_text_rows import TextRowsWriter
from backtrail.tools.corpus.difference import Difference
from backtrail.tools.corpus.generation import Layer
from backtrail.tools.corpus.tables.schema import components, documents, subcomponents
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.share_vectors import may_share, share_vectors
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.embedders.protocol import Vectors

_READ = 8_192


def build_arrays(
    connection: Connection,
    cache: VectorCache,
    folder: Path,
    dimension: int,
    difference: Difference | None,
    progress: Progress,
    *,
    forget: bool,
) -> None:
    """Write the arrays of all layers; rows that stay are reused from the previous generation.

    Args:
        folder: created here.
        difference: difference from the previous generation, whose file of vectors is shared.
        forget: share no file, so that vectors of removed rows are erased.

    Raises:
        KeyError: a new text has no vector.
    """
    tables = (documents, components, subcomponents)
    progress.stage("vectors", sum(_count(connection, table) for table in tables))
    folder.mkdir(parents=True)
    keys = [
        write_layer(connection, table, cache, folder, dimension, progress, _kept(table, difference, forget))
        for table in tables
    ]
    _write_starts(connection, components.c.document_key, keys[0], difference, folder)
    _write_starts(connection, subcomponents.c.component_key, keys[1], difference, folder)


class Kept(NamedTuple):
    """Rows of an earlier layer that stay, the last old key, and the folder to share vectors with.

    Without a folder the vectors are copied, and those of removed rows are erased.
    """

    layer: Layer
    stay: NDArray[np.bool_]
    last: int
    folder: Path | None


def _kept(table: Table, difference: Difference | None, forget: bool) -> Kept | None:
    if difference is None:
        return None
    folder = None if forget else difference.previous.folder
    return Kept(difference.previous.by_name[table.name], difference.kept[table.name], difference.last, folder)


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count(table.c.text_hash))).scalar_one()


def write_layer(
    connection: Connection,
    table: Table,
    cache: VectorCache,
    folder: Path,
    dimension: int,
    progress: Progress,
    kept: Kept | None = None,
) -> Rows:
    """Write ids, keys and vectors of a table's searched rows, streamed; return the keys."""
    last = kept.last if kept else -1
    new = table.c.text_hash.is_not(None) & (table.c.key > last)
    added = connection.execute(select(func.count()).select_from(table).where(new)).scalar_one()
    kept_rows = np.flatnonzero(kept.stay) if kept else np.empty(0, np.int64)
    keys = np.empty(len(kept_rows) + added, np.int64)
    if kept:
        keys[: len(kept_rows)] = kept.layer.keys[kept_rows]

    def new_vectors(ids: TextRowsWriter) -> Iterator[Vectors]:
        first = len(kept_rows)
        statement = select(table.c.key, table.c.id, table.c.text_hash).where(new).order_by(table.c.key)
        for rows in connection.execute(statement, execution_options={"yield_per": _READ}).partitions():
            keys[first : first + len(rows)] = [row.key for row in rows]
            first += len(rows)
            ids.add([row.id for row in rows])
            yield cache.get([bytes(row.text_hash) for row in rows])
            progress.advance(len(rows))

    earlier = (kept.layer.ids, kept.stay) if kept else (None, None)
    with TextRowsWriter(folder, f"{table.name}.ids", *earlier) as ids:
        if kept and kept.folder and may_share(kept.layer.vectors, kept_rows, added):
            progress.advance(len(kept_rows))
            share_vectors(kept.folder, folder, table.name, kept.layer.vectors, kept_rows, new_vectors(ids))
        else:
            blocks = chain(_old_vectors(kept, kept_rows, progress), new_vectors(ids))
            write_rows(folder / f"{table.name}.npy", (len(keys), dimension), np.float32, blocks)
    write_array(folder / f"{table.name}.keys.npy", keys)
    return keys


def _old_vectors(kept: Kept | None, kept_rows: Rows, progress: Progress) -> Iterator[Vectors]:
    if kept is None:
        return
    for start in range(0, len(kept_rows), _READ):
        rows = kept_rows[start : start + _READ]
        yield kept.layer.vectors[rows]
        progress.advance(len(rows))


def _write_starts(
    connection: Connection, parent: Column[int], parent_keys: Rows, difference: Difference | None, folder: Path
) -> None:
    """Write the offset of each parent's children, which are adjacent in key order."""
    table = parent.table
    last = difference.last if difference else -1
    statement = select(parent).where(table.c.key > last).order_by(table.c.key)
    parents = np.fromiter(connection.execute(statement).scalars(), np.int64)
    if np.any(np.diff(parents) < 0):
        raise ValueError(f"{table.name} are not stored in reading order")
    counts = np.bincount(np.searchsorted(parent_keys, parents), minlength=len(parent_keys))
    if difference is not None:
        of_parent = "components" if table is subcomponents else "documents"
        start = (
            difference.previous.subcomponent_start if table is subcomponents else difference.previous.component_start
        )
        kept = np.diff(start)[difference.kept[of_parent]]
        counts[: len(kept)] += kept
    write_array(folder / f"{table.name}.start.npy", np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
