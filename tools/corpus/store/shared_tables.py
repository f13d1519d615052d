"""Which tables of a corpus are shared, how their rows become rows of Lance, and what tells rows apart.

Rows are told apart by a number. Where a row has a key that stands for the same content for ever, it is that; rows that
hang on such a row have its number. Of all others it is a hash of what they hold.
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
"""Everything but ``meta``, which is in the pointer, and ``runs``, which are a machine's own."""


def has_vectors(table: Table) -> bool:
    """Whether rows of the table have a vector: those that have a text which is searched."""
    return "text_hash" in table.c


def arrow_schema(table: Table, dimension: int) -> Any:
    """The columns of a table in Lance: the number, its own, and the vector or the picture file."""
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
    """The number of every stored row; each once."""
    if table in _KEYED:
        return distinct(np.fromiter(connection.execute(select(_KEYED[table]).distinct()).scalars(), np.int64))
    return distinct(np.array([digest(row) for row in connection.execute(select(table))], np.int64))


def digest(row: Row[Any]) -> int:
    """A number of what a row holds. Two of a million rows have the same by a chance of one in 40 million."""
    held = repr(tuple(bytes(value) if isinstance(value, memoryview | bytes) else value for value in row))
    return int.from_bytes(hashlib.blake2b(held.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


def rows_of(connection: Connection, table: Table, wanted: Numbers) -> Iterator[list[dict[str, Any]]]:
    """Stored rows with these numbers, some at a time, each with its number; vectors and files are not among them."""
    if not len(wanted):
        return
    if table not in _KEYED:
        asked = set(wanted.tolist())
        result = connection.execute(select(table), execution_options={"yield_per": _ROWS})
        for rows in result.partitions():
            yield [_plain(row, number) for row in rows if (number := digest(row)) in asked]
        return
    key = _KEYED[table]
    held = select(table).order_by(*table.primary_key.columns)
    ranges: list[Any] = [key.between(int(wanted[0]), int(wanted[-1]))] if _fills(connection, key, wanted) else []
    for where in ranges or [key.in_(some) for some in chunks(wanted.tolist())]:
        result = connection.execute(held.where(where), execution_options={"yield_per": _ROWS})
        for rows in result.partitions():
            yield [_plain(row, row._mapping[key.name]) for row in rows]


def _fills(connection: Connection, key: Column[int], wanted: Numbers) -> bool:
    """Whether the stored rows from the least number to the highest are those that are wanted and no others."""
    between = key.between(int(wanted[0]), int(wanted[-1]))
    held = np.fromiter(connection.execute(select(key).where(between).distinct()).scalars(), np.int64)
    return len(held) == len(wanted)


def _plain(row: Row[Any], number: int) -> dict[str, Any]:
    values = {name: bytes(value) if isinstance(value, memoryview) else value for name, value in row._mapping.items()}
    return {ROW: number, **values}


def remove_rows(connection: Connection, table: Table, gone: Numbers) -> None:
    """Remove stored rows by their numbers."""
    if table in _KEYED:
        for some in chunks(gone.tolist()):
            connection.execute(delete(table).where(_KEYED[table].in_(some)))
        return
    if not len(gone):
        return
    asked, primary = set(gone.tolist()), list(table.primary_key.columns)
    doomed = [row for row in connection.execute(select(table)) if digest(row) in asked]
    for row in doomed:
        statement = delete(table)
        for column in primary:
            statement = statement.where(column == row._mapping[column.name])
        connection.execute(statement)
