"""Write the arrays of a generation from the tables and the vector cache."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sqlalchemy import Column, Connection, Table, func, select

from backtrail.tools.corpus.generation import Rows
from backtrail.tools.corpus.tables.schema import components, documents, subcomponents
from backtrail.tools.corpus.writing.array_file import write_array, write_rows
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.embedders.protocol import Vectors

_READ = 8_192


def build_arrays(connection: Connection, cache: VectorCache, folder: Path, dimension: int, progress: Progress) -> None:
    """Fill an empty folder with the arrays of all layers. KeyError when a text has no vector."""
    progress.stage("vectors", sum(_count(connection, table) for table in (documents, components, subcomponents)))
    folder.mkdir(parents=True)
    document_keys = write_layer(connection, documents, cache, folder, dimension, progress)
    component_keys = write_layer(connection, components, cache, folder, dimension, progress)
    write_layer(connection, subcomponents, cache, folder, dimension, progress)
    _write_starts(connection, components.c.document_key, document_keys, folder)
    _write_starts(connection, subcomponents.c.component_key, component_keys, folder)


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count(table.c.text_hash))).scalar_one()


def write_layer(
    connection: Connection, table: Table, cache: VectorCache, folder: Path, dimension: int, progress: Progress
) -> Rows:
    """The ids, keys and vectors of a table's rows that are searched, streamed; returns the keys."""
    total = _count(connection, table)
    ids: list[str] = []
    keys = np.empty(total, np.int64)

    def vectors() -> Iterator[Vectors]:
        searched = table.c.text_hash.is_not(None)
        statement = select(table.c.key, table.c.id, table.c.text_hash).where(searched).order_by(table.c.key)
        for rows in connection.execute(statement, execution_options={"yield_per": _READ}).partitions():
            keys[len(ids) : len(ids) + len(rows)] = [row.key for row in rows]
            ids.extend(row.id for row in rows)
            yield cache.get([bytes(row.text_hash) for row in rows])
            progress.advance(len(rows))

    write_rows(folder / f"{table.name}.npy", (total, dimension), np.float32, vectors())
    write_array(folder / f"{table.name}.keys.npy", keys)
    (folder / f"{table.name}.ids.json").write_text(json.dumps(ids, ensure_ascii=False), "utf-8")
    return keys


def _write_starts(connection: Connection, parent: Column[int], parent_keys: Rows, folder: Path) -> None:
    """Where each parent's children begin. Keys rise in reading order, so children lie together."""
    table = parent.table
    parents = np.fromiter(connection.execute(select(parent).order_by(table.c.key)).scalars(), np.int64)
    if np.any(np.diff(parents) < 0):
        raise ValueError(f"{table.name} are not stored in reading order")
    starts = np.append(np.searchsorted(parents, parent_keys), len(parents)).astype(np.int64)
    write_array(folder / f"{table.name}.start.npy", starts)
