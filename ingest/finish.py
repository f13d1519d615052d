"""The last step of every parser: the summary and the content hash of what it read."""

from __future__ import annotations

import hashlib
from pathlib import Path

from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.summaries import summarize
from backtrail.state.component import Component, Document

PARSER_VERSION = 22
"""Raise it to have every document stored anew. That a parser reads a file differently is seen without it: other parsers
parse everything again (``unchanged/parsers.py``), and the hash says which documents differ."""


def finish(
    document: Document,
    components: list[Component],
    *,
    fragments: dict[str, str] | None = None,
    blobs: dict[str, Path | bytes] | None = None,
    skipped: list[SkippedPart] | None = None,
    description: str = "",
) -> ParsedDocument:
    """Give a document its summary, if it has none, and the hash of all that was read."""
    if not document.summary:
        document = document.model_copy(update={"summary": summarize(document, components, description)})
    fragments = fragments or {}
    return ParsedDocument(
        document=document,
        components=components,
        content_hash=content_hash(document, components, fragments),
        fragments=fragments,
        blobs=blobs or {},
        skipped=skipped or [],
    )


def content_hash(document: Document, components: list[Component], fragments: dict[str, str]) -> str:
    """sha256 over the parser version, the document, its components (pictures by their sha256) and its fragments.

    Where the file lies is left out: moving a folder changes nothing.
    """
    digest = hashlib.sha256(f"parser {PARSER_VERSION}\n".encode())
    digest.update(document.model_dump_json(exclude={"source"}).encode())
    for component in components:
        digest.update(b"\n" + component.model_dump_json().encode())
    for name, component_id in sorted(fragments.items()):
        digest.update(f"\n{name!r}={component_id!r}".encode())
    return digest.hexdigest()
