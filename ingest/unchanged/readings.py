"""The readings of one root, a folder or a bundle, kept in a file beside the corpus.

Nothing depends on that file: it names the hash that each document was stored with, and a document whose hash in the
corpus is another one is parsed. It is replaced as a whole, so that a kill leaves the one before.
"""

from __future__ import annotations

import hashlib
import json
import logging
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from backtrail.ingest.parsed import SkippedPart
from backtrail.ingest.prepare import TEXTS_VERSION
from backtrail.ingest.sites.folder_digests import contents_of, listing_of
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.unchanged.file_state import FileState
from backtrail.ingest.unchanged.parsers import parsers
from backtrail.ingest.unchanged.reading import Reading
from backtrail.ingest.unchanged.tracing import Traced, answers_of
from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.corpus.writing.writer import READINGS
from backtrail.tools.disk_full import is_disk_full

_log = logging.getLogger(__name__)

_LAYOUT = 2
"""Raise it when entries are written differently: what an earlier version kept is then read anew."""

_FILE = "file\0"


def source_of_file(document_id: str) -> str:
    """The name of a source that is a file; documents of bundles go by their own ids."""
    return f"{_FILE}{document_id}"


@dataclass(slots=True)
class _Entry:
    """A source: the digest of what it was, its documents, and what those were parsed from; None until that is told."""

    digest: str
    documents: list[Reading] = field(default_factory=list)
    traced: Traced | None = None


