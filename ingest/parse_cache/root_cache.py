"""Parse cache of one root (folder or bundle), in a file beside the corpus.

The file is optional: it has the hash with which each document was stored, and a document with another hash in the
corpus is parsed. It is replaced atomically. Its first line has the versions that wrote it, each other line a source;
lines are kept in memory instead of objects, because there may be millions.
"""

from __future__ import annotations

import hashlib
import json
import logging
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from backtrail.ingest.parse_cache.file_state import FileState
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parse_cache.parser_digest import parsers
from backtrail.ingest.parse_cache.trace_dependencies import Traced, answers_of
from backtrail.ingest.parsed import SkippedPart
from backtrail.ingest.prepare_document import TEXTS_VERSION
from backtrail.ingest.sites.folder_digests import contents_of, listing_of
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.tools.atomic_file import replacing
from backtrail.tools.corpus.writing.writer import READINGS
from backtrail.tools.disk_full import is_disk_full

_log = logging.getLogger(__name__)

_LAYOUT = 3
"""Raise it when the format of entries changes; files of earlier versions are then ignored."""

_FILE = "file\0"
_BETWEEN = b"\t"  # does not occur in JSON
_AT_ONCE = 1 << 20  # bytes


def source_of_file(document_id: str) -> str:
    """Return the source name of a file; documents of bundles have their own ids."""
    return f"{_FILE}{document_id}"


@dataclass(slots=True)
class _Entry:
    """Entry of a source: digest, documents, and the trace of its parse, None until it is known."""

    digest: str
    documents: list[Reading] = field(default_factory=list)
    traced: Traced | None = None


class RootParseCache:
    """Readings of a root by source, from the last ingest and from this one.

    A source is a file (``source_of_file``) or a document of a bundle, by its id.

    Args:
        corpus: the folder of the corpus.
        root: the folder or bundle.
        is_held: whether the corpus has the content of a reading, made by the models of this ingest.
        folder: site map of the root, if that is a folder; call ``unchanged`` before any file is read.
        reader: OCR of this ingest; "" for none.
    """

    def __init__(
        self,
        corpus: Path,
        root: str,
        is_held: Callable[[Reading], bool],
        folder: SiteMap | None = None,
        reader: str = "",
    ) -> None:
        name = hashlib.sha256(root.encode(errors="surrogatepass")).hexdigest()[:16]
        self._file = corpus / READINGS / f"{name}.json"
        self._is_held, self._folder, self._reader = is_held, folder, reader
        self._digests_before, self._before = _load(self._file)
        self._now: dict[str, bytes] = {}  # encoded entries
        self._open: dict[str, _Entry] = {}  # incomplete entries
        self._beside: dict[str, Sequence[FileState]] = {}

    def unchanged(self, source: str, digest: str) -> list[Reading] | None:
        """Return the documents of an unchanged source that are still in the corpus; None if it must be parsed.

        Args:
            digest: digest of the source's text, or its kind if it is a file.
        """
        answers_stay = self._answers_stay  # computed before any file is read
        written = self._before.get(source)
        entry = _entry(written)
        if written is not None and entry is not None and entry.digest == digest:
            same = self._renewed(entry, answers_stay=answers_stay) if all(map(self._is_held, entry.documents)) else None
            if same is not None and same.documents:
                self._now[source] = written if same == entry else _written(same)
                return same.documents
        if source.startswith(_FILE):
            self._open[source] = _Entry(digest)
        return None

    def kept(self, source: str) -> list[Reading]:
        """Return the recorded documents of a complete source. Raises KeyError for others."""
        entry = _entry(self._now[source])
        return entry.documents if entry else []

    def note(self, source: str, digest: str, files: Sequence[FileState]) -> None:
        """Record the digest and files of a bundle's document before it is kept."""
        self._open[source] = _Entry(digest)
        if files:
            self._beside[source] = files

    def finish(self, source: str, traced: Traced) -> None:
        """Record the trace of a file after all its documents were parsed."""
        if source in self._open and not traced.again:
            self._open[source].traced = traced

    def keep(self, source: str, reading: Reading) -> None:
        """Record a parsed document of a source, unless the source was dropped."""
        entry = self._open.get(source)
        if entry is None:
            return
        files = [*reading.files, *self._beside.pop(source, ())]
        entry.documents.append(replace(reading, files=files))
        if not source.startswith(_FILE):  # a bundle's document is its own source
            self._now[source] = _written(self._open.pop(source))

    def drop(self, source: str | None = None) -> None:
        """Drop a source, or all documents of bundles, so that the next ingest parses it."""
        if source is None:
            self._now = {name: entry for name, entry in self._now.items() if name.startswith(_FILE)}
            self._open = {name: entry for name, entry in self._open.items() if name.startswith(_FILE)}
        else:
            self._now.pop(source, None)
            self._open.pop(source, None)

    def save(self) -> None:
        """Write the cache for the next ingest, which parses more if that fails."""
        for name in [name for name, entry in self._open.items() if _is_whole(entry)]:
            self._now[name] = _written(self._open.pop(name))
        same = self._now == self._before and self._digests == self._digests_before
        if same and self._file.exists():  # ``forget`` removes the file
            return
        try:
            with replacing(self._file) as out:
                packed = zlib.compressobj(1)
                for line in self._lines():
                    out.write(packed.compress(line + b"\n"))
                out.write(packed.flush())
        except OSError as error:
            if is_disk_full(error):
                raise
            _log.warning("The parse cache cannot be written; the next ingest parses these files again: %s", error)

    def _lines(self) -> Iterator[bytes]:
        yield _dumped([*_versions(), self._digests])
        for name, entry in self._now.items():
            yield _dumped(name) + _BETWEEN + entry

    def _renewed(self, entry: _Entry, *, answers_stay: bool) -> _Entry | None:
        """Return the entry with current modification times; None if a file or an answer has changed."""
        documents = [one.renewed() for one in entry.documents]
        same = [one for one in documents if one is not None]
        if len(same) < len(documents) or entry.traced is None:
            return _Entry(entry.digest, same) if len(same) == len(documents) else None
        was = entry.traced
        files = [file.renewed() for file in was.files]
        if None in files or was.reader not in (None, self._reader):
            return None
        asks = bool(was.questions) and not answers_stay
        if asks and (self._folder is None or answers_of(self._folder, was.questions) != was.answers):
            return None
        return _Entry(entry.digest, same, was._replace(files=[file for file in files if file is not None]))

    @cached_property
    def _answers_stay(self) -> bool:
        return self._digests[1] == self._digests_before[1]

    @cached_property
    def _digests(self) -> list[str]:
        """Digests of the current folder: of its listing, and of the contents that answers depend on."""
        if self._folder is None:
            return ["", ""]
        listing = listing_of(self._folder)
        if listing and listing == self._digests_before[0]:
            return list(self._digests_before)
        return [listing, contents_of(self._folder)]


