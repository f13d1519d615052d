"""What a corpus records about itself; the row that makes a generation the current one is here."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace

from sqlalchemy import Connection, delete, insert, select

from backtrail.tools.corpus.errors import CorpusTooNew, CorpusTooOld
from backtrail.tools.corpus.tables import schema


@dataclass(frozen=True)
class Meta:
    """Values of the ``meta`` table.

    ``uid`` tells this corpus from others that had its name; ``generation`` is the index that
    readers open, 0 before the first; ``version`` changes with contents and embedders and with nothing
    else; ``last_key`` is the highest key ever given; ``pixels`` names the encoder that sees the pictures,
    empty where they are known by their words alone; ``ocr`` names what read the words in them, empty where nothing did;
    ``knowledge`` names the model that reads components into the
    knowledge graph, empty where there is none.
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
    """The stored values, with defaults for what was never set.

    Raises:
        CorpusTooNew, CorpusTooOld: it has another layout than ours.
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
