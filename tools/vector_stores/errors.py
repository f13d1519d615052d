"""Errors of vector stores."""

from __future__ import annotations

from backtrail.state.errors import BacktrailError


class StoreDamaged(BacktrailError):
    """Files of a store are missing, damaged or changed. The store is rebuilt, not opened."""


class VectorServerUnavailable(BacktrailError):
    """The Chroma server does not answer."""

    def __init__(self, url: str, problem: str) -> None:
        super().__init__(
            f"The Chroma server {url} does not answer ({problem}). Start it, or unset BACKTRAIL_CHROMA_URL to "
            "index the vectors here."
        )
