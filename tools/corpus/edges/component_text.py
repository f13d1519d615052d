"""Words, names and codes of stored components, from which edges are derived."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Column, Connection, Row, select

from backtrail.language.stop_words import FUNCTION_WORDS
from backtrail.language.vocabulary import MONTHS
from backtrail.tools.arrays.vector_rows import Mask, Rows
from backtrail.tools.corpus.tables.database import chunks
from backtrail.tools.corpus.tables.schema import components

_READ = 4_096
_WORD = re.compile(r"[^\W_](?:[\w.@'’-]*\w)?")
_QUANTITY = re.compile(r"\d{1,5}(?:\.\d+)*(?:[eE]-?\d+|[^\W\d]{1,3})?|\d{1,4}-\d\d?-\d{1,4}")
_JOINED = re.compile(r"[a-z][A-Z]")
_JOINS = frozenset({"of", "the", "de", "da", "del", "della", "di", "du", "la", "van", "von", "der", "den", "y", "e"})
_PICTURE_WORDS = ("title", "caption", "alt", "nearby", "recognized")
_LONGEST = 6
LEAST_NAME = 4
"""Characters of a one-word name: initials and abbreviations are ambiguous."""
LEAST_DIGITS = 6
"""Digits of a number that identifies something: shorter ones are quantities."""


class ComponentText(NamedTuple):
    """Text of one component, with its row and its document's row in reading order."""

    row: int
    document: int
    modality: str
    section: str
    caption: str
    text: str
    cells: tuple[tuple[str, ...], ...] = ()


class Phrase(NamedTuple):
    """Words that name a document; ``exact`` ones match only in the same case."""

    words: tuple[str, ...]
    exact: bool


class Word(NamedTuple):
    """A word with its offsets in the text."""

    text: str
    start: int
    end: int


class Stored:
    """Texts of the stored components, by rows in reading order."""

    def __init__(self, connection: Connection, documents: Rows, components: Rows) -> None:
        """Read from a connection; ``documents`` and ``components`` are all keys, in reading order."""
        self._connection = connection
        self._documents, self._components = documents, components

    @property
    def components(self) -> int:
        """Number of components."""
        return len(self._components)

    def of(self, documents: Mask) -> Iterator[ComponentText]:
        """The components of some of the documents, in reading order."""
        columns = [components.c[name] for name in ("key", "document_key", "modality", "section", "content")]
        for row in self._rows(columns, documents):
            place = int(np.searchsorted(self._components, row.key))
            yield _said(place, self._row(row.document_key), row.modality, row.section, row.content)

    def saying(self, phrases: Collection[Phrase], documents: Mask) -> set[int]:
        """Rows of those documents that may contain a phrase: all its words occur, in any case."""
        wanted = [{word.casefold() for word in phrase.words} for phrase in phrases]
        found: set[int] = set()
        columns = [components.c.document_key, components.c.content]
        for row in self._rows(columns, documents):
            document = self._row(row.document_key)
            if document not in found:
                folded = row.content.casefold()
                if any(all(word in folded for word in words) for words in wanted):
                    found.add(document)
        return found

    def _row(self, document_key: int) -> int:
        return int(np.searchsorted(self._documents, document_key))

    def _rows(self, columns: Sequence[Column[Any]], documents: Mask) -> Iterator[Row[Any]]:
        """Yield components of documents, with one scan of all where most are wanted."""
        statement = select(*columns).order_by(components.c.key)
        chosen = np.flatnonzero(documents)
        if 2 * len(chosen) > len(documents):
            for row in self._connection.execute(statement, execution_options={"yield_per": _READ}):
                if documents[self._row(row.document_key)]:
                    yield row
            return
        for some in chunks(self._documents[chosen].tolist()):
            yield from self._connection.execute(statement.where(components.c.document_key.in_(some)))


def _said(row: int, document: int, modality: str, section: str, stored: str) -> ComponentText:
    content: dict[str, Any] = json.loads(stored)
    if table := content.get("table"):
        cells = tuple(tuple(line) for line in table["rows"])
        text = "\n".join([table["caption"], " | ".join(table["header"]), *(" | ".join(line) for line in cells)])
        return ComponentText(row, document, modality, section, table["caption"], text, cells)
    if picture := content.get("image"):
        text = "\n".join(picture[part] for part in _PICTURE_WORDS if part in picture)
        return ComponentText(row, document, modality, section, picture.get("caption") or picture.get("title", ""), text)
    return ComponentText(row, document, modality, section, "", content.get("text", ""))


def words_of(text: str) -> list[Word]:
    """Words with inner punctuation: "report-2023.pdf", "a@b.org" and "text_index" are one each."""
    return [Word(found.group(), found.start(), found.end()) for found in _WORD.finditer(text)]


def is_code(word: str) -> bool:
    """Whether a word is an identifier: an address, camel case, letters with digits, a long number."""
    if word.isalpha() and (word[1:].islower() or word.isupper()):  # most words
        return False
    if "@" in word or "_" in word or _JOINED.search(word):
        return len(word) > LEAST_NAME
    if _QUANTITY.fullmatch(word):
        return False
    digits = sum(map(str.isdigit, word))
    if word.isalnum() and digits == len(word):
        return digits >= LEAST_DIGITS
    return digits >= 2 and len(word) > LEAST_NAME and any(character.isalpha() for character in word)


def is_capital(word: str) -> bool:
    """Whether a word is capitalised, and neither a month nor a function word."""
    return word[0].isupper() and word.casefold() not in FUNCTION_WORDS and word.casefold() not in MONTHS


def names_of(text: str, words: list[Word]) -> Iterator[str]:
    """Yield identifiers, runs of capitalised words ("University of Oslo"), and capitalised words."""
    place = 0
    while place < len(words):
        word = words[place].text
        if word.islower() and word.isalpha():  # most words: neither code nor capitalised
            place += 1
            continue
        if is_code(word):
            yield word
        end = _run(text, words, place) if is_capital(word) else place
        if end - place > 1:
            yield " ".join(one.text for one in words[place:end])
        yield from (one.text for one in words[place:end] if _may_name(one.text))
        place = max(end, place + 1)


def surely_names(text: str, words: list[Word]) -> Iterator[str]:
    """Capitalised words within a sentence or a longer name, where position does not require a capital."""
    for before, word in pairwise(words):
        if not word.text[0].isupper() or text[before.end : word.start] != " " or not _may_name(word.text):
            continue
        named = _may_name(before.text)
        if named or before.text.islower():
            yield word.text
        if named:
            yield before.text


def _may_name(word: str) -> bool:
    return len(word) >= LEAST_NAME and word.isalpha() and word[1:].islower() and is_capital(word)


def _run(text: str, words: list[Word], start: int) -> int:
    """The end of the run of capitalised words that starts here."""
    end = start + 1
    while end < len(words) and end - start < _LONGEST:
        step = 1
        while end + step < len(words) and words[end + step - 1].text in _JOINS and step < 3:
            step += 1
        last = words[end + step - 1]
        apart = any(text[words[one - 1].end : words[one].start] != " " for one in range(end, end + step))
        if apart or not is_capital(last.text):
            break
        end += step
    return end
