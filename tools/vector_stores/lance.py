"""Nearest neighbours in Lance: one table per layer in a folder, with an index if it is large."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from backtrail.tools.arrays.vector_rows import Rows, Vectors
from backtrail.tools.open_lance import open_arrow, open_lance
from backtrail.tools.vector_stores.errors import StoreDamaged
from backtrail.tools.vector_stores.folder_store import Built, FolderStore
from backtrail.tools.vector_stores.protocol import Advance, VectorLayer

INDEXED_FROM = 10_000
"""Rows from which a table has an index: smaller ones are scanned as fast (docs/scaling.md)."""
_BATCH = 8_192
_PROBED, _REFINED = 32, 4


class LanceStore(FolderStore):
    """Lance tables of layers."""

    kind = "lance"
    most_neighbours = 1_000

    def count(self) -> dict[str, int]:
        """Number of built vectors by layer."""
        return {name: table.count_rows() for name, table in self._tables.items()}

    def close(self) -> None:
        """Close the tables."""
        self._tables = {}

    def _write(self, folder: Path, layers: Mapping[str, VectorLayer], advance: Advance) -> None:
        lance, pyarrow = open_lance(), open_arrow()
        for name, layer in layers.items():
            kind = pyarrow.list_(pyarrow.float32(), layer.vectors.shape[1])
            schema = pyarrow.schema([("place", pyarrow.int64()), ("vector", kind)])
            reader = pyarrow.RecordBatchReader.from_batches(schema, _batches(layer, schema, advance))
            table = lance.write_dataset(reader, str(folder / f"{name}.lance"))
            if len(layer) >= INDEXED_FROM:
                table.create_index("vector", "IVF_HNSW_SQ", metric="dot")

    def _open(self, built: Built) -> None:
        lance = open_lance()
        try:
            self._tables: dict[str, Any] = {
                name: lance.dataset(str(self.folder / f"{name}.lance")) for name in built.layers
            }
        except (OSError, ValueError) as error:
            raise StoreDamaged(f"the vector index in {self.folder} cannot be opened: {error}") from error

    def _nearest(self, layer: str, query: Vectors, count: int) -> Rows:
        options = {"column": "vector", "q": query, "k": count, "nprobes": _PROBED, "refine_factor": _REFINED}
        found = self._tables[layer].to_table(columns=["place"], nearest=options | {"metric": "dot"})
        return np.asarray(found["place"].to_numpy(), np.int64)


def _batches(layer: VectorLayer, schema: Any, advance: Advance) -> Iterator[Any]:
    pyarrow = open_arrow()
    for start in range(0, len(layer), _BATCH):
        vectors = layer.vectors[start : start + _BATCH]
        places = pyarrow.array(np.arange(start, start + len(vectors)))
        flat = pyarrow.array(np.ascontiguousarray(vectors).reshape(-1))
        yield pyarrow.record_batch(
            [places, pyarrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1])], schema=schema
        )
        advance(len(vectors))
