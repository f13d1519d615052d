"""Errors of knowledge graphs."""

from __future__ import annotations

from backtrail.tools.corpus.errors import CorpusError


class KnowledgeMissing(CorpusError):
    """A corpus has no knowledge graph.

    Args:
        name: name of the corpus.
        source: the folder or file that it was ingested from, if known.
    """

    def __init__(self, name: str, source: str = "") -> None:
        super().__init__(
            f"Corpus {name!r} has no knowledge graph. Build it with: "
            f"backtrail ingest {source or 'PATH'} --corpus {name} --knowledge-graph"
        )
        self.name = name


class KnowledgeNotRestrictable(KnowledgeMissing):
    """A knowledge graph cannot be restricted to single documents: its nodes merge all of them."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.args = (
            f"The knowledge graph of corpus {name!r} merges all its documents and cannot be restricted to some.",
        )
