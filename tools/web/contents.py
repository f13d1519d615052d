"""Contents of a run's evidence, from the web or the corpus."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from backtrail.state.component import Component, Document
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.web.shelf import Shelf, is_web


class ContentsReader(Protocol):
    """The part of ``CorpusReader`` that reads and shows evidence. Blocking."""

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Components with contents, by id; unknown ids are left out."""
        ...

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Documents by id; unknown ids are left out."""
        ...

    def picture(self, blob: str) -> bytes:
        """Return the file of an image component by its sha256; KeyError if it is not stored."""
        ...


class Contents:
    """Reads ``web:`` ids from the shelf and others from the corpus, which is opened only if needed."""

    def __init__(self, shelf: Shelf, pictures: BlobStore, open_corpus: Callable[[], CorpusReader]) -> None:
        self._shelf = shelf
        self._pictures = pictures
        self._open_corpus = open_corpus

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Components by id, in the order of ``ids``; unknown ids are left out."""
        found = self._shelf.components([id_ for id_ in ids if is_web(id_)])
        if stored := [id_ for id_ in ids if not is_web(id_)]:
            found.update(self._open_corpus().components(stored))
        return {id_: found[id_] for id_ in ids if id_ in found}

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Documents by id, in the order of ``ids``; unknown ids are left out."""
        found = self._shelf.documents([id_ for id_ in ids if is_web(id_)])
        if stored := [id_ for id_ in ids if not is_web(id_)]:
            found.update(self._open_corpus().documents(stored))
        return {id_: found[id_] for id_ in ids if id_ in found}

    def picture(self, blob: str) -> bytes:
        """Return a picture of the web or the corpus; KeyError if neither has it."""
        try:
            return self._pictures.read(blob)
        except KeyError:
            return self._open_corpus().picture(blob)
