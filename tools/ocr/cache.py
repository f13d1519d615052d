"""Cache OCR results by picture content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.deciders.recording.record_file import model_folder
from backtrail.tools.ocr.lines import Box, Line, Word
from backtrail.tools.ocr.protocol import Ocr, at_once


class CachingOcr:
    """Implements ``Ocr`` over another: one JSON file per picture, one folder per fingerprint.

    Failures are not cached. A picture without words is stored as an empty list. A line is stored as its paragraph
    and its words, each with box (left, top, width, height, in pixels) and confidence.
    """

    def __init__(self, ocr: Ocr, folder: Path) -> None:
        self.name = ocr.name
        self.fingerprint = ocr.fingerprint
        self._ocr = ocr
        self._folder = model_folder(folder, ocr.fingerprint)

    @property
    def at_once(self) -> int:
        """As for the wrapped OCR."""
        return at_once(self._ocr)

    def read(self, picture: bytes) -> tuple[Line, ...]:
        """As ``Ocr.read``."""
        known = self.recall(picture)
        if known is not None:
            return known
        lines = self._ocr.read(picture)
        write_atomically(self._path(picture), _packed(lines), durable=True)
        return lines

    def recall(self, picture: bytes) -> tuple[Line, ...] | None:
        """As ``Ocr.recall``."""
        path = self._path(picture)
        return _unpacked(path.read_text(encoding="utf-8")) if path.exists() else None

    def _path(self, picture: bytes) -> Path:
        sha256 = hashlib.sha256(picture).hexdigest()
        return self._folder / sha256[:2] / f"{sha256}.json"


def _packed(lines: Sequence[Line]) -> str:
    rows = [
        [line.paragraph, [[word.text, astuple(word.box), word.confidence] for word in line.words]] for line in lines
    ]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _unpacked(text: str) -> tuple[Line, ...]:
    return tuple(
        Line(tuple(Word(word, Box(*box), confidence) for word, box, confidence in words), tuple(paragraph))
        for paragraph, words in json.loads(text)
    )
