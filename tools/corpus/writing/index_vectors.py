"""Build the vector stores of a published generation."""

from __future__ import annotations

from pathlib import Path

from backtrail.tools.corpus.generation import CONTENTS, KNOWLEDGE, VECTOR_INDEX, open_generation, vector_layers
from backtrail.tools.corpus.tables.meta import Meta
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.knowledge.generation import open_layers
from backtrail.tools.vector_stores.index_folder import IndexFolder


def index_folders(corpus: Path, meta: Meta) -> list[IndexFolder]:
    """The vector stores of a corpus: of its contents, and of its knowledge graph if it has one.

    Raises:
        OSError, ValueError: the arrays of the generation cannot be read.
    """
    folder = corpus / VECTOR_INDEX
    folders = [IndexFolder(folder / CONTENTS, vector_layers(open_generation(corpus, meta.generation), meta))]
    if meta.knowledge:
        folders.append(IndexFolder(folder / KNOWLEDGE, open_layers(corpus, meta.generation).searched(meta)))
    return folders


def index_vectors(corpus: Path, meta: Meta, progress: Progress, *, anew: bool, forget: bool) -> None:
    """Build missing vector stores of a corpus, and outdated ones in the background.

    Args:
        corpus: folder of the corpus.
        meta: published metadata.
        anew: build all of them now.
        forget: delete earlier ones first.
    """
    folders = index_folders(corpus, meta)
    progress.stage("index", sum(len(layer) for one in folders for layer in one.layers.values()))
    for one in folders:
        if forget:
            one.keep(0)
        newest = one.newest()
        if anew or newest is None:
            one.build(corpus.name, progress.advance)
        elif one.is_stale(newest):
            one.build_in_background(corpus.name)


def remove_vector_index(corpus: Path) -> None:
    """Remove all vector stores of a corpus, also on a server."""
    for part in (CONTENTS, KNOWLEDGE):
        IndexFolder(corpus / VECTOR_INDEX / part, {}).keep(0)
