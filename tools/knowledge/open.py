"""Open the knowledge graph of a stored corpus by name."""

from __future__ import annotations

import threading

from sqlalchemy import Engine, select

from backtrail.tools.corpus.errors import CorpusDamaged, CorpusNotFound
from backtrail.tools.corpus.generation import KNOWLEDGE, VECTOR_INDEX
from backtrail.tools.corpus.open import current
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.tables.schema import documents
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.knowledge.generation import open_layers
from backtrail.tools.knowledge.reader import StoredKnowledge
from backtrail.tools.vector_stores.index import VectorIndex

_lock = threading.Lock()
_readers: dict[str, tuple[Engine, Meta, StoredKnowledge]] = {}


def open_knowledge(name: str) -> StoredKnowledge:
    """Open the graph of a corpus's current generation. Cached per process until the corpus changes.

    Raises:
        CorpusNotFound: no such corpus.
        KnowledgeMissing: it has no knowledge graph; the message says how to build it.
        CorpusDamaged: its vectors are missing; the message says how to rebuild them.
    """
    folder, engine, meta = current(name)
    if not meta.knowledge:
        raise KnowledgeMissing(name, _source(engine))
    with _lock:
        cached = _readers.get(name)
        if cached and cached[0] is engine and cached[1] == meta:
            return cached[2]
        try:
            layers = open_layers(folder, meta.generation)
        except (OSError, ValueError) as error:
            raise CorpusDamaged(name, f"the vectors of its knowledge graph cannot be read ({error})") from error
        index = VectorIndex(folder / VECTOR_INDEX / KNOWLEDGE, layers.searched(meta), name)
        reader = StoredKnowledge(name, engine, layers, index)
        _readers[name] = (engine, meta, reader)
        return reader


def recorded_extractor(name: str) -> str | None:
    """Return the extractor's model name of a corpus's graph; None if there is no graph or no corpus."""
    try:
        return current(name)[2].knowledge or None
    except CorpusNotFound:
        return None


def _source(engine: Engine) -> str:
    """Return the folder or file that all documents were ingested from, if there is only one."""
    with engine.connect() as connection:
        roots = connection.execute(select(documents.c.root).distinct().limit(2)).scalars().all()
    return roots[0] if len(roots) == 1 else ""
