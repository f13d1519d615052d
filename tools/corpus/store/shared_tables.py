"""Shared tables of a corpus: their Lance schema, and the numbers that identify their rows.

The number of a row is its key, where a key always means the same content, or the key of its parent row. For all other
rows it is a hash of their values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import BigInteger, Column, Connection, Float, Integer, LargeBinary, Row, Table, delete, select

from backtrail.tools.corpus.store.lance_table import ROW, Numbers
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.corpus.unique_numbers import distinct
from backtrail.tools.open_lance import open_arrow

VECTOR, CONTENT = "vector", "file"
_ROWS = 4_096

_KEYED: Mapping[Table, Column[int]] = {
    schema.documents: schema.documents.c.key,
    schema.components: schema.components.c.key,
    schema.subcomponents: schema.subcomponents.c.key,
    schema.links: schema.links.c.component_key,
    schema.fragments: schema.fragments.c.document_key,
    schema.entities: schema.entities.c.key,
    schema.relations: schema.relations.c.key,
    schema.statements: schema.statements.c.key,
}
SHARED: Sequence[Table] = (
    *_KEYED,
    schema.blobs,
    schema.tombstones,
    schema.extractions,
    schema.descriptions,
    schema.summarized,
    schema.provenance,
)
"""All tables but ``meta``, which is in the pointer, and ``runs``, which are local."""


def has_vectors(table: Table) -> bool:
    """Whether rows of a table have a search text and so a vector."""
    return "text_hash" in table.c


def arrow_schema(table: Table, dimension: int) -> Any:
    """The Lance schema of a table: the number, its columns, and the vector or the picture file."""
    arrow = open_arrow()
    fields = [arrow.field(ROW, arrow.int64())]
    fields += [arrow.field(column.name, _arrow_type(column)) for column in table.columns]
    if has_vectors(table):
        fields.append(arrow.field(VECTOR, arrow.list_(arrow.float32(), dimension)))
    if table is schema.blobs:
        fields.append(arrow.field(CONTENT, arrow.large_binary()))
    return arrow.schema(fields)


def _arrow_type(column: Column[Any]) -> Any:
    arrow = open_arrow()
    if isinstance(column.type, Integer | BigInteger):
        return arrow.int64()
    if isinstance(column.type, Float):
        return arrow.float64()
    return arrow.binary() if isinstance(column.type, LargeBinary) else arrow.string()


def numbers(connection: Connection, table: Table) -> Numbers:
    """The distinct numbers of all stored rows."""
    if table in _KEYED:
        return distinct(np.fromiter(connection.execute(select(_KEYED[table]).distinct()).scalars(), np.int64))
    return distinct(np.array([digest(row) for row in connection.execute(select(table))], np.int64))


def digest(row: Row[Any]) -> int:
    """A 64-bit hash of a row's values: a million rows collide with a chance of one in 40 million."""
    text = repr(tuple(bytes(value) if isinstance(value, memoryview | bytes) else value for value in row))
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


def rows_of(connection: Connection, table: Table, wanted: Numbers) -> Iterator[list[dict[str, Any]]]:
    """Yield blocks of rows with these numbers, each row with its number, without vectors and files."""
    if not len(wanted):
        return
    if table not in _KEYED:
        wanted_numbers = set(wanted.tolist())
        result = connection.execute(select(table), execution_options={"yield_per": _ROWS})
        for rows in result.partitions():
            yield [_plain(row, number) for row in rows if (number := digest(row)) in wanted_numbers]
        return
    key = _KEYED[table]
    ordered = select(table).order_by(*table.primary_key.columns)
    ranges: list[Any] = [key.between(int(wanted[0]), int(wanted[-1]))] if _fills(connection, key, wanted) else []
    for where in ranges or [key.in_(some) for some in chunks(wanted.tolist())]:
        result = connection.execute(ordered.where(where), execution_options={"yield_per": _ROWS})
        for rows in result.partitions():
            yield [_plain(row, row._mapping[key.name]) for row in rows]


def _fills(connection: Connection, key: Column[int], wanted: Numbers) -> bool:
    """Whether the wanted numbers are all stored ones between their least and their highest."""
    between = key.between(int(wanted[0]), int(wanted[-1]))
    stored = np.fromiter(connection.execute(select(key).where(between).distinct()).scalars(), np.int64)
    return len(stored) == len(wanted)


def _plain(row: Row[Any], number: int) -> dict[str, Any]:
    values = {name: bytes(value) if isinstance(value, memoryview) else value for name, value in row._mapping.items()}
    return {ROW: number, **values}


def remove_rows(connection: Connection, table: Table, gone: Numbers) -> None:
    """Delete stored rows by number."""
    if table in _KEYED:
        for some in chunks(gone.tolist()):
            connection.execute(delete(table).where(_KEYED[table].in_(some)))
        return
    if not len(gone):
        return
    wanted_numbers, primary = set(gone.tolist()), list(table.primary_key.columns)
    doomed = [row for row in connection.execute(select(table)) if digest(row) in wanted_numbers]
    for row in doomed:
        statement = delete(table)
        for column in primary:
            statement = statement.where(column == row._mapping[column.name])
        connection.execute(statement)
