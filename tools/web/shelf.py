"""Shelf: store of found pages and pictures on disk, by content, so that a run's state needs only ids.

``$BACKTRAIL_HOME/web/shelf/ab/<32 hex digits>.json``. An id is the hash of the content at the time of reading. A
later reading is another component, so that citations of old runs do not change.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from backtrail.state.component import Component, Document, Record
from backtrail.tools.atomic_file import write_atomically

PREFIX = "web:"
_ID = re.compile(r"web:([0-9a-f]{32})")
R = TypeVar("R", bound=Record)


def is_web(id_: str) -> bool:
    """Whether an id is of the web, not of a corpus."""
    return id_.startswith(PREFIX)


def web_id(record: Record) -> str:
    """Return the id of a record, a hash of its contents."""
    content = record.model_dump_json(exclude={"id", "document", "identity"})
    return PREFIX + hashlib.sha256(f"{type(record).__name__} {content}".encode()).hexdigest()[:32]


class Shelf:
    """Stores components and documents of the web. Safe for concurrent threads and processes."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "web" / "shelf"

    def put(self, component: Component, document: Document) -> tuple[Component, Document]:
        """Store both and return them with their ids; ids in the arguments are ignored."""
        document = document.model_copy(update={"id": web_id(document)})
        # The same text on two pages makes two components, each cited with its own address.
        own = web_id(component.model_copy(update={"section": f"{document.id} {component.section}"}))
        component = component.model_copy(update={"id": own, "document": document.id})
        for record in (document, component):
            path = self._path(record.id)
            if path is not None and not path.exists():
                write_atomically(path, record.model_dump_json().encode())
        return component, document

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Components by id; unknown ids are left out."""
        return self._read(ids, Component)

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Documents by id; unknown ids are left out."""
        return self._read(ids, Document)

    def _read(self, ids: Collection[str], kind: type[R]) -> dict[str, R]:
        found: dict[str, R] = {}
        for id_ in ids:
            path = self._path(id_)
            try:
                if path is not None:
                    found[id_] = kind.model_validate_json(path.read_bytes())
            except (FileNotFoundError, ValidationError):
                continue  # deleted, or an id of the other kind
        return found

    def _path(self, id_: str) -> Path | None:
        """Return the file of an id; None if invalid: ids from states, models and clients are untrusted."""
        match = _ID.fullmatch(id_)
        return self._folder / match[1][:2] / f"{match[1]}.json" if match else None
