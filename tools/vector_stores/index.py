"""What searches ask for neighbours: the newest store of a corpus, opened by the first search.

Where there is none, or too much changed since it was built, one is built in the background, and is taken as soon as it
is complete. Until then the caller scores all vectors.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from pathlib import Path

from backtrail.tools.arrays.vector_rows import Rows, Vectors
from backtrail.tools.vector_stores.errors import StoreDamaged, VectorServerUnavailable
from backtrail.tools.vector_stores.folder_store import read_built
from backtrail.tools.vector_stores.index_folder import IndexFolder
from backtrail.tools.vector_stores.protocol import VectorLayer, VectorStore

_log = logging.getLogger(__name__)


class VectorIndex:
    """The neighbours in some layers, as they were published. Safe to share between threads."""

    def __init__(self, folder: Path, layers: Mapping[str, VectorLayer], corpus: str) -> None:
        """Name the place; nothing is opened.

        Args:
            folder: where the stores are.
            corpus: named in warnings.
        """
        self._held = IndexFolder(folder, layers)
        self._corpus = corpus
        self._lock = threading.Lock()
        self._store: VectorStore | None = None
        self._tried: Path | None = None
        self._stale = True

    def search(self, layer: str, query: Vectors, count: int) -> Rows | None:
        """Rows of a layer, at least its ``count`` nearest to a query [dimension]; None where all have to be scored."""
        if layer not in self._held.layers or (store := self._opened()) is None:
            return None
        try:
            return store.search(layer, query, count)
        except Exception as error:  # noqa: BLE001 - stores raise unrelated types, also where their files were removed
            with self._lock:
                if self._store is store:
                    _log.warning(
                        "The vector index of corpus %r failed, all vectors are scored: %s", self._corpus, error
                    )
                    self._store, self._stale, self._tried = None, True, None  # the next search opens it anew
            return None

    def _opened(self) -> VectorStore | None:
        with self._lock:
            if self._stale:
                newest = self._held.newest()
                if newest != self._tried:
                    self._open(newest)
                if self._stale:
                    self._held.build_in_background(self._corpus)
            return self._store

    def _open(self, newest: Path | None) -> None:
        self._tried = newest
        if newest is None:
            return
        try:
            if read_built(newest).kind != self._held.kind:
                return
            opened = self._held.open(newest)
        except (StoreDamaged, VectorServerUnavailable) as error:
            _log.warning("Corpus %r: %s. It is built anew; until then all vectors are scored.", self._corpus, error)
            return
        self._store, self._stale = opened, self._held.is_stale(newest)
