"""Headings above a component: the title of its file, and the names of the sections it is in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from backtrail.state.component import Component, Document
from backtrail.tools.corpus.protocol import CorpusReader

_JOINT = " > "


class HeadingPath(NamedTuple):
    """Id of the file's own document, and the headings from its title down. Equal beginnings are the same heading."""

    file: str
    names: tuple[str, ...]


def heading_paths(corpus: CorpusReader, components: Iterable[Component]) -> dict[str, HeadingPath]:
    """Return the headings of components by id. Titles of a divided file's sections start with the file's title."""
    components = list(components)
    own = {component.document for component in components}
    known = corpus.documents(own | {above for id_ in own for above in _above(id_)})
    paths = {id_: _path(known[id_], known) for id_ in own if id_ in known}
    return {
        one.id: path._replace(names=(*path.names, *filter(None, one.section.split(_JOINT))))
        for one in components
        if (path := paths.get(one.document))
    }


def _above(id_: str) -> list[str]:
    parts = id_.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _path(document: Document, known: Mapping[str, Document]) -> HeadingPath:
    for above in _above(document.id):
        if above in known and document.title.startswith(f"{known[above].title}: "):
            title = known[above].title
            return HeadingPath(above, (title, *document.title[len(title) + 2 :].split(_JOINT)))
    return HeadingPath(document.id, (document.title,))
