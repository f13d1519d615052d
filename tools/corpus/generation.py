"""One generation of the index: immutable arrays, mapped into memory.

A generation is a folder ``index/g000012`` with, per layer, its vectors (float32 [n, dimension], rows L2-normalised;
see ``vector_rows.py``), ``<layer>.keys.npy`` (int64 [n], ascending) and ``<layer>.ids`` (see ``text_rows.py``);
``components.start.npy`` and ``subcomponents.start.npy`` (int64 [parents + 1]: the children of parent i are the rows
start[i] to start[i+1]); the lexical index in ``words/`` and terms in ``terms/``. With a pixel encoder, ``pictures`` is
one more layer: components with a picture, and vectors of their pixels. Writers build the next generation beside it, so
readers are not disturbed. Vector stores are derived from it, in ``vector_index/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backtrail.state.hop import Granularity
from backtrail.tools.arrays.mapped_array import map_array
from backtrail.tools.arrays.text_rows import TextRows, open_text_rows
from backtrail.tools.arrays.vector_rows import Rows, StoredVectors, open_vectors
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.vector_stores.protocol import VectorLayer

LAYERS: dict[Granularity, str] = {
    "document": "documents",
    "component": "components",
    "subcomponent": "subcomponents",
}
PICTURES = "pictures"
VECTOR_INDEX, CONTENTS, KNOWLEDGE = "vector_index", "contents", "knowledge"
"""Folder of a corpus's vector stores, and in it those of its contents and its knowledge graph."""


@dataclass(frozen=True)
class Layer:
    """Ids, keys and vectors of one layer, row by row in reading order."""

    name: str
    ids: TextRows
    keys: Rows
    vectors: StoredVectors

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.ids)

    def searched(self, embedder: str) -> VectorLayer:
        """This layer as input of vector stores, with the fingerprint of the embedder."""
        return VectorLayer(self.keys, self.vectors, embedder)


@dataclass(frozen=True)
class Generation:
    """All layers of one generation, with the rows of children per parent."""

    folder: Path
    number: int
    documents: Layer
    components: Layer
    subcomponents: Layer
    component_start: Rows
    subcomponent_start: Rows
    pictures: Layer | None = None

    def layer(self, granularity: Granularity) -> Layer:
        """The layer of a granularity."""
        return {"document": self.documents, "component": self.components, "subcomponent": self.subcomponents}[
            granularity
        ]

    @property
    def by_name(self) -> Mapping[str, Layer]:
        """The layers of contents by name."""
        return {name: self.layer(granularity) for granularity, name in LAYERS.items()}

    def documents_of(self, components: Rows) -> Rows:
        """The document row of each component row."""
        return np.searchsorted(self.component_start, components, side="right") - 1

    def components_of(self, subcomponents: Rows) -> Rows:
        """The component row of each subcomponent row."""
        return np.searchsorted(self.subcomponent_start, subcomponents, side="right") - 1


def vector_layers(generation: Generation, meta: Meta) -> dict[str, VectorLayer]:
    """Inputs of the vector stores of a generation, by layer."""
    layers = {name: layer.searched(meta.fingerprint) for name, layer in generation.by_name.items()}
    pictures = generation.pictures
    return layers | ({PICTURES: pictures.searched(meta.pixels_fingerprint)} if pictures else {})


def generation_folder(corpus: Path, number: int) -> Path:
    """The folder of a generation."""
    return corpus / "index" / f"g{number:06d}"


def open_generation(corpus: Path, number: int) -> Generation:
    """Map a generation into memory.

    Raises:
        FileNotFoundError: a file of it is missing.
        ValueError: its files do not match.
    """
    folder = generation_folder(corpus, number)
    documents, components, subcomponents = (open_layer(folder, name) for name in LAYERS.values())
    component_start = _open_starts(folder, documents, components)
    subcomponent_start = _open_starts(folder, components, subcomponents)
    pictures = open_layer(folder, PICTURES) if (folder / f"{PICTURES}.keys.npy").exists() else None
    return Generation(
        folder, number, documents, components, subcomponents, component_start, subcomponent_start, pictures
    )


def _open_starts(folder: Path, parents: Layer, children: Layer) -> Rows:
    starts = map_array(folder / f"{children.name}.start.npy")
    if len(starts) != len(parents) + 1 or starts[-1] != len(children):
        raise ValueError(f"{folder}: {children.name} do not match {parents.name}")
    return starts


def open_layer(folder: Path, name: str) -> Layer:
    """Map one layer into memory; FileNotFoundError and ValueError as for a generation."""
    ids = open_text_rows(folder, f"{name}.ids")
    keys = map_array(folder / f"{name}.keys.npy")
    vectors = open_vectors(folder, name)
    if not len(ids) == len(keys) == len(vectors):
        raise ValueError(f"{folder}: {name} has {len(ids)} ids, {len(keys)} keys, {len(vectors)} vectors")
    return Layer(name, ids, keys, vectors)
