"""The vector index of a corpus: its newest store, opened by the first search.

Without a store, or after too many changes, one is built in the background and used once it is complete. Until then the
caller scores all vectors.
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
    """Nearest neighbours in published layers. Thread-safe."""

    def __init__(self, folder: Path, layers: Mapping[str, VectorLayer], corpus: str) -> None:
        """Set the folder; nothing is opened.

        Args:
            folder: folder of the stores.
            corpus: name for warnings.
        """
        self._folder = IndexFolder(folder, layers)
        self._corpus = corpus
        self._lock = threading.Lock()
        self._store: VectorStore | None = None
        self._tried: Path | None = None
        self._stale = True

    def search(self, layer: str, query: Vectors, count: int) -> Rows | None:
        """At least the ``count`` nearest rows to a query [dimension]; None where all have to be scored."""
        if layer not in self._folder.layers or (store := self._opened()) is None:
            return None
        try:
            return store.search(layer, query, count)
        except Exception as error:  # noqa: BLE001 - stores raise unrelated types, also if their files were removed
            with self._lock:
                if self._store is store:
                    _log.warning(
                        "The vector index of corpus %r failed, all vectors are scored: %s", self._corpus, error
                    )
                    self._store, self._stale, self._tried = None, True, None  # the next search opens it again
            return None

    def _opened(self) -> VectorStore | None:
        with self._lock:
            if self._stale:
                newest = self._folder.newest()
                if newest != self._tried:
                    self._open(newest)
                if self._stale:
                    self._folder.build_in_background(self._corpus)
            return self._store

    def _open(self, newest: Path | None) -> None:
        self._tried = newest
        if newest is None:
            return
        try:
            if read_built(newest).kind != self._folder.kind:
                return
            opened = self._folder.open(newest)
        except (StoreDamaged, VectorServerUnavailable) as error:
            _log.warning("Corpus %r: %s. It is rebuilt; until then all vectors are scored.", self._corpus, error)
            return
        self._store, self._stale = opened, self._folder.is_stale(newest)
