"""Lexical search: BM25 per layer with bm25s and the English Snowball stemmer, mapped from disk."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import Stemmer
from numpy.typing import NDArray

from backtrail.tools.corpus.generation import Rows

Scores = NDArray[np.float32]
_local = threading.local()


def _stemmer() -> Any:
    # Stemmers keep a cache and must not be shared between threads.
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer


def build_words(folder: Path, texts: Sequence[str]) -> None:
    """Index texts, row by row, into a folder; an empty folder when there is no word to index."""
    folder.mkdir(parents=True)
    tokens = bm25s.tokenize(list(texts), stopwords="en", stemmer=_stemmer(), show_progress=False)
    if not isinstance(tokens, bm25s.tokenization.Tokenized) or not any(tokens.ids):
        return
    index = bm25s.BM25()
    index.index(tokens, show_progress=False)
    index.save(folder, show_progress=False)


class Words:
    """The lexical index of one layer. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        # ``load`` maps the postings; the vocabulary is read into memory.
        self._index = bm25s.BM25.load(folder, mmap=True, show_progress=False) if any(folder.iterdir()) else None

    @property
    def count(self) -> int | None:
        """Rows indexed; None when no row has a word."""
        return self._index.scores["num_docs"] if self._index else None

    def scores(self, query: str) -> Scores | None:
        """BM25 score of every row [n]; None when no word of the query occurs in the layer."""
        if self._index is None:
            return None
        tokens = bm25s.tokenize([query], stopwords="en", stemmer=_stemmer(), return_ids=False, show_progress=False)
        if isinstance(tokens, bm25s.tokenization.Tokenized):
            return None
        known = self._index.get_tokens_ids([str(token) for token in tokens[0]])
        return self._index.get_scores_from_ids(known) if known else None


def matching(scores: Scores | None, rows: Rows | None) -> tuple[Rows, Scores]:
    """Rows with a positive score and those scores, of all rows or of the given ones."""
    if scores is None:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    candidates = np.flatnonzero(scores > 0) if rows is None else rows[scores[rows] > 0]
    return candidates, scores[candidates]
