"""A document ready to be stored: its contents and search texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from backtrail.state.component import Component, Document, Subcomponent


@dataclass(frozen=True)
class PreparedPiece:
    """A subcomponent with its search text, which is embedded and indexed."""

    subcomponent: Subcomponent
    search_text: str


@dataclass(frozen=True)
class PreparedComponent:
    """A component with its search text and its subcomponents in order. Links are as written."""

    component: Component
    search_text: str
    pieces: list[PreparedPiece]


@dataclass(frozen=True)
class PreparedDocument:
    """A document ready to be stored.

    ``root`` names the folder or file it was ingested from; by ``content_hash`` a later ingest detects
    changes; ``fragments`` maps element ids of the source to component ids.
    """

    document: Document
    search_text: str
    root: str
    content_hash: str
    components: list[PreparedComponent]
    fragments: dict[str, str] = field(default_factory=dict)
    blobs: dict[str, Path | bytes] = field(default_factory=dict)
