"""Pictures beside pages that no page shows; large ones become documents."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.discover import Source
from backtrail.ingest.images import UnusablePicture, parse_image, usable_picture
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parse_cache.root_cache import RootParseCache, source_of_file
from backtrail.ingest.parse_cache.trace_dependencies import Trace, record_file, traced
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.pictures.description import PictureDescription

LEAST_SIDE = 100
"""Minimum side in pixels. Of pictures of 40 to 200 pixels in six repositories 5 of 36 larger ones show more than a logo
or banner, of 24 smaller ones none."""


@dataclass
class ShownPictures:
    """Pictures that the pages of an ingest show, by content and file."""

    _contents: set[str] = field(default_factory=set)
    _files: set[str] = field(default_factory=set)

    def add(self, parsed: ParsedDocument) -> None:
        """Add the pictures of a document."""
        self._contents |= parsed.blobs.keys()
        self._files |= {os.path.realpath(blob) for blob in parsed.blobs.values() if isinstance(blob, Path)}

    def add_reading(self, reading: Reading) -> None:
        """Add the pictures of a document that was not parsed again."""
        self._contents.update(reading.contents)
        self._files.update(reading.shown)

    def document_of(self, figure: Source, readings: RootParseCache) -> ParsedDocument | Reading | None:
        """Return the document of a picture that no page shows, or its reading if unchanged; None if shown.

        A picture that becomes no document has a reading with the reason.
        """
        name = source_of_file(figure.document_id)
        if os.path.realpath(figure.path) in self._files:
            return None
        same = readings.unchanged(name, "figure")
        if same is not None:
            if not self._contents.isdisjoint(same[0].contents):
                readings.drop(name)
                return None
            if same[0].document:
                self._contents.update(same[0].contents)
            return same[0]
        trace = Trace(figure.root)
        (found,) = traced(map(self._looked_at, [figure]), trace)
        readings.finish(name, trace.result())
        if isinstance(found, Reading):
            readings.keep(name, found)
        return found

    def _looked_at(self, figure: Source) -> ParsedDocument | Reading | None:
        record_file(figure.path)
        try:
            shown = usable_picture(figure.path)
        except UnusablePicture as error:
            return _left_out(figure, "", f"{error.problem}. {error.advice}")
        sha256 = shown.facts.sha256
        if sha256 in self._contents:
            return None
        if shown.side < LEAST_SIDE:
            reason = f"no page shows it, and it is only {shown.side} pixels wide or high"
            return _left_out(figure, sha256, reason, "shown by no page and small")
        if shown.drawn and not shown.written and shown.facts.description == PictureDescription():
            reason = "no page shows it, and nothing is written in the drawing"
            return _left_out(figure, sha256, reason, "drawings without words that no page shows")
        self._contents.add(sha256)
        return parse_image(figure.path, figure.document_id)


def _left_out(figure: Source, sha256: str, reason: str, cause: str = "") -> Reading:
    skipped = [SkippedPart(str(figure.path), reason, cause)]
    contents = (sha256,) if sha256 else ()
    return Reading("", "", "", (), 0, contents, (), skipped, {})
