"""Measure cost and recall of each vector store over the vectors of a corpus, against exact search.

    python benchmarks/vector_stores.py CORPUS QUESTIONS [--vectors 100000] [--kinds chroma binary] [--nearest 10 500]

CORPUS is in $BACKTRAIL_HOME, QUESTIONS a file of JSON lines with a ``question`` each. Uses the vectors of all layers
in reading order; missing ones are copies with noise. Build time, in processor seconds, is compared with embedding as
many texts, extrapolated from 1,000 of the corpus's. Recall of the nearest is against exact search, with twice as many
candidates, as in searches. The first query includes opening the store, but not importing its package.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.arrays.vector_rows import Vectors
from backtrail.tools.corpus.generation import open_generation
from backtrail.tools.corpus.open import current, shared_embedder
from backtrail.tools.vector_stores.folder_store import FolderStore
from backtrail.tools.vector_stores.kinds import KINDS, store_at
from backtrail.tools.vector_stores.protocol import VectorLayer

QUERIES = 200
_LAYER = "vectors"
Exact = tuple[NDArray[np.int64], Vectors]
"""Nearest rows, in order, and the query."""


def main() -> None:
    """Measure and print a line per kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--nearest", nargs="+", type=int, default=[10, 500])
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    options = parser.parse_args()
    folder, _, meta = current(options.corpus)
    layers = open_generation(folder, meta.generation).by_name.values()
    stored = np.concatenate([layer.vectors[:] for layer in layers])
    vectors = grown(stored, options.vectors)
    embedder = shared_embedder(meta.embedder)
    with options.questions.open(encoding="utf-8") as lines:
        queries = embedder.embed([json.loads(line)["question"] for _, line in zip(range(QUERIES), lines, strict=False)])
    embedding = seconds_of_embedding(options.corpus, meta.embedder) * len(vectors)
    print(
        f"{len(stored):,} vectors of the corpus, {len(vectors):,} indexed, "
        f"{embedding:.0f} s of processor to embed as many texts"
    )
    exact = [(np.argsort(-(vectors @ query))[: max(options.nearest)], query) for query in queries]
    exact_p50 = np.median([timed(vectors, query) for query in queries])
    print(f"exact: query p50 {1000 * exact_p50:.2f} ms")
    for kind in options.kinds:
        measure(kind, vectors, exact, embedding, options.nearest)


def measure(kind: str, vectors: Vectors, exact: list[Exact], embedding: float, nearest: list[int]) -> None:
    """Build and search a store, and print the measurements."""
    layer = {_LAYER: VectorLayer(np.arange(len(vectors)), vectors, "bench")}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "store"
        started, worked = time.perf_counter(), time.process_time()
        store = store_at(kind, place, "bench")
        store.build(layer, lambda _: None)
        built, building = time.perf_counter() - started, time.process_time() - worked
        store.close()
        size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
        store = store_at(kind, place, "bench")
        started = time.perf_counter()
        store.open()
        store.update(layer)
        store.search(_LAYER, exact[0][1], 20)
        opened = time.perf_counter() - started
        print(
            f"{kind}: build {built:.1f} s, {building:.1f} of processor ({building / embedding:.3f} of embedding), "
            f"{size / 1e6:.0f} MB, first query {opened:.2f} s"
        )
        for count in nearest:
            print(f"  {count} nearest: {asked(store, count, exact)}")
        store.close()


def asked(store: FolderStore, count: int, exact: list[Exact]) -> str:
    """Return recall and times of queries for so many neighbors."""
    shares, taken, worked = [], [], []
    for wanted, query in exact:
        started, begun = time.perf_counter(), time.process_time()
        found = store.search(_LAYER, query, 2 * count)
        taken.append(time.perf_counter() - started)
        worked.append(time.process_time() - begun)
        shares.append(np.isin(wanted[:count], found).mean() if found is not None else 0.0)
    return (
        f"p50 {1000 * np.median(taken):.2f} ms, {1000 * np.median(worked):.2f} of processor, "
        f"p95 {1000 * np.quantile(taken, 0.95):.2f} ms, recall {np.mean(shares):.4f}"
    )


def grown(stored: Vectors, count: int) -> Vectors:
    """Return so many vectors: the stored ones, then copies of them with noise."""
    chosen = np.random.default_rng(0)
    more = stored[chosen.integers(len(stored), size=max(0, count - len(stored)))]
    more = more + chosen.normal(scale=0.5 / np.sqrt(stored.shape[1]), size=more.shape).astype(np.float32)
    more /= np.linalg.norm(more, axis=1, keepdims=True)
    return np.concatenate([stored[:count], more])


def seconds_of_embedding(corpus: str, embedder: str) -> float:
    """Return the processor seconds for embedding a text of the corpus."""
    from sqlalchemy import select

    from backtrail.tools.corpus.listing import read_only
    from backtrail.tools.corpus.tables import schema

    with read_only(corpus) as connection:
        rows = connection.execute(select(schema.subcomponents.c.text).limit(1_000)).scalars().all()
    started = time.process_time()
    shared_embedder(embedder).embed(rows)
    return (time.process_time() - started) / len(rows)


def timed(vectors: Vectors, query: Vectors) -> float:
    """Return the seconds of one exact search."""
    started = time.perf_counter()
    np.argpartition(-(vectors @ query), 10)[:10]
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
