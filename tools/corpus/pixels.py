"""The pixel encoder of a corpus: the requested or the recorded one, opened on first use."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backtrail.tools.corpus.errors import PixelsMismatch
from backtrail.tools.corpus.open_picture import open_picture
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.embedders.open import open_pixel_embedder
from backtrail.tools.embedders.protocol import PixelEmbedder
from backtrail.tools.home import cache_folder

NO_PIXELS = "none"
"""Name that removes the recorded encoder."""

_lock = threading.Lock()
_encoders: dict[str, PixelEmbedder] = {}


@dataclass(frozen=True)
class Pixels:
    """A cross-modal encoder, with the name to open it by."""

    name: str
    encoder: PixelEmbedder


def open_pixels(name: str, opened: PixelEmbedder | None = None) -> Pixels:
    """The encoder of a name. Its path is made absolute, because the name is recorded.

    Args:
        opened: the encoder of that name, if it is open already.
    """
    kind, _, path = name.partition(":")
    name = f"{kind}:{Path(path).expanduser().absolute()}" if path else name
    return Pixels(name, opened or _shared(name))


def recorded_pixels(corpus: str, meta: Meta, opened: PixelEmbedder | None = None) -> Pixels | None:
    """The recorded encoder of a corpus, opened on first use; None without one."""
    return Pixels(meta.pixels, _Recorded(corpus, meta, opened)) if meta.pixels else None


class _Recorded:
    """Implements ``PixelEmbedder``. Raises PixelsMismatch on use if the name now means another encoder."""

    def __init__(self, corpus: str, meta: Meta, opened: PixelEmbedder | None) -> None:
        self.fingerprint = meta.pixels_fingerprint
        self.dimension = meta.pixels_dimension
        self._corpus = corpus
        self._name = meta.pixels
        self._opened = opened

    def embed_images(self, paths: Sequence[Path]) -> Vectors:
        """As the encoder does."""
        return self._encoder().embed_images(paths)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """As the encoder does."""
        return self._encoder().embed_texts(texts)

    def _encoder(self) -> PixelEmbedder:
        encoder = self._opened or _shared(self._name)
        if encoder.fingerprint != self.fingerprint:
            raise PixelsMismatch(self._corpus, self.fingerprint, encoder.fingerprint, self._name)
        return encoder


def _shared(name: str) -> PixelEmbedder:
    """The encoder of a name, opened once per process."""
    with _lock:
        if name not in _encoders:
            _encoders[name] = open_pixel_embedder(name, cache_folder=cache_folder(), open_image=open_picture)
        return _encoders[name]
