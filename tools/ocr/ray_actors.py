"""OCR in Ray actors: one process per processor of a cluster; results are cached on this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from backtrail.tools.home import cache_folder
from backtrail.tools.ocr.cache import CachingOcr
from backtrail.tools.ocr.lines import Line
from backtrail.tools.ocr.open import open_ocr
from backtrail.tools.ocr.protocol import ManyLanguages, Ocr
from backtrail.tools.workers.actors import Actors
from backtrail.tools.workers.cluster import LOCAL
from backtrail.tools.workers.errors import WorkersDiffer
from backtrail.tools.workers.resources import Resources


@contextmanager
def reading_on(engine: str, own: Ocr) -> Iterator[Ocr]:
    """Open OCR on an engine for the block: itself for "local", else copies in Ray."""
    if engine == LOCAL:
        yield own
        return
    readers = Actors(engine, OcrCopy, (), what=f"OCR {own.name!r}", resources=Resources(each="processor"))
    try:
        yield RayOcrByLanguage(own, own, readers) if isinstance(own, ManyLanguages) else _remote(own, readers)
    finally:
        readers.close()


def _remote(own: Ocr, readers: Actors) -> Ocr:
    return CachingOcr(RayOcr(own, readers), cache_folder() / "ocr")


class RayOcr:
    """Implements ``Ocr`` by copies on other machines, with the same program and languages."""

    def __init__(self, own: Ocr, readers: Actors) -> None:
        self.name, self.fingerprint = own.name, own.fingerprint
        self._own, self._readers = own, readers

    @property
    def at_once(self) -> int:
        """Concurrent readings: per copy, one runs and one waits. Starts the copies."""
        return 2 * len(self._readers)

    def read(self, picture: bytes) -> tuple[Line, ...]:
        """As ``Ocr.read``.

        Raises:
            WorkersDiffer: a node has another version of the program.
            EngineUnavailable: copies are lost repeatedly.
        """
        return self._readers.call("read", self.name, self.fingerprint, picture)

    def recall(self, picture: bytes) -> tuple[Line, ...] | None:
        """As ``Ocr.recall``, from this machine's cache."""
        return self._own.recall(picture)


class RayOcrByLanguage:
    """Implements ``Ocr`` and ``ManyLanguages`` by the same copies for all languages."""

    def __init__(self, own: Ocr, languages: ManyLanguages, readers: Actors) -> None:
        self.name, self.fingerprint = own.name, own.fingerprint
        self._own, self._readers = languages, readers

    def in_language(self, language: str) -> Ocr:
        """Return OCR for documents in a language, given by its ISO 639-1 code."""
        return _remote(self._own.in_language(language), self._readers)

    def read(self, picture: bytes) -> tuple[Line, ...]:
        """As ``Ocr.read``, in English."""
        return self.in_language("en").read(picture)

    def recall(self, picture: bytes) -> tuple[Line, ...] | None:
        """As ``Ocr.recall``, of what was read in English."""
        return self.in_language("en").recall(picture)


class OcrCopy:
    """OCR in a Ray process, opened for each language on first use."""

    def __init__(self) -> None:
        self._opened: dict[str, Ocr] = {}

    def read(self, name: str, fingerprint: str, picture: bytes) -> tuple[Line, ...]:
        """Read a picture by the OCR of a name."""
        if name not in self._opened:
            self._opened[name] = open_ocr(name)
        ocr = self._opened[name]
        if ocr.fingerprint != fingerprint:
            raise WorkersDiffer(
                f"OCR {name!r} is {ocr.fingerprint!r} on {socket.gethostname()} and {fingerprint!r} where the command "
                "runs. Install the same version of Tesseract on all of them."
            )
        return ocr.read(picture)
