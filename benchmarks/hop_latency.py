"""Measure the latency of a hop's searches and look-ups, against one exact product of the vectors.

    python benchmarks/hop_latency.py CORPUS QUESTIONS.jsonl [--questions 100]

The floor is ``vectors @ query`` over the searched layer with the best 10. Embedding the query is excluded.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from backtrail.state.hop import Granularity
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus

LAYERS: tuple[Granularity, ...] = ("document", "component", "subcomponent")


def main() -> None:
    """Measure and print medians and 95th percentiles in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--questions", dest="count", type=int, default=100)
    options = parser.parse_args()
    texts = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()[: options.count]]
    started = time.perf_counter()
    corpus = open_corpus(options.corpus)
    print(f"open {time.perf_counter() - started:.2f} s")
    queries = corpus.embed(texts)
    for layer in LAYERS:
        corpus.search_documents(queries[0], layer, 10)  # opens the index, maps the pages
        rows = corpus._generation.layer(layer)
        report(f"floor: exact product, {layer} ({len(rows)} rows)", queries, lambda q, r=rows: exact(r.vectors, q))
        report(f"global documents by {layer}", queries, lambda q, g=layer: corpus.search_documents(q, g, 10))
        report(f"global components by {layer}", queries, lambda q, g=layer: corpus.search_components(q, g, 10))
        report(f"local hop by {layer}", queries, lambda q, g=layer: local_hop(corpus, q, g))
    report("whole global hop", queries, lambda q: global_hop(corpus, q))
    words = iter(texts * 3)
    for layer in LAYERS:
        report(f"lexical, {layer}", queries, lambda q, g=layer: corpus.search_lexical(next(words), g, 10))


def exact(vectors: np.ndarray, query: np.ndarray) -> np.ndarray:
    """Return the ten best rows by one product."""
    return np.argpartition(-(vectors @ query), 10)[:10]


def global_hop(corpus: StoredCorpus, query: np.ndarray) -> None:
    """Search documents of the whole corpus, then their components, and read the contents."""
    documents = [hit["id"] for hit in corpus.search_documents(query, "component", 5)]
    hits = corpus.search_components(query, "subcomponent", 10, documents)
    corpus.documents(documents)
    corpus.components([hit["id"] for hit in hits])


def local_hop(corpus: StoredCorpus, query: np.ndarray, granularity: Granularity) -> None:
    """Follow the links of the best documents, search their targets, and read the contents."""
    anchors = [hit["id"] for hit in corpus.search_documents(query, "document", 5)]
    children = [id_ for ids in corpus.children(anchors).values() for id_ in ids]
    reached = {link.target for links in corpus.links(children).values() for link in links}
    documents = [hit["id"] for hit in corpus.search_documents(query, granularity, 5, reached)]
    hits = corpus.search_components(query, granularity, 10, documents)
    corpus.components([hit["id"] for hit in hits])


def report(name: str, queries: np.ndarray, work: Callable[[np.ndarray], object]) -> None:
    """Time a function for each query and print the percentiles."""
    times: list[float] = []
    for query in queries:
        started = time.perf_counter()
        work(query)
        times.append(1000 * (time.perf_counter() - started))
    print(f"{name:55} p50 {statistics.median(times):7.2f} ms   p95 {np.percentile(times, 95):7.2f} ms")


if __name__ == "__main__":
    main()
