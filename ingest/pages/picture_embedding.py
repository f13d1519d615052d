"""Draw pages and embed their pictures, unless the same picture is embedded already."""

from __future__ import annotations

import hashlib
from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.parse_cache.file_state import file_digest
from backtrail.ingest.pdf.page_images.page_picture import page_picture
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.errors import PictureUnreadable
from backtrail.tools.corpus.pages.page_index import Page, PageIndex, PageVectors
from backtrail.tools.corpus.pages.page_places import PagePlace
from backtrail.tools.embedders.protocol import PageEmbedder
from backtrail.tools.home import corpus_folder


class PictureEmbedding:
    """Embeds pages one by one.

    A file with the same bytes as last time is not drawn. Of a changed one every page is drawn, and those whose picture
    changed are embedded. If a file can no longer be read, its pages stay as they were, like its document.

    Attributes:
        pages: those with vectors, in the order of ``add``; ``embedded`` is the number of new vectors.
        files: SHA-256 of each PDF by path.
        failed: why pages could not be drawn, by document id.
    """

    def __init__(self, corpus: str, folder: Path, model: PageEmbedder, last: PageIndex | None, drawn: Path) -> None:
        """Start.

        Args:
            last: the index of the last run with the same model; None for none.
            drawn: a folder for pictures of pages.
        """
        self.pages: list[Page] = []
        self.embedded = 0
        self.files: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        self._blobs = BlobStore(corpus_folder(corpus))
        self._vectors = PageVectors(folder, model.fingerprint, model.dimension)
        self._model = model
        self._drawn = drawn / "page.png"
        self._last_files = last.files if last else {}
        self._last_keys = {(page.source, page.number): page.key for page in last.pages} if last else {}

    def add(self, place: PagePlace) -> None:
        """Embed a page if need be."""
        try:
            key = self._key(place)
        except (UnreadableSource, PictureUnreadable) as error:
            self.failed |= dict.fromkeys(place.documents, str(error))
            return
        self.pages.append(Page(key, place.source, place.number, tuple(place.documents), tuple(place.components)))

    def _key(self, place: PagePlace) -> str:
        """The key of a page's vectors, which exist when this returns."""
        if not place.number:
            return self._embed(place.source, self._blobs.path(place.source))
        source = Path(place.source)
        if place.source not in self.files:
            self.files[place.source] = _digest(source)
        last = self._last_keys.get((place.source, place.number))
        digest = self.files[place.source]
        if last and last in self._vectors and digest in ("", self._last_files.get(place.source)):
            return last
        picture = page_picture(source, place.number)
        self._drawn.write_bytes(picture)
        return self._embed(hashlib.sha256(picture).hexdigest(), self._drawn)

    def _embed(self, key: str, picture: Path) -> str:
        if key not in self._vectors:
            self._vectors.put(key, self._model.embed_page(picture))
            self.embedded += 1
        return key


def _digest(path: Path) -> str:
    """The SHA-256 of a file; empty if it cannot be read."""
    try:
        return file_digest(path)
    except OSError:
        return ""
