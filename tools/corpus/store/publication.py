"""A publication of a shared corpus: one consistent version of each of its tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from backtrail.tools.corpus.tables.meta import Meta

WAIT = 120.0
"""Seconds that a publisher waits for another one of the same corpus (ours: publishing takes seconds)."""


@dataclass(frozen=True)
class TableVersion:
    """A version of a Lance table, and its number of rows."""

    version: int
    rows: int


@dataclass(frozen=True)
class Publication:
    """The content of a pointer.

    Attributes:
        number: rises by one with every publication.
        space: the subfolder of the tables; keys of different spaces are unrelated.
        tables: the version of each table by name.
        meta: metadata of the corpus. Its ``generation`` is local to the publisher.
        forgotten: number of the last publication that erases what was removed before it.
        at, by: time (ISO 8601 in UTC) and machine.
    """

    number: int
    space: str
    tables: Mapping[str, TableVersion]
    meta: Meta
    forgotten: int = 0
    at: str = ""
    by: str = ""

    def to_json(self) -> str:
        """Serialize for storage."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Publication:
        """Parse a stored publication; fields of newer versions of Backtrail are ignored."""
        stored = json.loads(text)
        meta = {name: value for name, value in stored["meta"].items() if name in Meta.__dataclass_fields__}
        tables = {name: TableVersion(**one) for name, one in stored["tables"].items()}
        known = {name: value for name, value in stored.items() if name in cls.__dataclass_fields__}
        return cls(**{**known, "tables": tables, "meta": Meta(**meta)})
