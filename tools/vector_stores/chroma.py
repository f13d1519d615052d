"""Nearest neighbours in Chroma: one collection per layer, our own vectors, in a folder or on a server.

``$BACKTRAIL_CHROMA_URL`` names a server; the folder then has the manifest, and the server the vectors.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from backtrail.tools.arrays.vector_rows import Rows, Vectors
from backtrail.tools.vector_stores.errors import StoreDamaged, VectorServerUnavailable
from backtrail.tools.vector_stores.folder_store import Built, FolderStore
from backtrail.tools.vector_stores.protocol import Advance, VectorLayer

HNSW = {"space": "cosine", "ef_search": 800, "ef_construction": 200}
"""Measured: docs/scaling.md."""
_BATCH = 5_000  # Chroma accepts at most 5,461 rows per call
_DATABASE = "chroma.sqlite3"
_REWRITTEN = "length.bin"  # rewritten on opening, like the database
# reentrant: while one client is opened, garbage collection may close another in the same thread
_opening = threading.RLock()


class ChromaStore(FolderStore):
    """Chroma collections of layers."""

    kind = "chroma"
    most_neighbours = 1_000
    checked = True

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(folder, name)
        self._finalize: Callable[[], object] = lambda: None

    def count(self) -> dict[str, int]:
        """Number of built vectors by layer."""
        return {name: collection.count() for name, collection in self._collections.items()}

    def close(self) -> None:
        """Close the client."""
        self._finalize()

    def _write(self, folder: Path, layers: Mapping[str, VectorLayer], advance: Advance) -> None:
        client = _open_client(folder)
        try:
            for name, layer in layers.items():
                # synced to disk once, with the last vector; otherwise the rest is written at the next opening
                whole = {"sync_threshold": max(2, len(layer)), "batch_size": max(2, min(100, len(layer)))}
                collection = client.create_collection(
                    self._collection(name), embedding_function=None, configuration={"hnsw": HNSW | whole}
                )
                # shuffled: adjacent rows are similar, and in their order the graph has less recall
                order = np.random.default_rng(0).permutation(len(layer))
                for start in range(0, len(layer), _BATCH):
                    rows = order[start : start + _BATCH]
                    collection.add(ids=[str(row) for row in rows.tolist()], embeddings=layer.vectors[rows])
                    advance(len(rows))
        finally:
            _close_client(client)

    def _open(self, built: Built) -> None:
        if chroma_url() is None:
            _check_database(self.folder / _DATABASE)
        try:
            client = _open_client(self.folder)
            self._finalize = weakref.finalize(self, _close_client, client)
            self._collections: dict[str, Any] = {
                name: client.get_collection(self._collection(name), embedding_function=None) for name in built.layers
            }
        except VectorServerUnavailable:
            raise
        except Exception as error:  # Chroma raises a dozen unrelated types
            raise StoreDamaged(
                f"the vector index in {chroma_url() or self.folder} cannot be opened: {error}"
            ) from error

    def _nearest(self, layer: str, query: Vectors, count: int) -> Rows:
        found = self._collections[layer].query(query_embeddings=query[None], n_results=count, include=[])
        return np.array([int(place) for place in found["ids"][0]], np.int64)

    def _kept(self, folder: Path) -> list[Path]:
        return [file for file in super()._kept(folder) if file.name != _DATABASE]

    def _signature(self, file: Path) -> tuple[int, int]:
        return (file.stat().st_size, 0) if file.name == _REWRITTEN else super()._signature(file)

    def _collection(self, layer: str) -> str:
        # on a server, collections of all corpora share one namespace
        return f"{_prefix(self.name)}{layer}" if chroma_url() else layer


def chroma_url() -> str | None:
    """``$BACKTRAIL_CHROMA_URL``; None means a folder beside the arrays."""
    return os.environ.get("BACKTRAIL_CHROMA_URL") or None


def remove_collections(names: Collection[str]) -> None:
    """Remove collections of stores from the server, if one is configured."""
    if chroma_url() is None or not names:
        return
    client = _open_client(Path())
    try:
        gone = tuple(map(_prefix, names))
        for collection in client.list_collections():
            if collection.name.startswith(gone):
                client.delete_collection(collection.name)
    finally:
        _close_client(client)


def _prefix(name: str) -> str:
    return f"backtrail-{name}-"


def _open_client(folder: Path) -> Any:
    """Open a client of a folder or of the configured server. VectorServerUnavailable if that does not answer."""
    import chromadb  # slow to import: only when vectors are indexed or searched
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    url = chroma_url()
    with _opening:
        if url is None:
            return chromadb.PersistentClient(str(folder), settings=settings)
        address = urlsplit(url)
        secure = address.scheme == "https"
        port = address.port or (443 if secure else 80)
        try:
            return chromadb.HttpClient(address.hostname or "localhost", port, secure, settings=settings)
        except ValueError as error:
            raise VectorServerUnavailable(url, str(error)) from error


def _close_client(client: Any) -> None:
    """Close a client, and the connections of an HTTP client that Chroma 1.5 leaves open."""
    servers = [client._server, client._admin_client._server]
    with _opening:
        client.close()
    for server in servers:
        if hasattr(server, "_session"):
            server._session.close()


def _check_database(file: Path) -> None:
    """Raise StoreDamaged for a damaged database: opening it with Chroma may end the process."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        raise StoreDamaged(f"{file} is damaged ({found})")
