"""Last step of every parser: bounded white space, summary and content hash."""

from __future__ import annotations

import hashlib
import operator
from pathlib import Path
from typing import Any, TypeVar

from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.summaries import summarize
from backtrail.state.component import Component, Document, Record
from backtrail.state.text.whitespace import bound_whitespace

PARSER_VERSION = 22
"""Raise it to store every document again. Changed parsers need no raise: their digest
(``parse_cache/parser_digest.py``) invalidates the parse cache, and the hash shows which documents differ."""

_NAMES = frozenset({"id", "document", "component", "target", "url", "source", "fragment", "blob"})
"""Identifiers, whose white space is kept."""

R = TypeVar("R", bound=Record)


def finish(
    document: Document,
    components: list[Component],
    *,
    fragments: dict[str, str] | None = None,
    blobs: dict[str, Path | bytes] | None = None,
    skipped: list[SkippedPart] | None = None,
    description: str = "",
) -> ParsedDocument:
    """Bound the white space of all texts, add a missing summary, and compute the content hash."""
    document, components = _bounded_record(document), [_bounded_record(component) for component in components]
    if not document.summary:
        summary = bound_whitespace(summarize(document, components, description))
        document = document.model_copy(update={"summary": summary})
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
    """Return the sha256 of parser version, document, components (pictures by sha256) and fragments.

    The file's path is left out, so that moving a folder changes nothing.
    """
    digest = hashlib.sha256(f"parser {PARSER_VERSION}\n".encode())
    digest.update(document.model_dump_json(exclude={"source", "identity"}).encode())
    for component in components:
        digest.update(b"\n" + component.model_dump_json().encode())
    for name, component_id in sorted(fragments.items()):
        digest.update(f"\n{name!r}={component_id!r}".encode())
    return digest.hexdigest()


def _bounded_record(record: R) -> R:
    changed = {name: new for name, value in record if name not in _NAMES and (new := _bounded(value)) is not value}
    return record.model_copy(update=changed) if changed else record


def _bounded(value: Any) -> Any:
    if isinstance(value, str):
        return bound_whitespace(value)
    if isinstance(value, Record):
        return _bounded_record(value)
    if isinstance(value, tuple):
        new = tuple(map(_bounded, value))
        return value if all(map(operator.is_, value, new)) else new
    return value
