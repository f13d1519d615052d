"""The words of a generation: languages, terms, lexical indexes and sections, taken over where documents stay."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

from sqlalchemy import Connection, select

from backtrail.language.compounds import JOINTS
from backtrail.tools.corpus.search.languages import (
    DocumentLanguages,
    document_languages,
    row_languages,
    write_languages,
)
from backtrail.tools.corpus.search.lexical import WORDS, Base, build_words
from backtrail.tools.corpus.search.sections import build_sections
from backtrail.tools.corpus.search.terms import TERMS, build_terms
from backtrail.tools.corpus.tables import schema
from backtrail.tools.corpus.writing.difference import Difference
from backtrail.tools.corpus.writing.progress import Progress

PARTS = 5
"""How often progress is told of."""
_log = logging.getLogger(__name__)


def index_words(connection: Connection, folder: Path, difference: Difference | None, progress: Progress) -> None:
    """Fill the folder of a generation with all that is searched by words.

    Without a difference, or where it cannot be followed, every text is read: compounds are taken apart by the words of
    all texts of their language, and a language that few documents have is taken for a mistake or no longer.
    """
    languages = document_languages(connection, difference)
    write_languages(folder, languages)
    if difference is not None and _can_follow(languages):
        try:
            _index(connection, folder, languages, difference, progress)
            return
        except (LookupError, OSError, ValueError) as error:  # made by an earlier version, or damaged
            _log.info("all words are indexed anew: %s", error)
            shutil.rmtree(folder / TERMS, ignore_errors=True)
            shutil.rmtree(folder / WORDS, ignore_errors=True)
    _index(connection, folder, languages, None, progress)


def _can_follow(languages: DocumentLanguages) -> bool:
    return languages.stable and not JOINTS.keys() & set(languages.taken.values())


def _index(
    connection: Connection,
    folder: Path,
    languages: DocumentLanguages,
    difference: Difference | None,
    progress: Progress,
) -> None:
    last = difference.last if difference else -1
    build_terms(connection, folder / TERMS, languages.taken, difference)
    progress.advance()
    for table in (schema.documents, schema.components, schema.subcomponents):
        new = select(table.c.search_text).where(table.c.key > last).order_by(table.c.key)
        texts = connection.execute(new).scalars().all()
        base = None
        if difference is not None:
            base = Base(difference.previous.folder / WORDS / table.name, difference.kept[table.name])
        build_words(folder / WORDS / table.name, texts, row_languages(connection, table, languages.taken, last), base)
        progress.advance()
    build_sections(connection, folder / WORDS, languages.taken, difference)
    progress.advance()
