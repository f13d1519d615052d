"""Errors of knowledge graphs."""

from __future__ import annotations

from backtrail.tools.corpus.errors import CorpusError


class KnowledgeMissing(CorpusError):
    """A corpus without a knowledge graph was asked for one.

    Args:
        name: of the corpus.
        source: a folder or file that it was ingested from, as far as it is known.
    """

    def __init__(self, name: str, source: str = "") -> None:
        super().__init__(
            f"Corpus {name!r} has no knowledge graph. Build it with: "
            f"backtrail ingest {source or 'PATH'} --corpus {name} --knowledge-graph"
        )
        self.name = name


class KnowledgeOfAll(KnowledgeMissing):
    """A knowledge graph was asked for within single documents: its nodes are made of all of them."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.args = (
            f"The knowledge graph of corpus {name!r} tells of all its documents, and is not asked within single ones.",
        )
