"""The language of every document of a generation: what its words are stemmed by, and what questions may be in."""

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
TOLD = "languages.told.json"
"""The language that each document row was told to be in, before rare ones are taken for mistakes."""
LEAST_SHARE = 0.001
"""A language of fewer documents is a mistake: of 18,555 English pages 7 were taken for one in another language."""
_READ = 8_192

Languages = Mapping[int, str]
"""ISO 639-1 code by document key."""


@dataclass(frozen=True)
class DocumentLanguages:
    """What each document is told to be in, by its key in reading order, and what it is taken for.

    ``stable`` is false where a document that stays is taken for another language than before.
    """

    told: Mapping[int, str]
    taken: Languages
    stable: bool = True


def document_languages(connection: Connection, difference: Difference | None = None) -> DocumentLanguages:
    """The language of each document by its summary and its first words; of documents that stay as it was told."""
    earlier = read_told(difference) if difference else None
    if difference is None or earlier is None:
        told = {key: language_of_page(sample) for key, sample in _samples(connection, -1)}
        return DocumentLanguages(told, _taken(told), stable=False)
    new = {key: language_of_page(sample) for key, sample in _samples(connection, difference.last)}
    stayed = difference.previous.documents.keys[difference.documents].tolist()
    told = {key: earlier[key] for key in stayed} | new
    before, now = _taken(earlier), _taken(told)
    return DocumentLanguages(told, now, all(before[key] == now[key] for key in stayed))


def _taken(told: Mapping[int, str]) -> Languages:
    counts = Counter(told.values())
    return {key: language if counts[language] >= LEAST_SHARE * len(told) else ENGLISH for key, language in told.items()}


def read_told(difference: Difference) -> dict[int, str] | None:
    """What the documents of the previous generation were told to be in, by key; None where it does not say."""
    keys = difference.previous.documents.keys.tolist()
    try:
        told: list[str] = json.loads((difference.previous.folder / TOLD).read_bytes())
    except (OSError, ValueError):
        return None
    return dict(zip(keys, told, strict=True)) if len(told) == len(keys) else None


def _samples(connection: Connection, last: int) -> Iterator[tuple[int, str]]:
    """Each document's key behind a key, with as many of its first characters as are looked at."""
    table = components
    columns = (documents.c.key, documents.c.title, documents.c.search_text, table.c.search_text.label("said"))
    statement = (
        select(*columns)
        .outerjoin_from(documents, table, table.c.document_key == documents.c.key)
        .where(documents.c.key > last)
        .order_by(documents.c.key, table.c.key)
    )
    rows = connection.execute(statement, execution_options={"yield_per": _READ})
    for (key, title, text), members in groupby(rows, key=lambda row: (row.key, row.title, row.search_text)):
        held = text
        for row in members:
            if row.said is not None and len(held) < READ_CHARACTERS:  # a title that all repeat counts once
                held += "\n" + row.said.removeprefix(title)[:READ_CHARACTERS]
        yield key, held


def row_languages(connection: Connection, table: Table, languages: Languages, last: int = -1) -> Iterator[str]:
    """The language of each row of a layer behind a key, in reading order: that of its document."""
    own = table.c.key > last
    if table is documents:
        keys = select(documents.c.key).where(own).order_by(documents.c.key)
    elif table is components:
        keys = select(components.c.document_key).where(own).order_by(components.c.key)
    else:
        joined = subcomponents.join(components, subcomponents.c.component_key == components.c.key)
        keys = select(components.c.document_key).select_from(joined).where(own).order_by(subcomponents.c.key)
    found = np.fromiter(connection.execute(keys).scalars(), np.int64)  # read to its end
    return (languages[int(key)] for key in found)


def write_languages(folder: Path, languages: DocumentLanguages) -> None:
    """Store how many documents of a generation each language has, the commonest first, and what each was told to be."""
    (folder / TOLD).write_text(json.dumps(list(languages.told.values())), "utf-8")
    counts = Counter(languages.taken.values()).most_common()
    (folder / FILE).write_text(json.dumps(dict(counts)), "utf-8")


def read_languages(folder: Path) -> dict[str, int]:
    """Documents of a generation by language, the commonest first. FileNotFoundError where it is damaged."""
    return json.loads((folder / FILE).read_bytes())
