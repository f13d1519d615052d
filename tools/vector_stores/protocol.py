"""The protocol of vector stores, and their input."""

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
        keys: [n], ascending: the item of each vector. A key always means the same vectors. Several vectors may share a
            key, as in late interaction.
        vectors: [n, dimension], of length 1.
        embedder: fingerprint of their embedder; vectors of two embedders are never compared.
    """

    keys: Rows
    vectors: StoredVectors
    embedder: str

    def __len__(self) -> int:
        """Number of vectors."""
        return len(self.keys)


class VectorStore(Protocol):
    """Approximate nearest neighbours in named layers. Thread-safe once built or opened."""

    def build(self, layers: Mapping[str, VectorLayer], advance: Advance) -> None:
        """Index layers. An interrupted build is never opened."""
        ...

    def update(self, layers: Mapping[str, VectorLayer]) -> float:
        """Search these versions of the layers from now on: removed rows are left out, new ones scored exactly.

        Returns the largest changed share of a layer: 0 where all are as built, 1 where nothing of a layer was built.
        """
        ...

    def search(self, layer: str, query: Vectors, count: int) -> Rows | None:
        """Rows of a layer, at least its ``count`` nearest to a query [dimension], unordered.

        None where scoring the whole layer is better.
        """
        ...

    def count(self) -> dict[str, int]:
        """Number of built vectors by layer, as the store itself counts them."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...