def _versions() -> list[Any]:
    return [_LAYOUT, parsers(), TEXTS_VERSION]


def _load(file: Path) -> tuple[list[str], dict[str, bytes]]:
    """Load the folder's digests and the encoded entries; nothing from a damaged file."""
    try:
        lines = _unpacked(file)
        *versions, digests = _loaded(next(lines))
        if versions != _versions():
            return ["", ""], {}
        return digests, dict(map(_named, lines))
    except (OSError, EOFError, StopIteration, ValueError, TypeError, zlib.error):  # no file, or another layout
        return ["", ""], {}


def _unpacked(file: Path) -> Iterator[bytes]:
    """Yield the lines of a compressed file. Raises EOFError if it is truncated."""
    unpack, rest = zlib.decompressobj(), b""
    with file.open("rb") as packed:
        while block := packed.read(_AT_ONCE):
            *lines, rest = (rest + unpack.decompress(block)).split(b"\n")
            yield from lines
    if not unpack.eof or rest:
        raise EOFError(file)


def _named(line: bytes) -> tuple[str, bytes]:
    name, _, entry = line.partition(_BETWEEN)
    return _loaded(name), entry


def _dumped(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # file names that are not UTF-8
        return json.dumps(value).encode()


def _loaded(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text)


def _is_whole(entry: _Entry) -> bool:
    """Return whether a file has documents and a trace."""
    return bool(entry.documents) and entry.traced is not None


def _written(entry: _Entry) -> bytes:
    traced = entry.traced and [list(map(list, entry.traced.files)), *entry.traced[1:]]
    line = _dumped([entry.digest, [_fields(one) for one in entry.documents], traced])
    return bytes(memoryview(line))  # orjson's result has kilobytes of spare memory


def _entry(written: bytes | None) -> _Entry | None:
    """Decode an entry; None if it is damaged."""
    if written is None:
        return None
    try:
        digest, documents, traced = _loaded(written)
        entry = _Entry(digest, [_reading(fields) for fields in documents])
        if traced is not None:
            files, questions, answers, reader, again = traced
            entry.traced = Traced([FileState(*file) for file in files], questions, answers, reader, again)
    except (ValueError, TypeError):
        return None
    return entry


def _fields(reading: Reading) -> list[Any]:
    skipped = [[part.source, part.reason, part.picture, part.host] for part in reading.skipped]
    plain = [reading.document, reading.stored, reading.models, list(map(list, reading.files)), reading.pictures]
    return [*plain, list(reading.contents), list(reading.shown), skipped, reading.left_out]


def _reading(fields: list[Any]) -> Reading:
    document, stored, models, files, pictures, contents, shown, skipped, left_out = fields
    states = [FileState(*file) for file in files]
    parts = [SkippedPart(*part) for part in skipped]
    return Reading(document, stored, models, states, pictures, contents, shown, parts, left_out)
