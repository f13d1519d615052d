"""Measure lexical search by language: link texts as queries, their targets as gold.

    python benchmarks/words_by_language.py FOLDER… [--most 400]

Each folder is ingested into its own corpus (without an embedder, as only words are measured), and their common parent,
which must contain nothing else, into another. Authors inflect and shorten link texts, so they are short queries that
differ from the target's heading; the page with the link does not count as found. Texts that link to several pages, or
equal the title of their target, are left out. Prints Hit@1 and Hit@10 over pages.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.inventory import stored_documents
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.reader import StoredCorpus

Queries = list[tuple[str, str, set[str]]]
"""Link text, target page, pages with the link."""
LOOKED_AT = 200  # components in the ranking from which pages are taken


class NoVectors:
    """Embedder with the same vector for every text."""

    dimension, fingerprint = 2, "none"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the same vector for each text."""
        return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))


def main() -> None:
    """Measure the given folders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=400, help="maximum number of queries per folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["BACKTRAIL_HOME"] = home
        asked: dict[str, Queries] = {}
        for folder in arguments.folders:
            corpus = _ingested([folder], folder.name)
            asked[folder.name] = _queries(corpus, folder.name)[: arguments.most]
            _report(folder.name, corpus, asked[folder.name])
        if len(arguments.folders) > 1:
            together = _ingested(
                [Path(os.path.commonpath([folder.resolve() for folder in arguments.folders]))], "together"
            )
            for name, queries in asked.items():
                within = [
                    (text, f"{name}/{target}", {f"{name}/{one}" for one in held}) for text, target, held in queries
                ]
                _report(f"{name}, all folders in one corpus", together, within)


def _ingested(folders: Sequence[Path], name: str) -> StoredCorpus:
    embedder = NoVectors()
    ingest(folders, name, embedder="none", opened=embedder)
    return open_corpus(name, embedder=embedder)


def _queries(corpus: StoredCorpus, name: str) -> Queries:
    documents = [document.id for document in stored_documents(name)]
    titles = {key: document.title.casefold() for key, document in corpus.documents(documents).items()}
    targets: dict[str, set[str]] = defaultdict(set)
    sources: dict[str, set[str]] = defaultdict(set)
    for source, members in corpus.children(documents).items():
        for links in corpus.links(members).values():
            for link in links:
                text = " ".join(link.anchor.split())
                if link.target in titles and link.target != source and _is_query(text):
                    targets[text].add(link.target)
                    sources[text].add(source)
    return [
        (text, target, sources[text])
        for text, (target, *others) in sorted((text, sorted(found)) for text, found in targets.items())
        if not others and text.casefold() != titles[target]
    ]


def _is_query(text: str) -> bool:
    """Return whether a text has several words, mostly of the language and not code."""
    plain = sum(character.isalpha() for character in text)
    return len(text) <= 120 and (len(text.split()) >= 2 or not text.isascii()) and plain >= 0.7 * len(text)


def _report(name: str, corpus: StoredCorpus, queries: Queries) -> None:
    places = [_place(corpus, *query) for query in queries]
    first, ten = (sum(place < most for place in places) for most in (1, 10))
    share = f"Hit@1 {first / len(places):.3f}  Hit@10 {ten / len(places):.3f}" if places else "no queries"
    print(f"{name}: {len(places)} queries  {share}", flush=True)


def _place(corpus: StoredCorpus, text: str, target: str, sources: set[str]) -> int:
    """Return the 0-based rank of the target among the pages found."""
    found = [scored["id"] for scored in corpus.search_lexical(text, "component", LOOKED_AT)]
    components = corpus.components(found)
    pages = list(dict.fromkeys(components[key].document for key in found))
    ranked = [page for page in pages if page not in sources or page == target]
    return ranked.index(target) if target in ranked else LOOKED_AT


if __name__ == "__main__":
    main()
