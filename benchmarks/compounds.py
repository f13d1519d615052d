"""Measure lexical search for German compounds: their parts are queries, pages with them gold.

    python benchmarks/compounds.py FOLDER…

The parts of every compound in a heading are a query, the last first ("Fehlerbehandlung": "Behandlung Fehler"), and the
page with the heading is gold. Compounds are split with the words of the other folders, so that the queries do not
depend on the tested splitting; a page counts as found by any of its components. Prints Recall and MRR over the first
ten pages, with compounds split and whole.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from words_by_language import NoVectors

from backtrail.ingest.pipeline import ingest
from backtrail.language.compounds import parts_of
from backtrail.language.terms import content_terms, words
from backtrail.tools.corpus.inventory import stored_documents
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.search import lexical

MOST = 10


def main() -> None:
    """Measure the given folders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    folders: list[Path] = parser.parse_args().folders
    with tempfile.TemporaryDirectory() as home:
        os.environ["BACKTRAIL_HOME"] = home
        split = {folder: _ingested(folder, f"{n}-split") for n, folder in enumerate(folders)}
        with patch.object(lexical, "JOINTS", {}):
            whole = {folder: _ingested(folder, f"{n}-whole") for n, folder in enumerate(folders)}
        for folder in folders:
            known: Counter[str] = Counter()
            for other in folders:
                if other != folder:
                    known += _frequency(split[other])
            queries = _queries(split[folder], known)
            print(f"{folder}: {len(queries)} queries, split: {_scores(split[folder], queries)}", flush=True)
            with patch.object(lexical, "JOINTS", {}):
                print(f"  whole: {_scores(whole[folder], queries)}", flush=True)


def _ingested(folder: Path, name: str) -> StoredCorpus:
    embedder = NoVectors()
    ingest([folder], name, embedder="none", opened=embedder)
    return open_corpus(name, embedder=embedder)


def _components(corpus: StoredCorpus) -> list[str]:
    documents = [document.id for document in stored_documents(corpus.name)]
    return [id_ for ids in corpus.children(documents).values() for id_ in ids]


def _frequency(corpus: StoredCorpus) -> Counter[str]:
    texts = (component.text or "" for component in corpus.components(_components(corpus)).values())
    return Counter(term for text in texts for term in content_terms(text, "de"))


def _queries(corpus: StoredCorpus, known: Counter[str]) -> list[tuple[str, set[str]]]:
    """Return queries with the pages that have such a heading."""
    found: dict[str, set[str]] = {}
    for component in corpus.components(_components(corpus)).values():
        for heading in component.section.split(" > "):
            for word in words(heading, "de"):
                stem = next(iter(content_terms(word, "de")), "")
                parts = parts_of(stem, known, "de")
                if len(parts) == 2:
                    found.setdefault(" ".join(reversed(parts)), set()).add(component.document)
    return sorted(found.items())


def _scores(corpus: StoredCorpus, queries: Sequence[tuple[str, set[str]]]) -> str:
    recall = reciprocal = 0.0
    for text, gold in queries:
        found = [scored["id"] for scored in corpus.search_lexical(text, "component", 200)]
        pages = list(dict.fromkeys(id_.rpartition("#")[0] for id_ in found))[:MOST]
        recall += len(gold & set(pages)) / min(len(gold), MOST)
        reciprocal += next((1 / place for place, page in enumerate(pages, 1) if page in gold), 0.0)
    count = max(len(queries), 1)
    return f"Recall@10 {recall / count:.3f}, MRR@10 {reciprocal / count:.3f}"


if __name__ == "__main__":
    main()
