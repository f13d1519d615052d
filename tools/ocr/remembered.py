"""OCR that reads a picture once: what it read before is looked up by the picture's content."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from backtrail.tools.deciders.recording.record_file import model_folder
from backtrail.tools.ocr.protocol import Ocr


class RememberingOcr:
    """Implements ``Ocr`` over another: a file of text for each picture, in a folder for each fingerprint.

    Failures are not kept. A picture without words is remembered as an empty file.
    """

    def __init__(self, ocr: Ocr, folder: Path) -> None:
        self.name = ocr.name
        self.fingerprint = ocr.fingerprint
        self._ocr = ocr
        self._folder = model_folder(folder, ocr.fingerprint)

    def read(self, picture: bytes) -> str:
        """As ``Ocr.read``."""
        known = self.recall(picture)
        if known is not None:
            return known
        words = self._ocr.read(picture)
        _write(self._path(picture), words)
        return words

    def recall(self, picture: bytes) -> str | None:
        """As ``Ocr.recall``."""
        path = self._path(picture)
        return path.read_text(encoding="utf-8") if path.exists() else None

    def _path(self, picture: bytes) -> Path:
        sha256 = hashlib.sha256(picture).hexdigest()
        return self._folder / sha256[:2] / f"{sha256}.txt"


def _write(path: Path, text: str) -> None:
    """Whole or not at all, also after a kill."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
