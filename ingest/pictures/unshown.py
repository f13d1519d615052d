"""Pictures that lie beside pages without being shown by any: documents of their own, unless they are small."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.discover import Source
from backtrail.ingest.images import UnusablePicture, parse_image, usable_picture
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.unchanged.reading import Reading

LEAST_SIDE = 100
"""Pixels; what is smaller is an icon, a button or a line; ours."""


@dataclass
class ShownPictures:
    """What the pages of an ingest show, by content and by file."""

    _contents: set[str] = field(default_factory=set)
    _files: set[str] = field(default_factory=set)

    def add(self, parsed: ParsedDocument) -> None:
        """The pictures of one document."""
        self._contents |= parsed.blobs.keys()
        self._files |= {os.path.realpath(blob) for blob in parsed.blobs.values() if isinstance(blob, Path)}

    def add_reading(self, reading: Reading) -> None:
        """The pictures of a document that was not parsed again."""
        self._contents.update(reading.contents)
        self._files.update(reading.shown)

    def document_of(self, figure: Source) -> ParsedDocument | SkippedPart | None:
        """The document of a picture that is not shown, the note why there is none, or None for one that is shown."""
        if os.path.realpath(figure.path) in self._files:
            return None
        try:
            shown = usable_picture(figure.path)
        except UnusablePicture as error:
            return SkippedPart(str(figure.path), f"{error.problem}. {error.advice}")
        if shown.facts.sha256 in self._contents:
            return None
        if shown.side < LEAST_SIDE:
            reason = f"no page shows it, and it is only {shown.side} pixels wide or high"
            return SkippedPart(str(figure.path), reason, "shown by no page and small")
        if shown.drawn and not (shown.written or shown.facts.said.title):
            reason = "no page shows it, and nothing is written in the drawing"
            return SkippedPart(str(figure.path), reason, "drawings without words that no page shows")
        self._contents.add(shown.facts.sha256)
        return parse_image(figure.path, figure.document_id)
