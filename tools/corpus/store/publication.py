"""What is published of a shared corpus: one version of each of its tables, which belong together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from backtrail.tools.corpus.tables.meta import Meta

WAIT = 120.0
"""Seconds that a publisher waits for another one of the same corpus (ours: publishing takes seconds)."""


@dataclass(frozen=True)
class TableVersion:
    """A version of a Lance table, and how many rows it has."""

    version: int
    rows: int


@dataclass(frozen=True)
class Publication:
    """The content of a pointer.

    Attributes:
        number: rises by one with every publication.
        space: the folder of the tables within the corpus's; keys of different spaces have nothing to do with each
            other.
        tables: the version of each table by name.
        meta: what the corpus records of itself. Its ``generation`` is the publisher's own.
        forgotten: number of the last publication that has to leave no trace of what was removed before it.
        at, by: when (ISO 8601 in UTC) and by which machine.
    """

    number: int
    space: str
    tables: Mapping[str, TableVersion]
    meta: Meta
    forgotten: int = 0
    at: str = ""
    by: str = ""

    def to_json(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Publication:
        """Read what is stored; fields of later versions of Backtrail are passed over."""
        held = json.loads(text)
        meta = {name: value for name, value in held["meta"].items() if name in Meta.__dataclass_fields__}
        tables = {name: TableVersion(**one) for name, one in held["tables"].items()}
        known = {name: value for name, value in held.items() if name in cls.__dataclass_fields__}
        return cls(**{**known, "tables": tables, "meta": Meta(**meta)})
