"""Vectors of a knowledge graph in one generation: arrays in ``knowledge/``, mapped into memory.

Layers: ``entities`` (without plain values), ``relations`` and ``statements``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from backtrail.tools.corpus.generation import Layer, generation_folder, open_layer
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.writing.build_generation import write_layer
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.vector_cache import VectorCache
from backtrail.tools.knowledge.tables import GRAPH_TABLES
from backtrail.tools.vector_stores.protocol import VectorLayer


@dataclass(frozen=True)
class KnowledgeLayers:
    """The layers of one generation."""

    entities: Layer
    relations: Layer
    statements: Layer

    def searched(self, meta: Meta) -> dict[str, VectorLayer]:
        """Return the layers that vector stores are built from."""
        return {table.name: getattr(self, table.name).searched(meta.fingerprint) for table in GRAPH_TABLES}


def knowledge_folder(corpus: Path, number: int) -> Path:
    """Return the folder of the graph in a generation."""
    return generation_folder(corpus, number) / "knowledge"


def open_layers(corpus: Path, number: int) -> KnowledgeLayers:
    """Map the graph's vectors of a generation.

    Raises:
        FileNotFoundError: a file is missing.
        ValueError: the files do not fit together.
    """
    folder = knowledge_folder(corpus, number)
    entities, relations, statements = (open_layer(folder, table.name) for table in GRAPH_TABLES)
    return KnowledgeLayers(entities, relations, statements)


def build_layers(
    connection: Connection,
    corpus: Path,
    number: int,
    cache: VectorCache,
    dimension: int,
    progress: Progress,
) -> None:
    """Write the graph's vectors of a generation. Raises KeyError if a text has no vector.

    Args:
        number: number of the generation, whose folder exists.
    """
    progress.stage("vectors")
    folder = knowledge_folder(corpus, number)
    folder.mkdir()
    for table in GRAPH_TABLES:
        write_layer(connection, table, cache, folder, dimension, progress)
