"""Find texts that contain a phrase, for queries without a word that the lexical index has."""

from __future__ import annotations

import re

from sqlalchemy import Connection, select

from backtrail.tools.corpus.tables.schema import components, metadata

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
    """Keys of components whose content has the longest ASCII word of a phrase: SQLite folds the case of ASCII alone.

    All components, if the phrase has no such word. Whether they contain the phrase is for the caller to check.
    """
    word = max(_ASCII_WORD.findall(phrase), key=len, default="")
    contains = components.c.content.icontains(word, autoescape=True)
    return list(connection.execute(select(components.c.key).where(contains).order_by(components.c.key)).scalars())
