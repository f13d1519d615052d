"""Find texts that contain a phrase, for queries without a word that the lexical index has."""

from __future__ import annotations

import re

from sqlalchemy import Connection, and_, or_, select

from backtrail.tools.corpus.tables.schema import components, documents, metadata

MOST_FOUND = 1_000
LONGEST_PHRASE = 200
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_EDGE = re.compile(r"^\W+|(?<=\w)\W+$")


def phrase_keys(connection: Connection, layer: str, phrase: str) -> list[int]:
    """Keys of at most 1,000 rows whose search text contains a phrase as whole words, in reading order.

    Case-insensitive. Scans the layer's texts, at some hundred megabytes a second.
    """
    words = _EDGE.sub("", phrase[:LONGEST_PHRASE])
    if not words:
        return []
    table = metadata.tables[layer]
    contains = table.c.search_text.icontains(words, autoescape=True)
    whole = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)
    rows = connection.execute(select(table.c.key, table.c.search_text).where(contains).order_by(table.c.key))
    keys: list[int] = []
    for key, text in rows:
        if whole.search(text):
            keys.append(key)
            if len(keys) == MOST_FOUND:
                break
    return keys


def candidate_keys(connection: Connection, phrase: str) -> list[int]:
    """Keys of components whose content or headings have the longest ASCII word of a phrase; of a title the first.

    All components, if the phrase has no such word: SQLite folds the case of ASCII alone. Whether they contain the
    phrase is for the caller to check.
    """
    word = max(_ASCII_WORD.findall(phrase), key=len, default="")
    titled = select(documents.c.key).where(documents.c.title.icontains(word, autoescape=True))
    contains = or_(
        components.c.content.icontains(word, autoescape=True),
        components.c.section.icontains(word, autoescape=True),
        and_(components.c.position == 0, components.c.document_key.in_(titled)),
    )
    return list(connection.execute(select(components.c.key).where(contains).order_by(components.c.key)).scalars())
