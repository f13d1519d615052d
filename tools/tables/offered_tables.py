"""Read tables of a corpus whole: with the pieces, pages and documents that they continue in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache

from backtrail.state.component import Component
from backtrail.tools.corpus.file_documents import file_documents
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.tables.typed_table import Place, TypedTable, typed_tables

MOST_TABLES = 6
"""Tables that one computation reads (ours)."""


def offered_tables(corpus: CorpusReader, ids: Sequence[str]) -> list[TypedTable]:
    """Return the tables of components, whole, in the order named: t1, t2, … Blocking.

    Args:
        ids: components; several of one table give it once, and what is no table is left out.
    """
    named = {key: component for key, component in corpus.components(ids).items() if component.table}
    headers = {component.table.header for component in named.values() if component.table}
    places: dict[str, Place] = {}

    @cache
    def alike(document: str) -> list[Component]:
        children = corpus.children([document]).get(document, [])
        return [one for one in corpus.components(children).values() if one.table and one.table.header in headers]

    read: dict[str, list[Component]] = {}
    for document in dict.fromkeys(component.document for component in named.values()):
        file = file_documents(corpus, document)
        places |= {part: (file[0], number) for number, part in enumerate(file)}
        read |= {part: tables for part, tables in _around(file, document, alike) if part not in read}
    wanted = [one for document in sorted(read, key=lambda part: places[part]) for one in read[document]]
    titles = {key: document.title for key, document in corpus.documents(read).items()}
    whole = [table for table in typed_tables(wanted, titles, places) if not named.keys().isdisjoint(table.components)]
    whole.sort(key=lambda table: _first(ids, table.components))
    return [replace(table, name=f"t{number}") for number, table in enumerate(whole[:MOST_TABLES], start=1)]


def _around(
    file: Sequence[str], document: str, alike: Callable[[str], list[Component]]
) -> Iterator[tuple[str, list[Component]]]:
    """A document and those beside it in its file, as far as each has a table of the same header."""
    start = file.index(document)
    yield document, alike(document)
    for beside in (file[start + 1 :], file[:start][::-1]):
        for part in beside:
            if not (tables := alike(part)):
                break
            yield part, tables


def _first(ids: Sequence[str], components: Collection[str]) -> int:
    return min(place for place, id_ in enumerate(ids) if id_ in components)
