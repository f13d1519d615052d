"""Identities of files: which period or version each covers, found when a generation is built.

``identities.json`` maps keys of documents to them. Only files with a period or version in title or file name, or, in
the absence of these, in "for the year ended …" on the first page, have one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, select

from backtrail.language.periods import periods_ended, periods_in, versions_in, without_periods
from backtrail.state.component import Identity
from backtrail.tools.corpus.difference import Difference
from backtrail.tools.corpus.generation import Generation, Layer, open_layer
from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.corpus.tables.schema import components, documents

FILE = "identities.json"
_EXTENSION = re.compile(r"\.[a-z]\w{0,4}$", re.I)
_READ = 8_192
_FIRST_PAGE = 20
"""First components that count as the first page (ours); a cover has about so many lines."""


def build_identities(connection: Connection, generation: Path, difference: Difference | None = None) -> None:
    """Find and store the identities of all files; those of documents that stay are reused.

    Args:
        generation: its folder, with the documents written.
    """
    layer = open_layer(generation, "documents")
    found = _kept(difference) if difference else None
    last = difference.last if difference and found is not None else -1
    found = dict(found or {}) | _new(connection, layer, last)
    stored = {key: one.model_dump(exclude_defaults=True) for key, one in found.items()}
    (generation / FILE).write_text(json.dumps(stored, ensure_ascii=False), "utf-8")


def read_identities(generation: Generation) -> dict[str, Identity]:
    """Return the identities by document id in reading order."""
    stored = sorted(_stored(generation.folder).items())
    rows = np.searchsorted(generation.documents.keys, [key for key, _ in stored])
    return dict(zip(generation.documents.ids.take(rows), (one for _, one in stored), strict=True))


def _stored(folder: Path) -> dict[int, Identity]:
    """Return the identities by document key; none of a generation that was built before there were any."""
    file = folder / FILE
    stored = json.loads(file.read_bytes()) if file.exists() else {}
    return {int(key): Identity.model_validate(one) for key, one in stored.items()}


def _kept(difference: Difference) -> Mapping[int, Identity] | None:
    if not (difference.previous.folder / FILE).exists():
        return None
    stay = set(difference.previous.documents.keys[difference.documents].tolist())
    return {key: one for key, one in _stored(difference.previous.folder).items() if key in stay}


def _new(connection: Connection, layer: Layer, last: int) -> dict[int, Identity]:
    found: dict[int, Identity] = {}
    unnamed: dict[int, Sequence[str]] = {}
    statement = select(documents.c.key, documents.c.id, documents.c.title).where(documents.c.key > last)
    for key, id_, title in connection.execute(statement, execution_options={"yield_per": _READ}):
        if _is_section(id_, layer):
            continue
        names = [_file_name(id_), title]
        periods, versions = ({one for name in names for one in read(name)} for read in (periods_in, versions_in))
        if periods or versions:
            found[key] = _identity(names, periods, versions)
        else:
            unnamed[key] = names
    for key, text in _first_pages(connection, list(unnamed)).items():
        if periods := periods_ended(text):
            found[key] = _identity(unnamed[key], periods, ())
    return found


def _file_name(id_: str) -> str:
    return _EXTENSION.sub("", id_.rpartition("/")[2]).replace("_", " ")


def _identity(names: Sequence[str], periods: Sequence[str] | set[str], versions: Sequence[str] | set[str]) -> Identity:
    kept = filter(None, dict.fromkeys(map(without_periods, names)))
    return Identity(periods=tuple(sorted(periods)), versions=tuple(sorted(versions)), names=tuple(kept))


def _is_section(id_: str, layer: Layer) -> bool:
    """Whether a document is a section of a file that was divided."""
    parts = id_.split("/")
    return any(layer.ids.row_of("/".join(parts[:end])) is not None for end in range(1, len(parts)))


def _first_pages(connection: Connection, keys: Sequence[int]) -> dict[int, str]:
    pages: dict[int, str] = {}
    table = components
    for some in chunks(keys):
        statement = (
            select(table.c.document_key, table.c.content)
            .where(table.c.document_key.in_(some), table.c.position < _FIRST_PAGE, table.c.modality == "text")
            .order_by(table.c.key)
        )
        for key, content in connection.execute(statement):
            pages[key] = f"{pages.get(key, '')}\n{json.loads(content).get('text') or ''}"
    return pages
