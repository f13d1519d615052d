"""Count links between documents, from the tables alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from backtrail.tools.corpus import contents
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.tables import schema

PAIRS = 20_000
"""Pairs of documents that the graph of a corpus is chosen from (ours: more cannot be drawn)."""


@dataclass(frozen=True)
class Linked:
    """Titles of documents by id, and the number of links from one to another."""

    titles: Mapping[str, str]
    links: Mapping[tuple[str, str], int]


def most_linked(name: str, most: int) -> Linked:
    """The documents with the most links among them, and these links.

    Raises:
        CorpusNotFound: no such corpus.
    """
    with read_only(name) as connection:
        links = _pairs(connection, PAIRS)
        degrees: Counter[str] = Counter()
        for source, target in links:
            degrees.update((source, target))
        chosen = [id_ for id_, _ in sorted(degrees.items(), key=lambda entry: (-entry[1], entry[0]))[:most]]
        return _among(connection, chosen, links)


def around(name: str, document: str, most: int) -> Linked:
    """A document with the documents linked to and from it, those with most links first.

    Raises:
        CorpusNotFound: no such corpus.
    """
    with read_only(name) as connection:
        outgoing = _pairs(connection, most, schema.documents.c.id == document)
        incoming = _pairs(connection, most, schema.links.c.target == document)
        links = {**outgoing, **incoming}
        pairs = sorted(links, key=lambda pair: (-links[pair], pair))
        chosen = list(dict.fromkeys([document, *(id_ for pair in pairs for id_ in pair)]))[: most + 1]
        return _among(connection, chosen, links)


def _pairs(connection: Connection, most: int, *wanted: object) -> dict[tuple[str, str], int]:
    """The pairs of documents with the most links from one to the other, with their number."""
    link, component, document = schema.links, schema.components, schema.documents
    number = func.count().label("number")
    statement = (
        select(document.c.id, link.c.target, number)
        .join_from(link, component, link.c.component_key == component.c.key)
        .join(document, component.c.document_key == document.c.key)
        .where(link.c.kind == "internal", link.c.target != document.c.id, *wanted)  # type: ignore[arg-type]
        .group_by(document.c.id, link.c.target)
        .order_by(number.desc(), document.c.id, link.c.target)
        .limit(most)
    )
    return {(row.id, row.target): row.number for row in connection.execute(statement)}


def _among(connection: Connection, chosen: Sequence[str], links: Mapping[tuple[str, str], int]) -> Linked:
    found = contents.documents(connection, chosen)
    titles = {id_: document.title for id_, document in found.items()}
    return Linked(titles, {pair: count for pair, count in links.items() if pair[0] in titles and pair[1] in titles})
