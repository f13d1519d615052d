"""Embedder whose copies run in Ray actors, on one machine or many.

An ingest sends batches as to a server: several concurrently, each stored in the vector cache as soon as it is done and
never embedded again. Ray restarts a lost copy and repeats only its unfinished batches (at most two).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from backtrail.tools.embedders.errors import EmbedderWeightsMismatch
from backtrail.tools.embedders.protocol import Embedder, Vectors
from backtrail.tools.workers.actors import Actors
from backtrail.tools.workers.cluster import LOCAL
from backtrail.tools.workers.resources import Resources, gpus_of_local_model

_TEXTS = 512
"""Texts of one call; two calls at most are repeated after a lost copy (ours)."""
_IN_HAND = 2
"""Calls under way at each copy: one runs and one waits, so that no copy is idle (ours)."""
_WITHOUT_GPU = ("offline", "minilm", "openai")


@contextmanager
def embedding_on(engine: str, name: str, own: Embedder) -> Iterator[Embedder]:
    """Open the embedder on an engine for the block: itself for "local", else copies in Ray.

    Raises:
        SettingsError, DependencyMissing: see ``RayEmbedder``.
    """
    if engine == LOCAL:
        yield own
        return
    copies = RayEmbedder(name, own, engine)
    try:
        yield copies
    finally:
        copies.close()


class RayEmbedder:
    """Implements ``Embedder`` and ``RemoteEmbedder`` by copies of another embedder in actors of Ray.

    Copies are started at the first text. Only for bulk work; searches embed queries with the embedder itself.
    """

    texts_a_request = _TEXTS

    def __init__(self, name: str, own: Embedder, engine: str, *, copies: int | None = None) -> None:
        """Choose copies of an embedder.

        Args:
            name: its name for ``open_embedder``, on every node.
            own: the same embedder, opened here; copies have to give the same vectors.
            engine: one of ``cluster.ENGINES`` except the first.
            copies: number of copies; None means ``$BACKTRAIL_RAY_WORKERS``, else one per node, or per requested GPU.

        Raises:
            SettingsError: the engine or the number of copies is invalid.
            DependencyMissing: ray is not installed.
        """
        self.fingerprint, self.dimension = own.fingerprint, own.dimension
        self._name = name
        gpus = 0.0 if name.partition(":")[0] in _WITHOUT_GPU else gpus_of_local_model()
        self.actors = Actors(
            engine, EmbedderCopy, [name], what=f"embedder {name!r}", resources=Resources(gpus=gpus), copies=copies
        )
        self._same = False

    @property
    def requests_at_once(self) -> int:
        """Two per copy. Starts the copies."""
        self._check()
        return _IN_HAND * len(self.actors)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors [n, dimension] from the copy with the fewest calls under way.

        Raises:
            EngineUnavailable: copies are lost repeatedly.
            EmbedderError: what the copy raises.
        """
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        self._check()
        return np.asarray(self.actors.call("embed", list(texts)), np.float32)

    def close(self) -> None:
        """Stop the copies."""
        self.actors.close()
        self._same = False

    def _check(self) -> None:
        """Refuse copies that would give other vectors."""
        if self._same:
            return
        for place, fingerprint in self.actors.each("fingerprint"):
            if fingerprint != self.fingerprint:
                raise EmbedderWeightsMismatch(
                    f"Embedder {self._name!r} is {fingerprint!r} on {place.host} and {self.fingerprint!r} here. "
                    "Give all of them the same weights."
                )
        self._same = True


class EmbedderCopy:
    """An embedder in a Ray process."""

    def __init__(self, name: str) -> None:
        from backtrail.tools.embedders.open import open_embedder
        from backtrail.tools.home import cache_folder

        self._embedder = open_embedder(name, cache_folder=Path(cache_folder()))

    def fingerprint(self) -> str:
        """The embedder's fingerprint."""
        return self._embedder.fingerprint

    def embed(self, texts: list[str]) -> Vectors:
        """Return the vectors of texts."""
        return self._embedder.embed(texts)
