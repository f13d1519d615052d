"""Find the documents that one file was divided into, and what follows or precedes a component in them."""

from __future__ import annotations

from backtrail.state.component import Component
from backtrail.tools.corpus.protocol import CorpusReader


def file_documents(corpus: CorpusReader, document: str) -> list[str]:
    """Return the documents of a document's file in reading order: the file's own, then its sections.

    A file that was not divided is its only document. Of a file divided at several levels the document's own level is
    returned.
    """
    links = corpus.hierarchy([document]).get(document, [])
    above = [link.target for link in links if link.kind == "parent" and document.startswith(f"{link.target}/")]
    top = above[0] if above else document
    below = corpus.hierarchy([top]).get(top, [])
    found = [top, *(link.target for link in below if link.kind == "child" and link.target.startswith(f"{top}/"))]
    return found if document in found else [document]


def with_sections(document: str, corpus: CorpusReader) -> list[str]:
    """The ids of a document and of the documents that its sections became."""
    found = [document]
    for above in found:  # grows
        links = corpus.hierarchy([above]).get(above, [])
        found += [link.target for link in links if link.kind == "child" and link.target.startswith(f"{above}/")]
    return found


def components_after(corpus: CorpusReader, component: Component) -> list[str]:
    """Return the ids of what follows a component in its document and the sections below it, in reading order."""
    children = corpus.children(with_sections(component.document, corpus))
    in_order = [child for members in children.values() for child in members]
    return in_order[in_order.index(component.id) + 1 :]


def components_before(corpus: CorpusReader, component: Component) -> list[str]:
    """Return the ids of what precedes a component in its file, the nearest first."""
    children = corpus.children(file_documents(corpus, component.document))
    in_order = [child for members in children.values() for child in members]
    return in_order[: in_order.index(component.id)][::-1]
