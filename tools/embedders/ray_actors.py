"""An embedder whose copies run in actors of Ray, on one machine or many.

The batches are those of an ingest that asks a server: so many are under way at once, each is kept in the vector cache
as soon as it comes, and what was kept is never embedded again. A copy that is lost is started anew by Ray, which
repeats the batches it had in hand (at most two) and no others.
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
"""Of one call: what a lost copy has to embed again, at most twice (ours)."""
_IN_HAND = 2
"""Calls under way at each copy: one is embedded, one waits, so that no copy waits for us (ours)."""
_WITHOUT_GPU = ("offline", "minilm", "openai")


@contextmanager
def embedding_on(engine: str, name: str, own: Embedder) -> Iterator[Embedder]:
    """The embedder on an engine for as long as the block lasts: itself for "local", else copies of it in Ray.

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

    Nothing is started before the first text. Queries are no bulk work: whoever searches opens the embedder itself.
    """

    texts_a_request = _TEXTS

    def __init__(self, name: str, own: Embedder, engine: str, *, copies: int | None = None) -> None:
        """Choose copies of an embedder.

        Args:
            name: what ``open_embedder`` knows it by, on every node.
            own: the same, opened here: what it gives is what copies have to give.
            engine: one of ``cluster.ENGINES`` but the first.
            copies: how many; None takes ``$BACKTRAIL_RAY_WORKERS``, else one for each node, or for each GPU that is
                asked for.

        Raises:
            SettingsError: no such engine, or no such number.
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
        """Two for each copy, which are started now."""
        self._check()
        return _IN_HAND * len(self.actors)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors [n, dimension] by the copy that has least in hand.

        Raises:
            EngineUnavailable: copies are lost again and again.
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
    """An embedder in a process of Ray."""

    def __init__(self, name: str) -> None:
        from backtrail.tools.embedders.open import open_embedder
        from backtrail.tools.home import cache_folder

        self._embedder = open_embedder(name, cache_folder=Path(cache_folder()))

    def fingerprint(self) -> str:
        """The embedder's."""
        return self._embedder.fingerprint

    def embed(self, texts: list[str]) -> Vectors:
        """As the embedder does."""
        return self._embedder.embed(texts)
