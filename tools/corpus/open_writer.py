"""Become the writer of a corpus, of this home alone or of a shared one."""

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
"""Seconds that a writer of a shared corpus waits while this home's mirror is brought in line (ours)."""


@contextmanager
def open_writer(
    name: str,
    embedder_name: str,
    embedder: Embedder,
    *,
    new_embedder: bool = False,
    pixels: Pixels | Literal["recorded"] | None = "recorded",
) -> Iterator[CorpusWriter]:
    """Write to a corpus, which is made if need be. What was not published when the block ends is dropped.

    Args:
        embedder_name: recorded, so that readers open the same.
        new_embedder: accept embedders other than the recorded ones; what they embed is embedded again.
        pixels: the encoder that sees the pictures; None forgets the recorded one.

    Raises:
        CorpusLocked: another process is writing, also from another home on the same database.
        EmbedderMismatch: the corpus was indexed with another embedder.
        PixelsMismatch: its pictures were embedded with another encoder.
        CorpusDiskFull: no space left; the corpus is as it was.
        DatabaseUnavailable: the database is away, or was lost on the way; the corpus is as it was.
        StoreUnavailable, PublishConflict: of a shared corpus, see ``store/``; it is as it was.
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
