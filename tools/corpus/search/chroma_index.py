"""Approximate nearest neighbours in Chroma: one collection per layer, our own vectors.

By default each generation has a Chroma folder of its own, written only while the generation is
being built: an index that a killed process may have damaged is never opened. With
``$BACKTRAIL_CHROMA_URL`` the collections live on a server, one set per generation.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from backtrail.tools.corpus.generation import Generation, Layer, Mask, Rows
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.writing.progress import Progress

CHROMA = "chroma"
"""The folder of a generation that holds its collections."""
_BATCH = 5_000  # Chroma takes at most 5,461 rows a call
_HNSW = {"hnsw": {"space": "cosine", "ef_search": 400, "ef_construction": 200}}
_REBUILD_SHARE = 0.3  # beyond this share of changed rows a new graph is better than a patched one
_CLEAN = "CLEAN"  # written last: a folder without it was never closed properly
_log = logging.getLogger(__name__)


def chroma_url() -> str | None:
    """``$BACKTRAIL_CHROMA_URL``; None means a folder beside the arrays."""
    return os.environ.get("BACKTRAIL_CHROMA_URL") or None


def open_client(folder: Path) -> Any:
    """A client on a Chroma folder, or on the server where one is configured."""
    import chromadb  # slow to import: only when vectors are indexed or searched
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    url = chroma_url()
    if url is None:
        return chromadb.PersistentClient(str(folder), settings=settings)
    address = urlsplit(url)
    secure = address.scheme == "https"
    return chromadb.HttpClient(
        host=address.hostname or "localhost",
        port=address.port or (443 if secure else 80),
        ssl=secure,
        settings=settings,
    )


def close_client(client: Any) -> None:
    """Close a client. Chroma 1.5 leaves the connections open that an HTTP client, and its inner one, hold alone."""
    servers = [client._server, client._admin_client._server]
    client.close()
    for server in servers:
        if hasattr(server, "_session"):
            server._session.close()


def collection_name(uid: str, number: int, layer: str) -> str:
    """Name of a layer's collection."""
    # On a server, collections of all corpora and generations share one list of names.
    return f"backtrail-{uid}-g{number}-{layer}" if chroma_url() else layer


class ChromaIndex:
    """The collections of one generation, opened for searching. Safe to share between threads."""

    most_neighbours = 200  # beyond, recall falls off at the ef_search of 400
    narrows = False

    def __init__(self, folder: Path, layers: Mapping[str, Layer], number: int, uid: str) -> None:
        """Open the collections of some layers, by name, in the folder of their generation.

        Raises:
            ValueError: the index is absent, damaged or does not hold the rows of the layers.
        """
        self._layers = layers
        if chroma_url() is None and not is_sound(folder / CHROMA):
            raise ValueError(f"{folder / CHROMA} is missing or damaged")
        try:
            self._client = open_client(folder / CHROMA)
        except Exception as error:  # Chroma raises a dozen unrelated types
            where = chroma_url() or folder / CHROMA
            raise ValueError(f"the vector index in {where} cannot be opened: {error}") from error
        try:
            self._collections: dict[str, Any] = {
                name: open_collection(self._client, collection_name(uid, number, name), len(layer))
                for name, layer in layers.items()
            }
        except ValueError:
            close_client(self._client)
            raise

    def nearest(self, layer: str, query: Vectors, count: int, among: Mask | None = None) -> Rows:
        """Rows of about the ``count`` nearest vectors of a layer to one [dimension]; ValueError among some alone."""
        if among is not None:
            raise ValueError("Chroma's graph finds no neighbours among some rows alone")
        found = self._collections[layer].query(
            query_embeddings=np.asarray(query, np.float32)[None], n_results=count, include=[]
        )
        held = self._layers[layer]
        rows = held.ids.find(found["ids"][0])
        return np.array([rows[id_] for id_ in found["ids"][0]], np.int64)

    def counts(self) -> dict[str, int]:
        """Vectors held, by layer."""
        return {name: held.count() for name, held in self._collections.items()}

    def close(self) -> None:
        """Let go of the client."""
        close_client(self._client)


def open_collection(client: Any, name: str, rows: int) -> Any:
    """A collection that holds so many vectors; ValueError when there is none."""
    try:
        collection = client.get_collection(name, embedding_function=None)
        held = collection.count()
    except Exception as error:
        raise ValueError(f"collection {name!r} cannot be opened: {error}") from error
    if held != rows:
        raise ValueError(f"collection {name!r} holds {held} vectors, {rows} expected")
    return collection


def build_chroma(generation: Generation, previous: Generation | None, uid: str, progress: Progress) -> None:
    """Index a generation's vectors: a patched copy of the previous index where little changed, else anew."""
    folder = generation.folder / CHROMA
    old = previous.folder / CHROMA if previous else None
    earlier = previous.by_name if previous else None
    build_collections(
        folder, generation.by_name, old, earlier, lambda name: collection_name(uid, generation.number, name), progress
    )


