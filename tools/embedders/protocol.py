"""Protocols of embedders."""

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

        Vectors of embedders with different fingerprints must not be mixed in one index.
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
    """Additional method of an ``Embedder`` that embeds queries differently from documents."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension] of queries, comparable with the documents' vectors of ``embed``."""
        ...


class RemoteEmbedder(Protocol):
    """Additional properties of an ``Embedder`` that waits for a server, so that calls run concurrently."""

    @property
    def texts_a_request(self) -> int:
        """Texts of one call of ``embed``, so that it is one request."""
        ...

    @property
    def requests_at_once(self) -> int:
        """Number of concurrent calls of ``embed``."""
        ...


def as_remote(embedder: Embedder) -> RemoteEmbedder | None:
    """Return the embedder if it is remote. Does not evaluate its properties, as that starts copies."""
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


class PageEmbedder(Protocol):
    """Pictures of pages and questions to several vectors each, of one shared space. Safe to share between threads."""

    @property
    def fingerprint(self) -> str:
        """As for ``Embedder``."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    def embed_page(self, path: Path) -> Vectors:
        """Vectors [n, dimension] of a picture file, rows L2-normalised; n >= 1 may differ between pages."""
        ...

    def embed_question(self, text: str) -> Vectors:
        """Vectors [m, dimension] of a question, rows L2-normalised, m >= 1."""
        ...
