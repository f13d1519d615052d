"""Measure the cost of an ingest beyond embedding, and that of a second one.

    python benchmarks/ingest_speed.py FOLDER [--limit 3000]

Ingests the first documents of a bundle into a temporary home three times: with a free embedder, for the cost of
everything else; with the offline embedder; and again unchanged. The floor is embedding only the same distinct texts,
longest first.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from backtrail.ingest import parse
from backtrail.ingest.jsonl import BadLine
from backtrail.ingest.parse_cache.parsed_file import Reading
from backtrail.ingest.parse_cache.root_cache import RootParseCache
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.open import shared_embedder
from backtrail.tools.embedders.protocol import Embedder, Vectors


class Noise:
    """Embedder that returns random unit vectors and records the texts."""

    dimension = 384
    fingerprint = "noise:384"

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._random = np.random.default_rng(0)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return random vectors [n, 384]."""
        self.texts += texts
        vectors = self._random.normal(size=(len(texts), self.dimension)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main() -> None:
    """Measure and print wall and processor seconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=3000, help="documents; 0 for all")
    options = parser.parse_args()
    if options.limit:
        _limit_bundles(options.limit)
    ingest_to_floor, again_to_ingest = ratios(options.folder)
    print(f"ingest / floor {ingest_to_floor:.2f} (processor time), again / ingest {again_to_ingest:.4f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def ratios(folder: Path) -> tuple[float, float]:
    """Return processor time ratios: of an ingest to embedding its texts, and of a second to the first."""
    real = shared_embedder("offline")  # opened before the home is replaced by a temporary one
    with tempfile.TemporaryDirectory() as home, _home_at(home):
        noise = Noise()
        _timed("everything but embedding", folder, "noise", noise)
        started = time.perf_counter(), time.process_time()
        for first in range(0, len(noise.texts), 512):
            real.embed(noise.texts[first : first + 512])
        floor = _tell(f"floor: embedding {len(noise.texts)} texts alone", *started)
        whole = _timed("ingest", folder, "real", real)
        again = _timed("ingest again, unchanged", folder, "real", real)
    return whole / floor, again / whole


@contextmanager
def _home_at(folder: str) -> Iterator[None]:
    before = os.environ.get("BACKTRAIL_HOME")
    os.environ["BACKTRAIL_HOME"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["BACKTRAIL_HOME"]
        else:
            os.environ["BACKTRAIL_HOME"] = before


def _limit_bundles(limit: int) -> None:
    whole = parse.parse_bundle

    def some(folder: Path, readings: RootParseCache | None = None) -> Iterator[ParsedDocument | Reading | BadLine]:
        for number, entry in enumerate(whole(folder, readings)):
            if number >= limit:
                return
            yield entry

    parse.parse_bundle = some


def _timed(what: str, folder: Path, corpus: str, embedder: Embedder) -> float:
    started = time.perf_counter(), time.process_time()
    report = ingest([folder], corpus, embedder="offline", opened=embedder)
    return _tell(f"{what} ({report.added} added, {report.embedded} embedded)", *started)


def _tell(what: str, wall: float, processor: float) -> float:
    used = time.process_time() - processor
    print(f"{what:60} {time.perf_counter() - wall:8.1f} s wall {used:8.1f} s processor", file=sys.stderr, flush=True)
    return used


if __name__ == "__main__":
    main()
