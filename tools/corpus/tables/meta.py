"""Metadata of a corpus, such as its current generation."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace

from sqlalchemy import Connection, delete, insert, select

from backtrail.tools.corpus.errors import CorpusTooNew, CorpusTooOld
from backtrail.tools.corpus.tables import schema


@dataclass(frozen=True)
class Meta:
    """Values of the ``meta`` table.

    ``uid`` distinguishes this corpus from earlier ones of its name; ``generation`` is the index that readers open, 0
    before the first; ``version`` changes with contents and embedders only; ``last_key`` is the highest key ever used;
    ``pixels`` names the encoder of pictures, ``ocr`` the OCR engine, ``knowledge`` the model that extracts the
    knowledge graph, each empty without one.
    """

    layout: int = schema.LAYOUT
    uid: str = ""
    generation: int = 0
    version: str = ""
    embedder: str = ""
    fingerprint: str = ""
    dimension: int = 0
    pixels: str = ""
    pixels_fingerprint: str = ""
    pixels_dimension: int = 0
    ocr: str = ""
    knowledge: str = ""
    last_key: int = 0
    updated: str = ""


def read_meta(connection: Connection, name: str) -> Meta:
    """Read the stored values, with defaults for missing ones.

    Raises:
        CorpusTooNew, CorpusTooOld: it has another layout.
    """
    stored = {row.name: row.value for row in connection.execute(select(schema.meta))}
    layout = int(stored.get("layout", schema.LAYOUT))
    if layout > schema.LAYOUT:
        raise CorpusTooNew(name, layout, schema.LAYOUT)
    if layout < schema.LAYOUT:
        raise CorpusTooOld(name, layout, schema.LAYOUT)
    kinds = {field.name: type(field.default) for field in fields(Meta)}
    return replace(Meta(), **{key: kinds[key](value) for key, value in stored.items() if key in kinds})


def write_meta(connection: Connection, meta: Meta) -> None:
    """Replace the stored values."""
    connection.execute(delete(schema.meta))
    connection.execute(insert(schema.meta), [{"name": key, "value": str(value)} for key, value in asdict(meta).items()])
