"""What a writer stores for one document: its contents and the texts it is searched by."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from backtrail.state.component import Component, Document, Subcomponent


@dataclass(frozen=True)
class PreparedPiece:
    """A subcomponent with the text that is embedded and indexed for it."""

    subcomponent: Subcomponent
    search_text: str


@dataclass(frozen=True)
class PreparedComponent:
    """A component with its surrogate text and its pieces in order. Links are as written."""

    component: Component
    search_text: str
    pieces: list[PreparedPiece]


@dataclass(frozen=True)
class PreparedDocument:
    """A document ready to be stored.

    ``root`` names the folder or file it was ingested from; ``content_hash`` decides whether a later
    ingest has anything to do; ``fragments`` maps element ids of the source to component ids.
    """

    document: Document
    search_text: str
    root: str
    content_hash: str
    components: list[PreparedComponent]
    fragments: dict[str, str] = field(default_factory=dict)
    blobs: dict[str, Path | bytes] = field(default_factory=dict)