class Readings:
    """What the last ingest read of a root, by source, and what this one reads.

    A source is a file (``source_of_file``), or a document of a bundle, by its id.

    Args:
        corpus: the folder of the corpus.
        root: the folder or bundle.
        is_held: whether the corpus holds what a reading stored, made by the models of this ingest.
        folder: what was found in the root, if that is a folder; ask for readings before any of it is read.
        reader: the OCR of this ingest; "" for none.
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
        self._written = _read(self._file)
        self._digests_before, self._before = _load(self._written)
        self._now: dict[str, _Entry] = {}
        self._differs = False
        self._beside: dict[str, Sequence[FileState]] = {}

    def unchanged(self, source: str, digest: str) -> list[Reading] | None:
        """The documents of a source that is as it was, and that the corpus holds; None where it has to be parsed.

        Args:
            digest: of the source's own text, or its kind where it is a file.
        """
        answers_stay = self._answers_stay  # told before anything is read
        entry = _entry(self._before.get(source))
        if entry is not None and entry.digest == digest and all(map(self._is_held, entry.documents)):
            same = self._renewed(entry, answers_stay=answers_stay)
            if same is not None and same.documents:
                self._now[source] = same
                return same.documents
        self._now[source], self._differs = _Entry(digest), True
        return None

    def note(self, source: str, files: Sequence[FileState]) -> None:
        """Note what a document of a bundle is read from besides its lines, before it is kept."""
        if files:
            self._beside[source] = files

    def finish(self, source: str, traced: Traced) -> None:
        """Note what a file was parsed from, once all of its documents were."""
        if source in self._now and not traced.again:
            self._now[source].traced = traced

    def keep(self, source: str, reading: Reading) -> None:
        """Note a document of a source that was parsed, unless something is wrong with that."""
        if source in self._now:
            files = [*reading.files, *self._beside.get(source, ())]
            self._now[source].documents.append(replace(reading, files=files))

    def drop(self, source: str | None = None) -> None:
        """Forget a source, or all documents of bundles: it is parsed again the next time."""
        self._differs = True
        if source is None:
            self._now = {name: entry for name, entry in self._now.items() if name.startswith(_FILE)}
        else:
            self._now.pop(source, None)

    def save(self) -> None:
        """Keep what this ingest has read for the next. Where that fails, the next one parses more."""
        same = self._now.keys() == self._before.keys() and self._digests == self._digests_before
        there = self._file.exists()  # an ingest that forgets has removed it
        if same and there and not self._differs:
            return
        found = {name: _plain(entry) for name, entry in self._now.items() if _is_whole(name, entry)}
        try:
            content = zlib.compress(_dumped([*_versions(), self._digests, found]), 1)
            if content != self._written or not there:
                self._file.parent.mkdir(exist_ok=True)
                write_atomically(self._file, content)
        except OSError as error:
            if is_disk_full(error):
                raise
            _log.warning("What was read cannot be kept, so that the next ingest reads it again: %s", error)

    def _renewed(self, entry: _Entry, *, answers_stay: bool) -> _Entry | None:
        """The entry with the times that its files have now; None where one of them, or an answer, is another."""
        documents = [one.renewed() for one in entry.documents]
        same = [one for one in documents if one is not None]
        self._differs = self._differs or same != entry.documents
        if len(same) < len(documents) or entry.traced is None:
            return _Entry(entry.digest, same) if len(same) == len(documents) else None
        was = entry.traced
        files = [file.renewed() for file in was.files]
        if None in files or was.reader not in (None, self._reader):
            return None
        asks = bool(was.questions) and not answers_stay
        if asks and (self._folder is None or answers_of(self._folder, was.questions) != was.answers):
            return None
        self._differs = self._differs or files != list(was.files)
        return _Entry(entry.digest, same, was._replace(files=[file for file in files if file is not None]))

    @cached_property
    def _answers_stay(self) -> bool:
        return self._digests[1] == self._digests_before[1]

    @cached_property
    def _digests(self) -> list[str]:
        """Of the folder as it is now: its listing, and what answers to questions are made of."""
        if self._folder is None:
            return ["", ""]
        listing = listing_of(self._folder)
        if listing and listing == self._digests_before[0]:
            return list(self._digests_before)
        return [listing, contents_of(self._folder)]


def _versions() -> list[Any]:
    return [_LAYOUT, parsers(), TEXTS_VERSION]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""  # none yet: everything is parsed


def _load(written: bytes) -> tuple[list[str], dict[str, Any]]:
    """The digests of the folder, and each entry as it is written; nothing of a file that is damaged."""
    nothing = ["", ""], {}
    try:
        *versions, digests, found = _loaded(zlib.decompress(written))
    except (ValueError, TypeError, zlib.error):
        return nothing
    return (digests, found) if versions == _versions() and isinstance(found, dict) else nothing


def _dumped(value: list[Any]) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # names of files that are no text
        return json.dumps(value).encode()


def _loaded(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text)


def _is_whole(name: str, entry: _Entry) -> bool:
    return bool(entry.documents) and (entry.traced is not None or not name.startswith(_FILE))


def _plain(entry: _Entry) -> list[Any]:
    traced = entry.traced and [list(map(list, entry.traced.files)), *entry.traced[1:]]
    return [entry.digest, [_fields(one) for one in entry.documents], traced]


def _entry(plain: list[Any] | None) -> _Entry | None:
    if plain is None:
        return None
    digest, documents, traced = plain
    readings = [_reading(fields) for fields in documents]
    if traced is None:
        return _Entry(digest, readings)
    files, questions, answers, reader, again = traced
    return _Entry(digest, readings, Traced([FileState(*file) for file in files], questions, answers, reader, again))


def _fields(reading: Reading) -> list[Any]:
    skipped = [[part.source, part.reason, part.picture, part.host] for part in reading.skipped]
    plain = [reading.document, reading.stored, reading.models, list(map(list, reading.files)), reading.pictures]
    return [*plain, list(reading.contents), list(reading.shown), skipped, reading.left_out]


def _reading(fields: list[Any]) -> Reading:
    document, stored, models, files, pictures, contents, shown, skipped, left_out = fields
    states = [FileState(*file) for file in files]
    parts = [SkippedPart(*part) for part in skipped]
    return Reading(document, stored, models, states, pictures, contents, shown, parts, left_out)
