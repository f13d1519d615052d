"""Pixel vectors of pictures: each distinct file is embedded once and cached by its SHA-256."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
from sqlalchemy import ColumnElement, Connection, select

from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.write_text_rows import write_text_rows
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.generation import PICTURES
from backtrail.tools.corpus.pixels import Pixels
from backtrail.tools.corpus.tables.schema import blobs, components
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.vector_cache import PICTURE, VectorCache

_BATCH = 64  # pictures per commit, which a killed process has to embed again


class PictureVectors:
    """Embeds missing pictures, and writes the pictures of a generation.

    A recorded encoder is opened only if a picture has no vector.
    """

    def __init__(self, corpus: Path, pixels: Pixels) -> None:
        self.name = pixels.name
        self.fingerprint = pixels.encoder.fingerprint
        self.dimension = pixels.encoder.dimension
        self._encoder = pixels.encoder
        self._blobs = BlobStore(corpus)
        self._cache = picture_cache(corpus, self.fingerprint, self.dimension)

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()

    def embed_missing(self, connection: Connection, progress: Progress) -> int:
        """Embed every shown picture without a vector; return the number embedded."""
        files = {bytes.fromhex(blob): blob for blob in shown_pictures(connection)}
        progress.stage("pictures", len(files))
        known = self._cache.known(list(files))
        progress.advance(len(known))
        missing = sorted(files.keys() - known)
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            self._cache.put(batch, self._encoder.embed_images([self._blobs.path(files[key]) for key in batch]))
            progress.advance(len(batch))
        return len(missing)

    def write(self, connection: Connection, generation: Path) -> None:
        """Write the layer of pictures: a row for each component with a picture, in reading order."""
        table = components
        statement = select(table.c.key, table.c.id, table.c.blob).where(shows_picture()).order_by(table.c.key)
        rows = connection.execute(statement).all()
        write_array(generation / f"{PICTURES}.npy", self._cache.get([bytes.fromhex(row.blob) for row in rows]))
        write_array(generation / f"{PICTURES}.keys.npy", np.array([row.key for row in rows], np.int64))
        write_text_rows(generation, f"{PICTURES}.ids", [[row.id for row in rows]])

    def tidy(self, connection: Connection, forget: bool) -> None:
        """Remove vectors of other encoders, and with ``forget`` those of files no longer shown."""
        self._cache.remove_others()
        if forget:
            self._cache.keep_only([[bytes.fromhex(blob) for blob in shown_pictures(connection)]])


def shows_picture() -> ColumnElement[bool]:
    """Whether a component is an image whose file is stored."""
    return (components.c.modality == "image") & components.c.blob.in_(select(blobs.c.sha256))


def picture_cache(corpus: Path, fingerprint: str, dimension: int) -> VectorCache:
    """The cache of a corpus's picture vectors by an encoder, by file hash."""
    return VectorCache(_cache_folder(corpus), fingerprint, dimension, PICTURE)


def remove_cache(corpus: Path) -> None:
    """Remove the cache of a corpus's picture vectors, if any."""
    shutil.rmtree(_cache_folder(corpus), ignore_errors=True)


def _cache_folder(corpus: Path) -> Path:
    return corpus / "vectors" / "pixels"


def shown_pictures(connection: Connection) -> list[str]:
    """The distinct SHA-256 of all files that components show."""
    return list(connection.execute(select(components.c.blob).where(shows_picture()).distinct()).scalars())
