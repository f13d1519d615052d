"""The readings of one root, a folder or a bundle, kept in a file beside the corpus.

Nothing depends on that file: it names the hash that each document was stored with, and a document whose hash in the
corpus is another one is parsed. It is replaced as a whole, so that a kill leaves the one before.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from backtrail.ingest.finish import PARSER_VERSION
from backtrail.ingest.parsed import SkippedPart
from backtrail.ingest.prepare import TEXTS_VERSION
from backtrail.ingest.unchanged.reading import FileState, Reading
from backtrail.tools.corpus.writing.writer import READINGS
from backtrail.tools.disk_full import is_disk_full
from backtrail.tools.embedders.atomic_file import write_atomically

_log = logging.getLogger(__name__)


_VERSIONS = [1, PARSER_VERSION, TEXTS_VERSION]
"""Raise the first when entries are written differently: what an earlier version kept is then read anew."""
_Entry = tuple[str, list[list[Any]]]
"""The digest of a source, and the fields of a reading for each of its documents."""


class Readings:
    """What the last ingest read of a root, by source, and what this one reads.

    A source is a file, by its path relative to the root, or a document of a bundle, by its id.

    Args:
        corpus: the folder of the corpus.
        root: the folder or bundle.
        is_held: whether the corpus holds what a reading stored, made by the models of this ingest.
    """

    def __init__(self, corpus: Path, root: str, is_held: Callable[[Reading], bool]) -> None:
        name = hashlib.sha256(root.encode(errors="surrogatepass")).hexdigest()[:16]
        self._file = corpus / READINGS / f"{name}.json"
        self._is_held = is_held
        self._before = _load(self._file)
        self._now: dict[str, _Entry] = {}
        self._beside: dict[str, Sequence[FileState]] = {}

    def unchanged(self, source: str, digest: str) -> list[Reading] | None:
        """The documents of a source that is as it was, and that the corpus holds; None where it has to be parsed."""
        entry = self._before.get(source)
        if entry is not None and entry[0] == digest:
            found = [_reading(fields) for fields in entry[1]]
            if found and all(self._is_held(one) and one.holds() for one in found):
                self._now[source] = entry
                return found
        self._now[source] = (digest, [])
        return None

    def note(self, source: str, files: Sequence[FileState]) -> None:
        """Note what a source is read from besides itself, before its documents are kept."""
        if files:
            self._beside[source] = files

    def keep(self, source: str, reading: Reading) -> None:
        """Note a document of a source that was parsed, unless something is wrong with that."""
        if source in self._now:
            files = [*reading.files, *self._beside.get(source, ())]
            self._now[source][1].append(_fields(replace(reading, files=files)))

    def drop(self, source: str | None = None) -> None:
        """Forget a source, or all of them: it is parsed again the next time."""
        if source is None:
            self._now = {}
        else:
            self._now.pop(source, None)

    def save(self) -> None:
        """Keep what this ingest has read for the next. Where that fails, the next one parses more."""
        found = {source: entry for source, entry in self._now.items() if entry[1]}
        if found == self._before:
            return
        try:
            self._file.parent.mkdir(exist_ok=True)
            content = json.dumps([*_VERSIONS, found], separators=(",", ":"))
            write_atomically(self._file, content.encode())
        except OSError as error:
            if is_disk_full(error):
                raise
            _log.warning("What was read cannot be kept, so that the next ingest reads it again: %s", error)


def _load(file: Path) -> dict[str, _Entry]:
    try:
        *versions, found = json.loads(file.read_bytes())
    except (OSError, ValueError, TypeError):
        return {}  # none yet, or damaged: everything is parsed
    if versions != _VERSIONS or not isinstance(found, dict):
        return {}
    return {source: (digest, readings) for source, (digest, readings) in found.items()}


def _fields(reading: Reading) -> list[Any]:
    skipped = [[part.source, part.reason, part.picture, part.host] for part in reading.skipped]
    files = [list(file) for file in reading.files]
    plain = [reading.document, reading.stored, reading.models, files, reading.pictures]
    return [*plain, list(reading.contents), list(reading.shown), skipped, reading.left_out]


def _reading(fields: list[Any]) -> Reading:
    document, stored, models, files, pictures, contents, shown, skipped, left_out = fields
    states = [FileState(*file) for file in files]
    parts = [SkippedPart(*part) for part in skipped]
    return Reading(document, stored, models, states, pictures, contents, shown, parts, left_out)
