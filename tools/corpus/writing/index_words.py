"""Index the words of a generation: languages, terms, lexical indexes and sections."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, Table, select

from backtrail.language.compounds import JOINTS
from backtrail.tools.corpus.difference import Difference
from backtrail.tools.corpus.rebuild_notice import announce_rebuild
from backtrail.tools.corpus.search.languages import (
    DocumentLanguages,
    document_languages,
    row_languages,
    write_languages,
)
from backtrail.tools.corpus.search.lexical import BLOCK, WORDS, Base, Block, build_words
from backtrail.tools.corpus.search.sections import build_sections
from backtrail.tools.corpus.search.terms import TERMS, build_terms
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.writing.progress import Progress

ALL = 100
"""Total of the progress; the edges, built after the words, are the last ``EDGES`` of it."""
EDGES = 18
_TERMS, _SECTIONS = 65, 4
_WORDS = {schema.documents: 1, schema.components: 5, schema.subcomponents: 7}
"""Shares of the time (``benchmarks/scale.py``, 2,500 documents); most of it detects languages."""
_log = logging.getLogger(__name__)


def index_words(
    connection: Connection, folder: Path, difference: Difference | None, progress: Progress, *, forget: bool = False
) -> None:
    """Write everything that lexical search of a generation needs.

    All texts are read without a difference, and where it cannot be used: compounds are split by the words of all texts
    of their language, and the correction of rare languages may change.
    """
    languages = document_languages(connection, difference)
    write_languages(folder, languages)
    if difference is not None and _can_follow(languages):
        try:
            _index(connection, folder, languages, difference, progress, forget=forget)
            return
        except (LookupError, OSError, ValueError) as error:  # damaged
            announce_rebuild(folder)
            _log.info("The words of the previous generation cannot be reused: %s", error)
            shutil.rmtree(folder / TERMS, ignore_errors=True)
            shutil.rmtree(folder / WORDS, ignore_errors=True)
    _index(connection, folder, languages, None, progress)


def _can_follow(languages: DocumentLanguages) -> bool:
    return languages.stable and _can_be_divided(languages)


def _index(
    connection: Connection,
    folder: Path,
    languages: DocumentLanguages,
    difference: Difference | None,
    progress: Progress,
    *,
    forget: bool = False,
) -> None:
    last = difference.last if difference else -1
    build_terms(connection, folder / TERMS, languages.corrected, difference)
    progress.advance(_TERMS)
    for table, share in _WORDS.items():
        base = None
        if difference is not None:
            base = Base(difference.previous.folder / WORDS / table.name, difference.kept[table.name], forget)
        build_words(folder / WORDS / table.name, _blocks(connection, table, languages, last), base)
        progress.advance(share)
    build_sections(connection, folder / WORDS, languages.corrected, difference, forget=forget)
    progress.advance(_SECTIONS)


def _blocks(connection: Connection, table: Table, languages: DocumentLanguages, last: int) -> Iterator[Block]:
    """Yield the texts of a table after a key, with their languages; in one block where compounds are split."""
    new = select(table.c.search_text).where(table.c.key > last).order_by(table.c.key)
    spoken = row_languages(connection, table, languages.corrected, last)
    if not _can_be_divided(languages):
        yield connection.execute(new).scalars().all(), list(spoken)
        return
    for texts in connection.execute(new, execution_options={"yield_per": BLOCK}).scalars().partitions():
        yield texts, list(islice(spoken, len(texts)))
    next(spoken, None)  # consumed, so that its cursor is closed


def _can_be_divided(languages: DocumentLanguages) -> bool:
    return not JOINTS.keys() & set(languages.corrected.values())
