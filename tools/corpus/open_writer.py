"""Open a corpus for writing, a local or a shared one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from backtrail.tools.corpus.errors import EmbedderMismatch, PixelsMismatch
from backtrail.tools.corpus.pixels import Pixels, recorded_pixels
from backtrail.tools.corpus.store.sync_mirror import open_publisher, sync_mirror
from backtrail.tools.corpus.writing.writer import CorpusWriter
from backtrail.tools.corpus.writing.writing_home import writing_home
from backtrail.tools.embedders.protocol import Embedder

MIRRORED = 120.0
"""Seconds that a writer of a shared corpus waits for the sync of this home's mirror (ours)."""


@contextmanager
def open_writer(
    name: str,
    embedder_name: str,
    embedder: Embedder,
    *,
    new_embedder: bool = False,
    pixels: Pixels | Literal["recorded"] | None = "recorded",
) -> Iterator[CorpusWriter]:
    """Open a corpus for writing, created if missing. Unpublished changes are dropped at the end.

    Args:
        embedder_name: recorded, so that readers open the same.
        new_embedder: accept embedders other than the recorded ones, and embed again with them.
        pixels: the encoder of pictures; None removes the recorded one.

    Raises:
        CorpusLocked: another process is writing, also from another home on the same database.
        EmbedderMismatch: the corpus was indexed with another embedder.
        PixelsMismatch: its pictures were embedded with another encoder.
        CorpusDiskFull: no space left; the corpus is unchanged.
        DatabaseUnavailable: the database is away; the corpus is unchanged.
        StoreUnavailable, PublishConflict: of a shared corpus, see ``store/``; it is unchanged.
    """
    kept = sync_mirror(name, patience=MIRRORED)
    if kept:
        kept.note()
    with writing_home(name, patience=MIRRORED if kept else 0.0) as home:
        meta = home.meta
        if meta.fingerprint not in ("", embedder.fingerprint) and not new_embedder:
            raise EmbedderMismatch(name, meta.fingerprint, embedder.fingerprint, embedder_name)
        if pixels == "recorded":
            pixels = recorded_pixels(name, meta)
        if pixels and meta.pixels_fingerprint not in ("", pixels.encoder.fingerprint) and not new_embedder:
            raise PixelsMismatch(name, meta.pixels_fingerprint, pixels.encoder.fingerprint, pixels.name)
        sharing = open_publisher(name) if kept else None
        with home.writer(replace(meta, embedder=embedder_name), embedder, pixels, sharing) as writer:
            yield writer
            if sharing:
                sharing.note()
