"""The language of every document of a generation: what its words are stemmed by, and what questions may be in."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from sqlalchemy import Connection, Table, select

from backtrail.language.active import ENGLISH
from backtrail.language.identify import READ_CHARACTERS, language_of_page
from backtrail.tools.corpus.tables.schema import components, documents, subcomponents

FILE = "languages.json"
LEAST_SHARE = 0.001
"""A language of fewer documents is a mistake: of 18,555 English pages 7 were taken for one in another language."""
_READ = 8_192

Languages = Mapping[int, str]
"""ISO 639-1 code by document key."""


def document_languages(connection: Connection) -> dict[int, str]:
    """The language of each document by its summary and its first words."""
    told = {key: language_of_page(sample) for key, sample in _samples(connection)}
    counts = Counter(told.values())
    return {key: language if counts[language] >= LEAST_SHARE * len(told) else ENGLISH for key, language in told.items()}


def _samples(connection: Connection) -> Iterator[tuple[int, str]]:
    """Each document's key with as many of its first characters as are looked at."""
    titles: dict[int, str] = {}
    held: dict[int, str] = {}
    for row in connection.execute(select(documents.c.key, documents.c.title, documents.c.search_text)):
        titles[row.key], held[row.key] = row.title, row.search_text
    statement = select(components.c.document_key, components.c.search_text).order_by(components.c.key)
    for rows in connection.execute(statement, execution_options={"yield_per": _READ}).partitions():
        for key, text in rows:
            if len(held[key]) < READ_CHARACTERS:  # a title that every component repeats counts once
                held[key] += "\n" + text.removeprefix(titles[key])[:READ_CHARACTERS]
    yield from held.items()


def row_languages(connection: Connection, table: Table, languages: Languages) -> list[str]:
    """The language of each row of a layer, in reading order: that of its document."""
    if table is documents:
        keys = select(documents.c.key).order_by(documents.c.key)
    elif table is components:
        keys = select(components.c.document_key).order_by(components.c.key)
    else:
        joined = subcomponents.join(components, subcomponents.c.component_key == components.c.key)
        keys = select(components.c.document_key).select_from(joined).order_by(subcomponents.c.key)
    return [languages[key] for key in connection.execute(keys).scalars()]


def write_languages(folder: Path, languages: Languages) -> None:
    """Store how many documents of a generation each language has, the commonest first."""
    counts = Counter(languages.values()).most_common()
    (folder / FILE).write_text(json.dumps(dict(counts)), "utf-8")


def read_languages(folder: Path) -> dict[str, int] | None:
    """Documents by language, the commonest first; None for a generation that knew English alone."""
    try:
        return json.loads((folder / FILE).read_bytes())
    except FileNotFoundError:
        return None
