"""Pictures in a document's own package."""

from __future__ import annotations

from backtrail.ingest.archive import Archive
from backtrail.ingest.images import MAX_BYTES, PictureTooLarge, UnsupportedPicture, UnusablePicture

MAX_TOTAL = 200 * 2**20
"""Most bytes of all pictures of one document (ours); they stay in memory until stored."""

_DRAWINGS = (".emf", ".wmf", ".wdp", ".pict", ".pct", ".eps")


class PartPictures:
    """Reader of pictures by part name, up to a total size."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._taken = 0

    def find(self, source: str) -> bytes:
        """Return the bytes of a picture.

        Raises:
            UnusablePicture: it lies outside the document, is a drawing in a vector format, or too large.
        """
        if source not in self._archive:
            problem = "the picture is only linked; pictures outside the document are not fetched"
            raise UnusablePicture(source, problem, "Embed it in the document")
        if source.lower().endswith(_DRAWINGS):
            kind = source.rpartition(".")[2].upper()
            raise UnsupportedPicture(
                source, f"drawings in the format {kind} are not read", "Save it as PNG in the document"
            )
        size = self._archive.size(source)
        if size > MAX_BYTES:
            raise PictureTooLarge(source, f"the picture has {size / 2**20:.0f} MB", "Scale it down or compress it")
        self._taken += size
        if self._taken > MAX_TOTAL:
            problem = f"the document has more than {MAX_TOTAL // 2**20} MB of pictures"
            raise PictureTooLarge(source, problem, "Compress its pictures")
        return self._archive.read(source)
