"""Cache of query vectors: a traversal searches the same query at several layers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.embedders.protocol import Embedder, QueryEmbedder

_MOST = 2_048


class QueryVectors:
    """An embedder with a small cache of recent texts. Thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._embed = embedder.embed_queries if isinstance(embedder, QueryEmbedder) else embedder.embed
        self._recent: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors [n, dimension] in input order."""
        with self._lock:
            found = {text: self._recent[text] for text in texts if text in self._recent}
        missing = list(dict.fromkeys(text for text in texts if text not in found))
        if missing:
            found.update(zip(missing, self._embed(missing), strict=True))
        with self._lock:
            for text in texts:
                self._recent[text] = found[text]
                self._recent.move_to_end(text)
            while len(self._recent) > _MOST:
                self._recent.popitem(last=False)
        if not texts:
            return np.empty((0, self._embedder.dimension), np.float32)
        return np.stack([found[text] for text in texts])
