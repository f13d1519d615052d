"""The pages of a corpus that have a picture, with the components on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select

from backtrail.tools.corpus.errors import CorpusLocked
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.pages.page_index import KINDS, Page, PageVectors, pages_folder, read_index, write_index
from backtrail.tools.corpus.tables.schema import components, documents
from backtrail.tools.corpus.writing.lock import writer_lock

_READ = 4_096


def find_pages(name: str) -> tuple[list[Page], dict[str, str]]:
    """Find the pages of a corpus: those of PDF files, and pictures that are documents of their own.

    A long PDF is stored as several documents, which may share a page. Pages without components are left out: nothing on
    them can be cited.

    Returns the pages by source, not embedded, and the content hashes of all documents. Raises CorpusNotFound.
    """
    columns = [documents.c.id.label("document"), documents.c.source]
    columns += [components.c[column] for column in ("id", "modality", "blob", "content")]
    joined = select(*columns).join_from(documents, components, components.c.document_key == documents.c.key)
    pages: dict[tuple[str, int], Page] = {}
    with read_only(name) as connection:
        rows = connection.execute(joined.order_by(components.c.key), execution_options={"yield_per": _READ})
        for id_, group in groupby(rows, key=lambda row: str(row.document)):
            for place, component in _places(list(group)):
                page = pages.setdefault(place, Page(*place, [], []))
                page.components.append(component)
                if id_ not in page.documents:
                    page.documents.append(id_)
        return [pages[place] for place in sorted(pages)], document_hashes(connection)


def document_hashes(connection: Connection) -> dict[str, str]:
    """Content hashes of all documents by id."""
    return {row.id: row.content_hash for row in connection.execute(select(documents.c.id, documents.c.content_hash))}


def forget_absent(corpus: str) -> None:
    """Remove page vectors of documents that the corpus no longer has.

    A process that is embedding the corpus's pages does so itself when it ends. Vectors of an interrupted run are kept
    for the next, which removes those that it does not need.
    """
    for kind in KINDS:
        folder = pages_folder(corpus, kind)
        if read_index(folder) is not None:
            with suppress(CorpusLocked), writer_lock(corpus, folder), read_only(corpus) as connection:
                if (index := read_index(folder)) is not None:
                    rest = index.among(document_hashes(connection))
                    write_index(folder, rest)
                    gone = {page.key for page in index.pages} - {page.key for page in rest.pages}
                    PageVectors(folder, index.fingerprint, index.dimension).remove(gone)


@contextmanager
def pages_locked(corpus: str) -> Iterator[None]:
    """Keep other processes from embedding the corpus's pages. CorpusLocked if one does."""
    with ExitStack() as locks:
        for kind in KINDS:
            locks.enter_context(writer_lock(corpus, pages_folder(corpus, kind)))
        yield


def _places(rows: Sequence[Any]) -> list[tuple[tuple[str, int], str]]:
    """The source and number of the page of each component, for the rows of a document's components."""
    source = str(rows[0].source)
    if source.lower().endswith(".pdf"):
        numbers = [(json.loads(row.content).get("locator", {}).get("page"), row.id) for row in rows]
        return [((source, int(number)), id_) for number, id_ in numbers if number]
    if all(row.modality == "image" and row.blob for row in rows):
        return [((str(row.blob), 0), row.id) for row in rows]
    return []
