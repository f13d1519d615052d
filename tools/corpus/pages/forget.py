"""Remove the page vectors of documents that are no longer stored."""

from __future__ import annotations

from contextlib import suppress

from backtrail.tools.corpus.errors import CorpusLocked
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.pages.page_index import KINDS, PageIndex, pages_folder, read_index, write_index
from backtrail.tools.corpus.pages.page_places import document_hashes
from backtrail.tools.corpus.writing.lock import writer_lock


def forget_absent(corpus: str) -> None:
    """Remove page vectors of documents that the corpus no longer has.

    A process that embeds the corpus's pages meanwhile does so itself when it ends.
    """
    for kind in KINDS:
        folder = pages_folder(corpus, kind)
        if read_index(folder) is not None:
            with suppress(CorpusLocked), writer_lock(corpus, folder):
                if (index := read_index(folder)) is not None:
                    write_index(folder, stored_pages(corpus, index))


def stored_pages(corpus: str, index: PageIndex) -> PageIndex:
    """The part of an index about documents that are stored now."""
    with read_only(corpus) as connection:
        return index.among(document_hashes(connection).keys())
