import numpy as np
from numpy.typing import NDArray

from backtrail.tools.vector_stores.protocol import VectorLayer


def clustered(count: int, dimension: int, seed: int) -> NDArray[np.float32]:
    """Vectors as texts have them: topics, few free dimensions, and a mean that is not zero."""
    chosen = np.random.default_rng(seed)
    spread = np.random.default_rng(0).normal(size=(24, dimension))
    topics = np.random.default_rng(1).normal(size=(60, 24))
    vectors = (topics[chosen.integers(60, size=count)] + 0.7 * chosen.normal(size=(count, 24))) @ spread + 1.5
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def layer(vectors: NDArray[np.float32], keys: list[int] | range | None = None, embedder: str = "one") -> VectorLayer:
    """A layer with the keys 0, 1, …"""
    return VectorLayer(np.array(range(len(vectors)) if keys is None else keys, np.int64), vectors, embedder)
