"""Write a knowledge graph as GraphML."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from sqlalchemy import Connection, select

from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.tables.schema import entities, provenance, relations

_NODE_FIELDS = ("name", "kind", "description", "pictures", "components")
_EDGE_FIELDS = ("relation", "description", "keywords", "weight", "components")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_READ = 2_000


def write_graphml(name: str, file: Path) -> tuple[int, int]:
    """Write the graph of a corpus, streamed, and return the numbers of nodes and edges.

    The file is replaced at the end, so that an interrupted run leaves no partial file.

    Raises:
        CorpusNotFound: no such corpus.
        OSError: the file cannot be written.
    """
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with read_only(name) as connection, partial.open("w", encoding="utf-8") as out:
            out.write(
                '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
            )
            for domain, fields in (("node", _NODE_FIELDS), ("edge", _EDGE_FIELDS)):
                for field in fields:
                    kind = "double" if field == "weight" else "string"
                    key = f'id="{domain}-{field}" for="{domain}" attr.name="{field}" attr.type="{kind}"'
                    out.write(f"  <key {key}/>\n")
            out.write(f'  <graph id={_quoted(name)} edgedefault="directed">\n')
            nodes = sum(out.write(line) > 0 for line in _nodes(connection))
            edges = sum(out.write(line) > 0 for line in _edges(connection))
            out.write("  </graph>\n</graphml>\n")
        partial.replace(file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return nodes, edges


def _nodes(connection: Connection) -> Iterator[str]:
    for row, components in _owned(connection, entities):
        values = {**row, "pictures": " ".join(json.loads(row["pictures"])), "components": components}
        yield f"    <node id={_quoted(row['id'])}>{_fields('node', _NODE_FIELDS, values)}</node>\n"


def _edges(connection: Connection) -> Iterator[str]:
    for row, components in _owned(connection, relations):
        values = {**row, "keywords": ", ".join(json.loads(row["keywords"])), "components": components}
        ends = f"id={_quoted(row['id'])} source={_quoted(row['head'])} target={_quoted(row['tail'])}"
        yield f"    <edge {ends}>{_fields('edge', _EDGE_FIELDS, values)}</edge>\n"


def _owned(connection: Connection, table: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield rows by id, each with the ids of its components, one per line."""
    rows = connection.execute(select(table).order_by(table.c.id)).mappings().all()
    for start in range(0, len(rows), _READ):
        some = rows[start : start + _READ]
        owners: dict[int, list[str]] = {row["key"]: [] for row in some}
        for low in range(0, len(some), 900):
            keys = [row["key"] for row in some[low : low + 900]]
            for owned in connection.execute(select(provenance).where(provenance.c.owner.in_(keys))):
                owners[owned.owner].append(owned.component)
        for row in some:
            yield dict(row), "\n".join(sorted(owners[row["key"]]))


def _fields(domain: str, names: tuple[str, ...], values: dict[str, Any]) -> str:
    return "".join(
        f'<data key="{domain}-{name}">{escape(_clean(str(values[name])))}</data>' for name in names if values[name]
    )


def _quoted(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """Replace characters that XML does not allow."""
    return _NOT_XML.sub("\ufffd", text)
