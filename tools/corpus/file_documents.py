"""Find the documents that one file was divided into."""

from __future__ import annotations

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
