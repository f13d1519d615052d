"""Protocol of a corpus's knowledge graph, as methods use it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol

from backtrail.state.hop import Scored
from backtrail.tools.corpus.protocol import Vectors

StatementKind = Literal["triplet", "title", "caption"]
VALUE = "value"
"""Kind of an entity that is a number, a date or a long cell: a node that is found only by its relations."""


@dataclass(frozen=True)
class Entity:
    """A node of the graph. ``pictures`` are blobs (sha256) that show it."""

    id: str
    name: str
    kind: str
    description: str
    components: tuple[str, ...]
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Relation:
    """An edge between two entities (ids), with its keywords and source components."""

    id: str
    head: str
    relation: str
    tail: str
    description: str
    keywords: tuple[str, ...]
    weight: float
    components: tuple[str, ...]


@dataclass(frozen=True)
class Triplet:
    """One statement of one component, before merging (indexed by MMAPG)."""

    id: str
    component: str
    head: str
    relation: str
    tail: str
    text: str


@dataclass(frozen=True)
class Statement:
    """A short text for radius search, with its component.

    A triplet's statement has the triplet's id and text. The title of a document belongs to its first component;
    a picture has statements for its title and its caption, a table for its caption.
    """

    id: str
    component: str
    text: str
    kind: StatementKind


class KnowledgeReader(Protocol):
    """Read access to the knowledge graph of one corpus. Thread-safe.

    Vectors come from the corpus's own embedder (``CorpusReader.embed``). Searches return at most
    ``limit`` results with similarity of at least ``at_least``, best first, ties by id. Unknown ids are
    left out of returned mappings.
    """

    def counts(self) -> dict[str, int]:
        """Count entities, relations, triplets, and components read, failed and pending."""
        ...

    def entities(self, ids: Collection[str]) -> dict[str, Entity]:
        """Entities by id."""
        ...

    def relations(self, ids: Collection[str]) -> dict[str, Relation]:
        """Relations by id."""
        ...

    def named(self, names: Collection[str]) -> dict[str, str]:
        """Return ids of entities by name, ignoring case, article and plural. Unknown names are left out."""
        ...

    def search_entities(self, query: Vectors, limit: int, at_least: float = -1.0) -> list[Scored]:
        """Entities nearest to any of the query vectors [n, dimension], except those of the kind VALUE."""
        ...

    def search_relations(self, query: Vectors, limit: int, at_least: float = -1.0) -> list[Scored]:
        """Relations nearest to any of the query vectors; not those to plain values, nor passing mentions."""
        ...

    def relations_of(self, entities: Collection[str]) -> dict[str, list[Relation]]:
        """Return each entity's relations, in both directions, highest weight first."""
        ...

    def triplets(self, components: Collection[str]) -> dict[str, list[Triplet]]:
        """Triplets of components, in reading order."""
        ...

    def statements(self, ids: Collection[str]) -> dict[str, Statement]:
        """Statements by id."""
        ...

    def search_statements(
        self, query: Vectors, radius: float, limit: int, components: Collection[str] | None = None
    ) -> tuple[list[Scored], bool]:
        """Search statements within a cosine distance (1 - similarity, in [0, 2]) of any of the query vectors.

        Exact, over the statements of ``components``, by default of all. Returns the ``limit`` nearest with their
        similarity, best first, and whether there were more.
        """
        ...
