"""Language of every document of a generation, by which its words are stemmed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, Table, select

from backtrail.language.current_language import ENGLISH
from backtrail.language.identify import READ_CHARACTERS, language_of_page
from backtrail.tools.corpus.difference import Difference
from backtrail.tools.corpus.tables.schema import components, documents, subcomponents

FILE = "languages.json"
DETECTED = "languages.detected.json"
"""The detected language of each document row, before rare ones are corrected."""
LEAST_SHARE = 0.001
"""A language of a smaller share is a detection error: 7 of 18,555 English pages had another one."""
_READ = 8_192

Languages = Mapping[int, str]
"""ISO 639-1 code by document key."""


@dataclass(frozen=True)
class DocumentLanguages:
    """Languages of documents by key in reading order, detected and corrected.

    ``stable`` is false where the corrected language of a document that stays changes.
    """

    detected: Mapping[int, str]
    corrected: Languages
    stable: bool = True


def document_languages(connection: Connection, difference: Difference | None = None) -> DocumentLanguages:
    """Detect each document's language from its summary and first words; known ones are reused."""
    earlier = read_detected(difference) if difference else None
    if difference is None or earlier is None:
        told = {key: language_of_page(sample) for key, sample in _samples(connection, -1)}
        return DocumentLanguages(told, _corrected(told), stable=False)
    new = {key: language_of_page(sample) for key, sample in _samples(connection, difference.last)}
    stayed = difference.previous.documents.keys[difference.documents].tolist()
    told = {key: earlier[key] for key in stayed} | new
    before, now = _corrected(earlier), _corrected(told)
    return DocumentLanguages(told, now, all(before[key] == now[key] for key in stayed))


def _corrected(told: Mapping[int, str]) -> Languages:
    counts = Counter(told.values())
    return {key: language if counts[language] >= LEAST_SHARE * len(told) else ENGLISH for key, language in told.items()}


def read_detected(difference: Difference) -> dict[int, str] | None:
    """Detected languages of the previous generation by document key; None where missing or damaged."""
    keys = difference.previous.documents.keys.tolist()
    try:
        told: list[str] = json.loads((difference.previous.folder / DETECTED).read_bytes())
    except (OSError, ValueError):
        return None
    return dict(zip(keys, told, strict=True)) if len(told) == len(keys) else None


def _samples(connection: Connection, last: int) -> Iterator[tuple[int, str]]:
    """Yield the key of each document after ``last``, with the first characters, for detection."""
    table = components
    columns = (documents.c.key, documents.c.title, documents.c.search_text, table.c.search_text.label("component_text"))
    statement = (
        select(*columns)
        .outerjoin_from(documents, table, table.c.document_key == documents.c.key)
        .where(documents.c.key > last)
        .order_by(documents.c.key, table.c.key)
    )
    rows = connection.execute(statement, execution_options={"yield_per": _READ})
    for (key, title, text), members in groupby(rows, key=lambda row: (row.key, row.title, row.search_text)):
        sample = text
        for row in members:
            if row.component_text is not None and len(sample) < READ_CHARACTERS:  # count the repeated title once
                sample += "\n" + row.component_text.removeprefix(title)[:READ_CHARACTERS]
        yield key, sample


def row_languages(connection: Connection, table: Table, languages: Languages, last: int = -1) -> Iterator[str]:
    """The document's language of each row of a layer after a key, in reading order."""
    own = table.c.key > last
    if table is documents:
        keys = select(documents.c.key).where(own).order_by(documents.c.key)
    elif table is components:
        keys = select(components.c.document_key).where(own).order_by(components.c.key)
    else:
        joined = subcomponents.join(components, subcomponents.c.component_key == components.c.key)
        keys = select(components.c.document_key).select_from(joined).where(own).order_by(subcomponents.c.key)
    found = np.fromiter(connection.execute(keys).scalars(), np.int64)  # consumed, so that the cursor is closed
    return (languages[int(key)] for key in found)


def write_languages(folder: Path, languages: DocumentLanguages) -> None:
    """Store the number of documents per language, the most frequent first, and the detected languages."""
    (folder / DETECTED).write_text(json.dumps(list(languages.detected.values())), "utf-8")
    counts = Counter(languages.corrected.values()).most_common()
    (folder / FILE).write_text(json.dumps(dict(counts)), "utf-8")


def read_languages(folder: Path) -> dict[str, int]:
    """Number of documents by language, the most frequent first. FileNotFoundError where it is damaged."""
    return json.loads((folder / FILE).read_bytes())
