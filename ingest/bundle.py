"""Corpus bundles: a folder with ``documents.jsonl`` and ``components.jsonl`` (plain or .gz) and pictures.

documents.jsonl    {id, title, url, …}
components.jsonl   {id, document, position, modality, section, links: [{target, anchor, row?, column?, component?}]}
                   and one of text: str · table: {caption, header, rows} · image: {file, caption, title, alt?}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from backtrail.ingest.bundle_line import BadField, BundleComponent, read_component, read_document
from backtrail.ingest.discover import bundle_file
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.finish import finish
from backtrail.ingest.images import UnusablePicture, check_picture
from backtrail.ingest.jsonl import BadLine, read_lines
from backtrail.ingest.local_pictures import local_picture, shorten
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.state.component import Document


def parse_bundle(folder: Path) -> Iterator[ParsedDocument | BadLine]:
    """Read a bundle: first every line that cannot be used, then the documents in the order of their file.

    Components may come in any order, so all are held in memory. Ids are kept; positions are counted anew from 0 in
    the given order. ``fragments`` maps each component id to itself: bundles link to components by their full id.

    Raises:
        UnreadableSource: one of the two files is missing.
    """
    documents_file, components_file = _file(folder, "documents"), _file(folder, "components")
    documents: dict[str, Document] = {}
    for entry in read_lines(documents_file):
        problem = entry if isinstance(entry, BadLine) else _add_document(documents, documents_file, folder, *entry)
        if problem:
            yield problem
    grouped: dict[str, list[BundleComponent]] = {document_id: [] for document_id in documents}
    seen: set[str] = set()
    for entry in read_lines(components_file):
        problem = entry if isinstance(entry, BadLine) else _add_component(grouped, seen, components_file, *entry)
        if problem:
            yield problem
    for document in documents.values():
        yield _parsed(document, grouped.pop(document.id), folder)


def _file(folder: Path, name: str) -> Path:
    path = bundle_file(folder, name)
    if path is None:
        problem = f"there is no {name}.jsonl or {name}.jsonl.gz"
        raise UnreadableSource(str(folder), problem, "A corpus bundle needs documents and components")
    return path


def _add_document(documents: dict[str, Document], file: Path, folder: Path, number: int, line: dict) -> BadLine | None:
    try:
        document = read_document(line, str(folder))
    except BadField as error:
        return BadLine(file, number, str(error))
    if document.id in documents:
        return BadLine(file, number, f"document {document.id!r} was there before")
    documents[document.id] = document
    return None


def _add_component(
    grouped: dict[str, list[BundleComponent]], seen: set[str], file: Path, number: int, line: dict
) -> BadLine | None:
    try:
        entry = read_component(line)
    except BadField as error:
        return BadLine(file, number, str(error))
    if entry.component.id in seen:
        return BadLine(file, number, f"component {entry.component.id!r} was there before")
    if entry.component.document not in grouped:
        return BadLine(file, number, f"document {entry.component.document!r} is unknown")
    seen.add(entry.component.id)
    grouped[entry.component.document].append(entry)
    return None


def _parsed(document: Document, entries: list[BundleComponent], folder: Path) -> ParsedDocument:
    """One document with its components in order and its pictures checked."""
    blobs: dict[str, Path | bytes] = {}
    skipped: list[SkippedPart] = []
    components = []
    for position, entry in enumerate(sorted(entries, key=lambda entry: entry.component.position)):
        component = entry.component
        changes: dict[str, object] = {"position": position} if position != component.position else {}
        if entry.file and component.image is not None:
            try:
                content = local_picture(entry.file, folder, folder)
                blob = check_picture(content).sha256
                blobs[blob] = content
                changes["image"] = component.image.model_copy(update={"blob": blob})
            except UnusablePicture as error:
                source = f"{component.id}: {shorten(entry.file)}"
                skipped.append(SkippedPart(source, f"{error.problem}. {error.advice}"))
        components.append(component.model_copy(update=changes) if changes else component)
    fragments = {component.id: component.id for component in components}
    return finish(document, components, fragments=fragments, blobs=blobs, skipped=skipped)
