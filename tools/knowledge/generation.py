"""The vectors of a graph in one generation of a corpus's index: arrays in ``knowledge/``, mapped into memory.

Layers: ``entities`` (without plain values), ``relations`` and ``statements``. The first two also stand in a vector
index (``knowledge/chroma`` or ``knowledge/binary``). Statements do not: within a radius there may be any number, and
one product with the mapped array finds all of them, where an index finds most of the nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from backtrail.tools.corpus.generation import Layer, generation_folder, open_layer
from backtrail.tools.corpus.search.binary_index import BINARY, build_binary
from backtrail.tools.corpus.search.chroma_index import build_collections, collection_name
from backtrail.tools.corpus.search.vector_index import chosen_kind
from backtrail.tools.corpus.writing.build_generation import write_layer
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.knowledge.tables import GRAPH_TABLES

INDEXED = ("entities", "relations")


@dataclass(frozen=True)
class KnowledgeLayers:
    """The layers of one generation."""

    folder: Path
    number: int
    entities: Layer
    relations: Layer
    statements: Layer

    @property
    def indexed(self) -> Mapping[str, Layer]:
        """The layers that are in a vector index, by name."""
        return {name: getattr(self, name) for name in INDEXED}


def knowledge_folder(corpus: Path, number: int) -> Path:
    """Where the graph's part of a generation lies."""
    return generation_folder(corpus, number) / "knowledge"


def open_layers(corpus: Path, number: int) -> KnowledgeLayers:
    """Map the graph's part of a generation.

    Raises:
        FileNotFoundError: a file of it is missing.
        ValueError: its files do not fit together.
    """
    folder = knowledge_folder(corpus, number)
    entities, relations, statements = (open_layer(folder, table.name) for table in GRAPH_TABLES)
    return KnowledgeLayers(folder, number, entities, relations, statements)


def build_layers(
    connection: Connection,
    corpus: Path,
    number: int,
    previous: int | None,
    uid: str,
    cache: VectorCache,
    dimension: int,
    progress: Progress,
) -> None:
    """Write the graph's part of a generation. KeyError when a text has no vector.

    Args:
        number: of the generation, whose folder exists.
        previous: number of the generation whose vectors may be taken over; None builds the index anew.
        uid: of the corpus.
    """
    progress.stage("vectors")
    folder = knowledge_folder(corpus, number)
    folder.mkdir()
    for table in GRAPH_TABLES:
        write_layer(connection, table, cache, folder, dimension, progress)
    layers = open_layers(corpus, number)
    earlier = _earlier(corpus, previous)
    sizes = [len(layer) for layer in layers.indexed.values()]
    progress.stage("index", sum(sizes))
    if chosen_kind(sizes) == "binary":
        old = earlier.folder / BINARY if earlier else None
        build_binary(folder / BINARY, layers.indexed, old, earlier.indexed if earlier else None, progress)
        return
    build_collections(
        folder / "chroma",
        layers.indexed,
        earlier.folder / "chroma" if earlier else None,
        earlier.indexed if earlier else None,
        lambda name: collection_name(uid, number, name),
        progress,
    )


def _earlier(corpus: Path, number: int | None) -> KnowledgeLayers | None:
    try:
        return open_layers(corpus, number) if number else None
    except (OSError, ValueError):
        return None  # there was no graph yet, or it is damaged: built anew
