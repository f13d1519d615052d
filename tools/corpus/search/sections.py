"""Sections: neighbouring components under one heading, searched by words as one text.

A paragraph seldom repeats the words of its heading and its neighbours, but a question may use words of all. The
components of section i are the rows start[i] to start[i+1] of their layer (``words/sections.start.npy``).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, RowMapping, select

from backtrail.language.compounds import JOINTS
from backtrail.tools.arrays.mapped_array import load_array
from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.corpus.difference import Difference
from backtrail.tools.corpus.search.languages import Languages
from backtrail.tools.corpus.search.lexical import BLOCK, WORDS, Base, Block, Scores, Words, build_words, shares
from backtrail.tools.corpus.tables.schema import components, documents

SECTION_CHARACTERS = 8_000
"""A longer section, or a text without headings, is split, because its ends are about different things."""
_READ = 8_192
_PICTURE_WORDS = ("title", "caption", "alt", "nearby", "recognized")
_NAME, _STARTS = "sections", "sections.start.npy"


class Section(NamedTuple):
    """A run of components: its first row, the key of the document, and the joined text."""

    first: int
    document: int
    text: str


def build_sections(
    connection: Connection,
    words: Path,
    languages: Languages,
    difference: Difference | None = None,
    *,
    forget: bool = False,
) -> None:
    """Index the sections of all components, in reading order, beside the other lexical indexes.

    Args:
        words: folder of the lexical indexes.
        languages: language by document key.
        difference: reuse the sections of documents that stay from the previous generation.
        forget: erase the others.

    Raises:
        LookupError: the previous generation lacks the input of its sections.
    """
    table = components
    statement = (
        select(table.c.document_key, table.c.section, table.c.content, documents.c.title)
        .join_from(table, documents, table.c.document_key == documents.c.key)
        .where(table.c.key > (difference.last if difference else -1))
        .order_by(table.c.key)
    )
    rows = connection.execute(statement, execution_options={"yield_per": _READ}).mappings()
    count = 0

    def counted() -> Iterator[RowMapping]:
        nonlocal count
        for row in rows:
            yield row
            count += 1

    first: list[Rows] = []

    def blocks() -> Iterator[Block]:
        sections = _sections(counted())
        at_once = None if JOINTS.keys() & set(languages.values()) else BLOCK
        while found := list(islice(sections, at_once)):
            first.append(np.array([section.first for section in found], np.int64))
            yield [section.text for section in found], [languages[section.document] for section in found]

    base, lengths = None, np.empty(0, np.int64)
    if difference is not None:
        start = load_array(difference.previous.folder / WORDS / _STARTS)
        stay = difference.components[start[:-1]]
        base, lengths = Base(difference.previous.folder / WORDS / _NAME, stay, forget), np.diff(start)[stay]
    build_words(words / _NAME, blocks(), base)
    lengths = np.concatenate([lengths, np.diff(np.concatenate([*first, [count]]))])
    np.save(words / _STARTS, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def _sections(rows: Iterable[RowMapping]) -> Iterator[Section]:
    heading = (0, "")
    first, size = 0, 0
    parts: list[str] = []
    for number, row in enumerate(rows):
        here = (row["document_key"], row["section"])
        body = _body(json.loads(row["content"]))
        if parts and (here != heading or size + len(body) > SECTION_CHARACTERS):
            yield Section(first, heading[0], " ".join(parts))
            parts = []
        if not parts:
            heading, first, size = here, number, 0
            parts = [row["title"], row["section"]]
        parts.append(body)
        size += len(body)
    if parts:
        yield Section(first, heading[0], " ".join(parts))


def _body(content: dict[str, Any]) -> str:
    """The text of a stored component."""
    if table := content.get("table"):
        return " ".join([table["caption"], *table["header"], *(cell for row in table["rows"] for cell in row)])
    if picture := content.get("image"):
        return " ".join(picture[part] for part in _PICTURE_WORDS if part in picture)
    return content.get("text", "")


class Sections:
    """The sections of one generation. Thread-safe."""

    def __init__(self, words: Path, languages: Collection[str]) -> None:
        self._words = Words(words / _NAME, languages)
        self._start: Rows = load_array(words / _STARTS)
        self.of_component: Rows = np.repeat(np.arange(len(self._start) - 1), np.diff(self._start))

    def shares(self, query: str) -> Scores:
        """BM25 score of each section relative to the highest [sections]; zeros when no word occurs."""
        return shares(self._words.scores(query), len(self._start) - 1)
