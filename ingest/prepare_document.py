"""Prepare a parsed document for storage: subcomponents and search texts."""

from __future__ import annotations

import hashlib

from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.pictures.description import WRITTEN
from backtrail.ingest.subcomponents import subcomponent_surrogate, subcomponents, surrogate
from backtrail.ingest.summaries import summarize
from backtrail.state.component import Component
from backtrail.tools.corpus.tables.prepared import PreparedComponent, PreparedDocument, PreparedPiece

TEXTS_VERSION = 5
"""Raise it when subcomponents or search texts of the same contents change: every document is then stored again."""


def stored_hash(parsed: ParsedDocument, models: str = "") -> str:
    """Return the hash that shows whether a document is unchanged: contents, text version and models."""
    made_of = [str(TEXTS_VERSION), parsed.content_hash, *([models] if models else [])]
    return hashlib.sha256("\0".join(made_of).encode()).hexdigest()


def prepare(parsed: ParsedDocument, root: str, models: str = "") -> PreparedDocument:
    """Add summary, subcomponents and search texts to a parsed document from ``root``."""
    document = parsed.document
    if not document.summary:
        document = document.model_copy(update={"summary": summarize(document, parsed.components)})
    return PreparedDocument(
        document=document,
        search_text=document.summary.replace(f"{WRITTEN} ", ""),
        root=root,
        content_hash=stored_hash(parsed, models),
        components=[_component(document.title, component) for component in parsed.components],
        fragments=parsed.fragments,
        blobs=parsed.blobs,
    )


def _component(title: str, component: Component) -> PreparedComponent:
    pieces = [PreparedPiece(piece, subcomponent_surrogate(title, piece)) for piece in subcomponents(component)]
    return PreparedComponent(component, surrogate(title, component), pieces)
