"""What the rest of Backtrail knows of an embedder."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import getattr_static
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts to vectors. Safe to share between threads."""

    @property
    def fingerprint(self) -> str:
        """Model, weights hash prefix, precision and most tokens, separated by colons.

        Two embedders whose fingerprints differ give vectors that must not meet in one index.
        """
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension], rows L2-normalised, in input order; [0, dimension] for none.

        Empty texts have a vector too; texts beyond the model's most tokens are truncated.
        """
        ...


@runtime_checkable
class QueryEmbedder(Protocol):
    """What an ``Embedder`` has besides if it was trained to read queries otherwise than documents."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension] of queries, comparable with those of ``embed``, which are of documents."""
        ...


class RemoteEmbedder(Protocol):
    """What an ``Embedder`` has besides whose time goes by waiting for a server: it is asked several things at once."""

    @property
    def texts_a_request(self) -> int:
        """What one call of ``embed`` is given, so that it is one request."""
        ...

    @property
    def requests_at_once(self) -> int:
        """How many calls of ``embed`` may run side by side."""
        ...


def as_remote(embedder: Embedder) -> RemoteEmbedder | None:
    """The embedder, if it is a remote one; how much may be asked of it is not looked at, as that starts copies."""
    has = [getattr_static(embedder, name, None) for name in ("texts_a_request", "requests_at_once")]
    return None if None in has else cast(RemoteEmbedder, embedder)


class PixelEmbedder(Protocol):
    """Pictures and texts to vectors of one shared space. Safe to share between threads."""

    @property
    def fingerprint(self) -> str:
        """As for ``Embedder``."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    def embed_images(self, paths: Sequence[Path]) -> Vectors:
        """Vectors [len(paths), dimension] of picture files, rows L2-normalised, in input order."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension] of texts, comparable with those of pictures."""
        ...
