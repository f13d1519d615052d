"""Errors of document loaders."""

from __future__ import annotations

from backtrail.ingest.errors import IngestError


class LoaderUnusable(IngestError):
    """A document loader cannot be opened: the message names the loader and the reason."""

    def __init__(self, loader: str, problem: str) -> None:
        super().__init__(f"The document loader {loader!r} cannot be used: {problem}.")


class LoaderFailed(IngestError):
    """A document loader raised while loading. The corpus keeps its earlier documents."""

    def __init__(self, loader: str, loaded: int, cause: Exception) -> None:
        super().__init__(
            f"The document loader {loader!r} failed after {loaded} documents: {type(cause).__name__}: {cause}. "
            "Nothing of this load was stored; run it again."
        )
