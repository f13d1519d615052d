"""Parse corpus bundles: ``documents.jsonl`` and ``components.jsonl`` (plain or .gz) and pictures.

documents.jsonl    {id, title, url, …}
components.jsonl   {id, document, position, modality, section, links: [{target, anchor, row?, column?, component?}]}
                   and one of text: str · table: {caption, header, rows} · image: {file, caption, title, alt?}
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

from backtrail.ingest.bundles.line import BadField, BundleComponent, read_component, read_document
from backtrail.ingest.bundles.scan import Scan, scan_bundle
from backtrail.ingest.discover import bundle_file
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.finish import finish
from backtrail.ingest.images import UnusablePicture, check_picture
from backtrail.ingest.jsonl import BadLine, parse_line, raw_lines, read_lines
from backtrail.ingest.local_pictures import local_picture, shorten
from backtrail.ingest.parse_cache.file_state import state_of
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parse_cache.root_cache import RootParseCache
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.state.component import Document

_Entry = ParsedDocument | Reading | BadLine
_WRITTEN_TO = "the file was changed while it was read"


def parse_bundle(folder: Path, readings: RootParseCache | None = None) -> Iterator[_Entry]:
    """Parse a bundle: yield its invalid lines, and its documents in the order of their file.

    Ids are kept; positions are renumbered from 0 in the given order. ``fragments`` maps each component id to itself,
    because bundles link to components by full id. Components may come in any order: those of incomplete documents are
    held in memory, and all of them if the bundle has an invalid line.

    Args:
        folder: folder of the two files.
        readings: cache of an earlier parse. Documents with unchanged lines and pictures are not parsed: their
            reading is yielded.

    Raises:
        UnreadableSource: one of the two files is missing.
    """
    files = _file(folder, "documents"), _file(folder, "components")
    before = _times(files)
    scan = scan_bundle(*files)
    known = _known(scan, readings) if scan else bytearray()
    if scan is not None and _can_be_used(files[0], folder, scan, known):
        yield from _Difference(folder, files, scan, known, readings).entries()
    else:
        if readings is not None:
            readings.drop()
        yield from _whole(folder, *files)
    if readings is not None and _times(files) != before:
        readings.drop()  # changed meanwhile: parsed and hashed lines may differ


def _times(files: Sequence[Path]) -> list[tuple[int, int]]:
    return [(found.st_size, found.st_mtime_ns) for found in (file.stat() for file in files if file.exists())]


def _known(scan: Scan, readings: RootParseCache | None) -> bytearray:
    """Return for each document whether it is unchanged."""
    if readings is None:
        return bytearray(len(scan.rows))
    return bytearray(readings.unchanged(id_, scan.digest(place)) is not None for id_, place in scan.rows.items())


def _whole(folder: Path, documents_file: Path, components_file: Path) -> Iterator[ParsedDocument | BadLine]:
    """Yield all invalid lines, then all documents."""
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


class _Difference:
    """Parser of a consistent bundle that skips unchanged documents.

    Args:
        folder: folder of the bundle.
        files: files of documents and components.
        scan: scan of these files.
        known: for each document, whether it is unchanged.
        readings: cache that is updated with parsed documents and the files they name.
    """

    def __init__(
        self, folder: Path, files: tuple[Path, Path], scan: Scan, known: bytearray, readings: RootParseCache | None
    ) -> None:
        self._folder, (self._documents, self._components) = folder, files
        self._scan, self._known, self._readings = scan, known, readings
        self._ids = list(scan.rows)
        self._left = array("i", scan.components)
        self._waiting: dict[int, list[BundleComponent]] = {}
        self._partly: set[int] = set()  # documents with an invalid line

    def entries(self) -> Iterator[_Entry]:
        """Yield documents in order, each as soon as its last line is read, and invalid lines between them."""
        yielded, lines = 0, raw_lines(self._documents)
        for place, problem in self._read():
            if problem is not None:
                yield problem
                self._partly.add(place)
            while yielded < len(self._ids) and not (not self._known[yielded] and self._left[yielded]):
                yield self._one(yielded, next(lines, None))
                yielded += 1
        for place in range(yielded, len(self._ids)):  # without components, or their lines vanished meanwhile
            yield self._one(place, next(lines, None))

    def _one(self, place: int, line: tuple[int, bytes] | BadLine | None) -> _Entry:
        """Return a document from its line, read again because all documents do not fit into memory."""
        readings = self._readings
        if self._known[place] and readings is not None:
            return readings.kept(self._ids[place])[0]
        document = _document(self._documents, line, self._folder) if line else None
        if document is None or document.id != self._ids[place]:
            self._waiting.pop(place, None)
            return BadLine(self._documents, place + 1, _WRITTEN_TO)
        if readings is not None and place not in self._partly:
            files = [state_of(path) for path in self._named(place)]
            readings.note(document.id, self._scan.digest(place), files)
        return _parsed(document, self._waiting.pop(place, []), self._folder)

    def _named(self, place: int) -> Iterator[Path]:
        """Yield the paths of the pictures that a document names, existing or not."""
        for file in self._scan.files.get(place, ()):
            if file[:5].lower() != "data:":
                yield from dict.fromkeys((self._folder / file, self._folder / unquote(file)))

    def _read(self) -> Iterator[tuple[int, BadLine | None]]:
        """Read components of changed documents; yield the document's place and the problem of an invalid line."""
        for entry in raw_lines(self._components):
            if isinstance(entry, BadLine):
                continue  # the file was changed since the scan, which its state shows
            number, line = entry
            place = self._scan.owner[number - 1] if number <= len(self._scan.owner) else -1
            if place >= 0 and not self._known[place]:
                self._left[place] -= 1
                yield place, self._add(place, number, line)

    def _add(self, place: int, number: int, line: bytes) -> BadLine | None:
        value = parse_line(self._components, number, line)
        if isinstance(value, BadLine):
            return value
        try:
            entry = read_component(value[1])
        except BadField as error:
            return BadLine(self._components, number, str(error))
        if entry.component.document != self._ids[place]:
            return BadLine(self._components, number, _WRITTEN_TO)
        self._waiting.setdefault(place, []).append(entry)
        return None


def _can_be_used(file: Path, folder: Path, scan: Scan, known: bytearray) -> bool:
    """Return whether the lines of all changed documents are valid."""
    place = -1
    for place, line in enumerate(raw_lines(file)):
        if place == len(known) or (not known[place] and _document(file, line, folder) is None):
            return False
    return place + 1 == len(scan.rows)


def _document(file: Path, line: tuple[int, bytes] | BadLine, folder: Path) -> Document | None:
    """Return the document of a line; None if the line is invalid."""
    value = line if isinstance(line, BadLine) else parse_line(file, *line)
    try:
        return None if isinstance(value, BadLine) else read_document(value[1], str(folder))
    except BadField:
        return None


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
        return BadLine(file, number, f"document {document.id!r} occurs twice")
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
        return BadLine(file, number, f"component {entry.component.id!r} occurs twice")
    if entry.component.document not in grouped:
        return BadLine(file, number, f"document {entry.component.document!r} is unknown")
    seen.add(entry.component.id)
    grouped[entry.component.document].append(entry)
    return None


def _parsed(document: Document, entries: list[BundleComponent], folder: Path) -> ParsedDocument:
    """Assemble a document from its components, sorted by position, and check its pictures."""
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
