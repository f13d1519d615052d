"""The pages of a corpus that have a picture, with the components on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select

from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.tables.schema import components, documents

NO_PICTURES = "only PDF files and pictures have page pictures"
_READ = 4_096


@dataclass(frozen=True)
class PagePlace:
    """A page, with its documents and components in reading order.

    Args:
        source: path of the PDF, or SHA-256 of a stored picture, which is a page by itself.
        number: page of the PDF, from 1; 0 for a picture.
    """

    source: str
    number: int
    documents: list[str] = field(default_factory=list[str])
    components: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class PagePlaces:
    """All pages with components, by source; content hashes of all documents; why documents have no page."""

    pages: list[PagePlace]
    documents: dict[str, str]
    without: dict[str, str]


def page_places(name: str) -> PagePlaces:
    """Find the pages of a corpus: those of PDF files, and pictures that are documents of their own.

    A long PDF is stored as several documents, which may share a page. Pages without components are left out: nothing on
    them can be cited.

    Raises:
        CorpusNotFound: no such corpus.
    """
    columns = [documents.c.id.label("document"), documents.c.source]
    columns += [components.c[name] for name in ("id", "modality", "blob", "content")]
    statement = (
        select(*columns)
        .join_from(documents, components, components.c.document_key == documents.c.key)
        .order_by(components.c.key)
    )
    pages: dict[tuple[str, int], PagePlace] = {}
    with read_only(name) as connection:
        hashes = document_hashes(connection)
        rows = connection.execute(statement, execution_options={"yield_per": _READ})
        for id_, group in groupby(rows, key=lambda row: str(row.document)):
            for place, component in _places(list(group)):
                page = pages.setdefault(place, PagePlace(*place))
                page.components.append(component)
                if id_ not in page.documents:
                    page.documents.append(id_)
    placed = {id_ for page in pages.values() for id_ in page.documents}
    ordered = sorted(pages.values(), key=lambda page: (page.source, page.number))
    return PagePlaces(ordered, hashes, {id_: NO_PICTURES for id_ in hashes if id_ not in placed})


def document_hashes(connection: Connection) -> dict[str, str]:
    """Content hashes of all documents, by id, in reading order."""
    statement = select(documents.c.id, documents.c.content_hash).order_by(documents.c.key)
    return {row.id: row.content_hash for row in connection.execute(statement)}


def _places(rows: Sequence[Any]) -> list[tuple[tuple[str, int], str]]:
    """The source and number of the page of each component, for the rows of a document's components."""
    source = str(rows[0].source)
    if source.lower().endswith(".pdf"):
        numbers = [(json.loads(row.content).get("locator", {}).get("page"), row.id) for row in rows]
        return [((source, int(number)), id_) for number, id_ in numbers if number]
    if all(row.modality == "image" and row.blob for row in rows):
        return [((str(row.blob), 0), row.id) for row in rows]
    return []
