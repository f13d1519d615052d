"""What a vector store does, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from backtrail.tools.arrays.vector_rows import Rows, StoredVectors, Vectors

Advance = Callable[[int], None]
"""Called with the number of vectors that were indexed since the last call."""


@dataclass(frozen=True)
class VectorLayer:
    """The vectors of one kind of item.

    Attributes:
        keys: [n], rising: the item of each vector. A key stands for the same vectors for ever. Several vectors may
            have one key, as in late interaction.
        vectors: [n, dimension], of length 1.
        embedder: fingerprint of what made them; those of two embedders are never compared.
    """

    keys: Rows
    vectors: StoredVectors
    embedder: str

    def __len__(self) -> int:
        """Number of vectors."""
        return len(self.keys)


class VectorStore(Protocol):
    """Approximate nearest neighbours in named layers. Safe to share between threads once it is built or opened."""

    def build(self, layers: Mapping[str, VectorLayer], advance: Advance) -> None:
        """Index layers. Whoever is killed meanwhile leaves nothing that is ever opened."""
        ...

    def update(self, layers: Mapping[str, VectorLayer]) -> float:
        """Answer for these layers from now on: what went is left out, what came is scored exactly.

        Returns the changed share of the layer that changed most: 0 where they are what was built, 1 where nothing of a
        layer was.
        """
        ...

    def search(self, layer: str, query: Vectors, count: int) -> Rows | None:
        """Rows of a layer, at least its ``count`` nearest to a query [dimension], in no order.

        None where so many are not found better than by scoring the whole layer.
        """
        ...

    def count(self) -> dict[str, int]:
        """Vectors that were built, by layer, as the store itself counts them."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...
