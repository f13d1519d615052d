"""Have what was published indexed by the vector store that serves."""

from __future__ import annotations

from pathlib import Path

from backtrail.tools.corpus.generation import CONTENTS, KNOWLEDGE, VECTOR_INDEX, open_generation, vector_layers
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.knowledge.generation import open_layers
from backtrail.tools.vector_stores.index_folder import IndexFolder


def index_folders(corpus: Path, meta: Meta) -> list[IndexFolder]:
    """The stores of a corpus: of its contents, and of its knowledge graph where it has one.

    Raises:
        OSError, ValueError: the arrays of its generation cannot be read.
    """
    folder = corpus / VECTOR_INDEX
    held = [IndexFolder(folder / CONTENTS, vector_layers(open_generation(corpus, meta.generation), meta))]
    if meta.knowledge:
        held.append(IndexFolder(folder / KNOWLEDGE, open_layers(corpus, meta.generation).searched(meta)))
    return held


def index_vectors(corpus: Path, meta: Meta, progress: Progress, *, anew: bool, forget: bool) -> None:
    """Build the stores of a corpus where there are none, and in the background where much changed since.

    Args:
        corpus: its folder.
        meta: of what is published.
        anew: build them now in any case.
        forget: and leave nothing of earlier ones.
    """
    held = index_folders(corpus, meta)
    progress.stage("index", sum(len(layer) for one in held for layer in one.layers.values()))
    for one in held:
        if forget:
            one.keep(0)
        newest = one.newest()
        if anew or newest is None:
            one.build(corpus.name, progress.advance)
        elif one.is_stale(newest):
            one.build_in_background(corpus.name)


def remove_vector_index(corpus: Path) -> None:
    """Remove all stores of a corpus, from a server too."""
    for part in (CONTENTS, KNOWLEDGE):
        IndexFolder(corpus / VECTOR_INDEX / part, {}).keep(0)
