"""Measure the search over page pictures: seconds and memory of exact MaxSim over pages with vectors of real size.

    python benchmarks/page_search.py [--pages 10000] [--vectors 1030] [--dimension 128] [--tokens 26]

A ColPali page has 1,030 vectors of 128 values (1,024 patches and 6 tokens of its prompt). Vectors are random unit
vectors, because the work does not depend on their values; no model is opened. "cold" means that the files were dropped
from the page cache before the search. Memory is the growth of the process's peak over the searches.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from backtrail.tools.corpus.pages.open import PageSearch
from backtrail.tools.corpus.pages.page_index import Page, PageIndex, PageVectors, write_index


def main() -> None:
    """Write the pages, search them, print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--vectors", type=int, default=1_030)
    parser.add_argument("--dimension", type=int, default=128)
    parser.add_argument("--tokens", type=int, default=26, help="Vectors of a question.")
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), arguments)


def measure(folder: Path, arguments: argparse.Namespace) -> None:
    """Print disk space, then seconds and memory of searches."""
    draw = np.random.default_rng(0)
    index = PageIndex("random", "random", arguments.dimension, [page(at) for at in range(arguments.pages)], {}, {})
    vectors = PageVectors(folder, index.fingerprint, index.dimension)
    for one in index.pages:
        vectors.put(one.key, unit(draw.standard_normal((arguments.vectors, arguments.dimension), np.float32)))
    write_index(folder, index)
    files = list(vectors.folder.glob("??/*"))
    size = sum(file.stat().st_size for file in files)
    print(f"{arguments.pages:,} pages, {size / 1e9:.2f} GB of vectors, {arguments.tokens} vectors of a question")
    search = PageSearch("random", folder, index, {})
    documents = [one.source for one in index.pages]
    before = peak()
    for state in ("cold", "warm"):
        spent: list[tuple[float, float]] = []
        for _ in range(arguments.repeat):
            question = unit(draw.standard_normal((arguments.tokens, arguments.dimension), np.float32))
            if state == "cold":
                drop(files)
            wall, processor = time.perf_counter(), time.process_time()
            search.search(question, 10, documents)
            spent.append((time.perf_counter() - wall, time.process_time() - processor))
        walls, processors = zip(*spent, strict=True)
        print(f"{state}: {statistics.median(walls):.1f} s, {statistics.median(processors):.1f} s of processor time")
    print(f"memory: {peak() - before:.0f} MB more at the peak")


def page(number: int) -> Page:
    """Return a page of a document of its own."""
    return Page(f"d{number}", 1, [f"d{number}"], [f"d{number}#0"], f"{number:064x}"[::-1])


def unit(rows: np.ndarray) -> np.ndarray:
    """Return rows of length 1."""
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def drop(files: list[Path]) -> None:
    """Drop files from the page cache."""
    for file in files:
        descriptor = os.open(file, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def peak() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
