"""Whether Chroma works on this machine, tried on a collection of one vector."""

from __future__ import annotations

import tempfile


def chroma_works() -> bool:
    """Store a vector and find it again. Raises whatever Chroma raises."""
    import chromadb  # slow to import: only when used

    with tempfile.TemporaryDirectory() as folder:
        collection = chromadb.PersistentClient(folder).create_collection("check", embedding_function=None)
        collection.add(ids=["a"], embeddings=[[1.0, 0.0]])
        return collection.query(query_embeddings=[[1.0, 0.0]], n_results=1)["ids"] == [["a"]]
