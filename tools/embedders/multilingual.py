"""Multilingual sentence embedders, with prompts for queries and documents.

Such models (paraphrase-multilingual, LaBSE, multilingual E5, BGE-M3) come as sentence-transformers folders. Those
trained with instructions need one prompt before queries and another before documents, which the folder names. The E5
family (Wang et al., 2024) has fixed prompts that its folders do not name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from backtrail.tools.embedders.protocol import Embedder, Vectors
from backtrail.tools.embedders.sentence_transformers import SentenceTransformerFolder

E5 = ("query: ", "passage: ")
_QUERY, _DOCUMENT = ("query",), ("document", "passage")


class TwoPrompts:
    """A sentence-transformers folder with a prompt for queries and one for documents.

    Implements ``Embedder`` and ``QueryEmbedder``.
    """

    def __init__(self, folder: SentenceTransformerFolder, query: str, document: str) -> None:
        self._folder = folder
        self._query, self._document = query, document
        self.dimension = folder.dimension
        both = hashlib.sha256(f"{query}\0{document}".encode()).hexdigest()[:8]
        self.fingerprint = f"{folder.fingerprint}:prompts-{both}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension] of documents, rows L2-normalised, in input order."""
        return self._folder.embed_with(self._document, texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension] of queries."""
        return self._folder.embed_with(self._query, texts)


def open_multilingual(name: str, *, cache_folder: Path) -> Embedder:
    """Open ``PATH`` or ``e5:PATH``, with two prompts if the model needs them.

    Raises what ``SentenceTransformerFolder`` raises.
    """
    family, _, rest = name.partition(":")
    is_e5 = family == "e5" and bool(rest)
    path = Path(rest if is_e5 else name).expanduser()
    folder = SentenceTransformerFolder(path, cache_folder=cache_folder)
    query, document = E5 if is_e5 else (_named(folder, _QUERY), _named(folder, _DOCUMENT))
    return TwoPrompts(folder, query, document) if query or document else folder


def _named(folder: SentenceTransformerFolder, names: tuple[str, ...]) -> str:
    return next((folder.prompts[name] for name in names if name in folder.prompts), "")
