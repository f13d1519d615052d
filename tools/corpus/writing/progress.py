"""How long work tells where it stands. The command line draws it; tests stop at chosen points."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives the stages of an ingest in order: read, link, embed, vectors, words, publish, index, done.

    Where a pixel encoder is configured, "pictures" comes after "embed". "ocr" comes within "read", which then begins
    again where it was.
    """

    def stage(self, name: str, total: int | None = None) -> None:
        """A stage begins; ``total`` is its number of items where that is known."""
        ...

    def advance(self, count: int = 1) -> None:
        """So many further items of the current stage are done."""
        ...


class Silent:
    """Tells nobody."""

    def stage(self, name: str, total: int | None = None) -> None:
        """Ignored."""

    def advance(self, count: int = 1) -> None:
        """Ignored."""
