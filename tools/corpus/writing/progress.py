"""Progress of long work. The command line displays it; tests interrupt at chosen stages."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives the stages of an ingest in order: read, link, embed, vectors, words, publish, index, done.

    With a pixel encoder, "pictures" follows "embed"; with a page model, "pages" follows "done". "ocr" interrupts
    "read", which then continues.
    """

    def stage(self, name: str, total: int | None = None) -> None:
        """A stage begins; ``total`` is its number of items where that is known."""
        ...

    def advance(self, count: int = 1) -> None:
        """``count`` more items of the current stage are done."""
        ...


class Silent:
    """Progress that is not shown."""

    def stage(self, name: str, total: int | None = None) -> None:
        """Ignored."""

    def advance(self, count: int = 1) -> None:
        """Ignored."""