def build_collections(
    folder: Path,
    layers: Mapping[str, Layer],
    old: Path | None,
    earlier: Mapping[str, Layer] | None,
    full_name: Callable[[str], str],
    progress: Progress,
) -> None:
    """Make a collection for each layer: in a patched copy of the ``old`` folder where little changed, else anew.

    Args:
        folder: where the Chroma folder is to lie.
        layers: by name.
        old: the Chroma folder of the previous generation, if there is one.
        earlier: the layers that are in it.
        full_name: from the name of a layer to that of its collection.
    """
    patch = old is not None and earlier is not None and chroma_url() is None and (old / _CLEAN).exists()
    if patch and old is not None and earlier is not None and _changed_share(earlier, layers) < _REBUILD_SHARE:
        shutil.copytree(old, folder, ignore=shutil.ignore_patterns(_CLEAN))
    else:
        earlier = None
    client = open_client(folder)
    try:
        for name, layer in layers.items():
            collection = client.get_or_create_collection(full_name(name), embedding_function=None, configuration=_HNSW)
            _fill(collection, layer, earlier[name] if earlier else None, progress)
    finally:
        close_client(client)
    if chroma_url() is None:
        (folder / _CLEAN).touch()


def _changed_share(earlier: Mapping[str, Layer], layers: Mapping[str, Layer]) -> float:
    old, new = (sum(len(layer) for layer in held.values()) for held in (earlier, layers))
    kept = sum(
        len(np.intersect1d(earlier[name].keys, layer.keys, assume_unique=True)) for name, layer in layers.items()
    )
    return (old + new - 2 * kept) / max(new, 1)


def _fill(collection: Any, layer: Layer, previous: Layer | None, progress: Progress) -> None:
    """Make a collection hold exactly the rows of a layer. A key stands for one content for ever."""
    rows = np.arange(len(layer))
    if previous is not None:
        rows = np.flatnonzero(~np.isin(layer.keys, previous.keys))
        gone = previous.ids.take(np.flatnonzero(~np.isin(previous.keys, layer.keys)))
        again = layer.ids.find(gone)
        gone = [id_ for id_ in gone if id_ not in again]
        for start in range(0, len(gone), _BATCH):
            collection.delete(ids=gone[start : start + _BATCH])
        progress.advance(len(layer) - len(rows))
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        collection.upsert(ids=layer.ids.take(batch), embeddings=layer.vectors[batch])
        progress.advance(len(batch))


def drop_indexes(uid: str, keep: set[int]) -> None:
    """Remove the collections of all other generations from a server; folders go with their generations."""
    if chroma_url() is None:
        return
    client = open_client(Path())
    kept = tuple(collection_name(uid, number, "") for number in keep)
    for collection in client.list_collections():
        if collection.name.startswith(f"backtrail-{uid}-g") and not collection.name.startswith(kept):
            client.delete_collection(collection.name)
    close_client(client)


def is_sound(folder: Path) -> bool:
    """Whether a Chroma folder can be opened without harm: one that was closed properly can."""
    if (folder / _CLEAN).exists():
        return True
    if damaged([folder]):
        return False
    (folder / _CLEAN).touch()
    return True


def damaged(folders: Collection[Path]) -> set[Path]:
    """Those of some Chroma folders that are missing or cannot be opened.

    They are opened in another process, for a damaged graph ends the process that opens it: all in one, and only
    if that fails each in its own.
    """
    there = [folder for folder in folders if folder.is_dir()]
    bad = set(folders) - set(there)
    if not there or open_elsewhere(there) == 0:
        return bad
    for folder in there:
        if status := open_elsewhere([folder]):
            _log.warning("the vector index in %s is damaged (exit status %s)", folder, status)
            bad.add(folder)
    return bad


def open_elsewhere(folders: Collection[Path]) -> int:
    """Exit status of a process that opens Chroma folders: 0 when all of them can be searched."""
    code = "import sys; from backtrail.tools.corpus.search.chroma_index import probe; probe(*sys.argv[1:])"
    command = [sys.executable, "-c", code, *map(str, folders)]
    return subprocess.run(command, capture_output=True, timeout=600, check=False).returncode


def probe(*folders: str) -> None:
    """Open every collection of some folders and search it once; a damaged one crashes here."""
    for folder in folders:
        client = open_client(Path(folder))
        for collection in client.list_collections():
            if collection.count():
                found = collection.get(limit=1, include=["embeddings"])["embeddings"]
                collection.query(query_embeddings=np.asarray(found, np.float32), n_results=1, include=[])
        client.close()
