"""The tables of a corpus: the source of truth, from which every index can be rebuilt.

Integer keys are assigned in reading order and never reused: ``ORDER BY key`` groups the descendants of each document
and component, and a key always means the same content (a changed document gets new keys).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Index, Integer, LargeBinary, MetaData, String, Table, Text

LAYOUT = 3
"""Increased with incompatible changes of tables or index files. Other layouts are refused."""

LONGEST_KEY = 2000
"""Bytes of an indexed text: an index entry of PostgreSQL takes at most 2704."""

_Key = BigInteger().with_variant(Integer(), "sqlite")

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
    comment="the fields of Meta",
)

documents = Table(
    "documents",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("root", Text, nullable=False),
    Column("content_hash", String(128), nullable=False),
    Column("search_text", Text, nullable=False),
    Column("text_hash", LargeBinary(16), nullable=False),
    Index("documents_by_url", "url", postgresql_using="hash"),  # URLs may be longer than LONGEST_KEY
)

components = Table(
    "components",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("document_key", _Key, nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("modality", String(8), nullable=False),
    Column("section", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("blob", String(64), nullable=True, index=True),
    Column("search_text", Text, nullable=False),
    Column("text_hash", LargeBinary(16), nullable=False),
)

subcomponents = Table(
    "subcomponents",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False),
    Column("component_key", _Key, nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("search_text", Text, nullable=False),
    Column("text_hash", LargeBinary(16), nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("component_key", _Key, primary_key=True, autoincrement=False),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    # as written
    Column("written", Text, nullable=False),
    Column("written_kind", String(8), nullable=False),
    Column("wanted", Text, nullable=False, comment="document id or URL, without its fragment"),
    Column("fragment", Text, nullable=True),
    Column("anchor", Text, nullable=False),
    Column("cell_row", Integer, nullable=True),
    Column("cell_column", Integer, nullable=True),
    # as resolved over the whole corpus
    Column("kind", String(8), nullable=False),
    Column("target", Text, nullable=True),
    Column("component", Text, nullable=True),
)

fragments = Table(
    "fragments",
    metadata,
    Column("document_key", _Key, primary_key=True, autoincrement=False),
    Column("fragment", Text, primary_key=True),
    Column("component", Text, nullable=False),
)

blobs = Table(
    "blobs",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("size", BigInteger, nullable=False),
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("id", Text, primary_key=True),
    Column("root", Text, nullable=False),
    Column("deleted", String(32), nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("generation", Integer, primary_key=True, autoincrement=False),
    Column("finished", String(32), nullable=False),
    Column("seconds", Float, nullable=False),
    Column("report", Text, nullable=False),
)

# --- the knowledge graph ------------------------------------------------------------------------
# Components are referenced by id, which stays the same when a document is ingested again. Keys of entities,
# relations and statements are hashes of their contents.

extractions = Table(
    "extractions",
    metadata,
    Column("component", Text, primary_key=True),
    Column("chunk", Integer, primary_key=True, autoincrement=False),
    Column("component_key", _Key, nullable=False, index=True, comment="the component as it was when it was read"),
    Column("content_hash", LargeBinary(16), nullable=False, comment="of what the extractor was shown"),
    Column("extractor", Text, nullable=False),
    Column("status", String(8), nullable=False, comment="ok, empty, failed or pending"),
    Column("error", Text, nullable=False),
    Column("content", Text, nullable=False, comment="entities and triplets as JSON"),
)

descriptions = Table(
    "descriptions",
    metadata,
    Column("hash", LargeBinary(16), primary_key=True, comment="of the descriptions that were summed up"),
    Column("extractor", Text, nullable=False),
    Column("summary", Text, nullable=True, comment="NULL until the extractor has written it"),
)

summarized = Table(
    "summarized",
    metadata,
    Column("owner", String(32), primary_key=True, comment="id of an entity or a relation"),
    Column("hash", LargeBinary(16), nullable=False, comment="of the summary that it has"),
    Column("covered", LargeBinary, nullable=False, comment="hashes of the texts it stands for, 16 bytes each"),
)

entities = Table(
    "entities",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=False),
    Column("id", String(32), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("alike", Text, nullable=False, index=True, comment="what names that mean it have in common"),
    Column("kind", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("pictures", Text, nullable=False, comment="sha256 of picture files, JSON"),
    Column("search_text", Text, nullable=False),
    Column("text_hash", LargeBinary(16), nullable=True, comment="NULL where it is not searched by vectors"),
)

relations = Table(
    "relations",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=False),
    Column("id", String(32), nullable=False, unique=True),
    Column("head", String(32), nullable=False, index=True),
    Column("relation", Text, nullable=False),
    Column("tail", String(32), nullable=False, index=True),
    Column("description", Text, nullable=False),
    Column("keywords", Text, nullable=False, comment="JSON"),
    Column("weight", Float, nullable=False),
    Column("search_text", Text, nullable=False),
    Column("text_hash", LargeBinary(16), nullable=True, comment="NULL where it is not searched by vectors"),
)

provenance = Table(
    "provenance",
    metadata,
    Column("owner", _Key, primary_key=True, autoincrement=False, comment="key of an entity or a relation"),
    Column("component", Text, primary_key=True),
)

statements = Table(
    "statements",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("component", Text, nullable=False, index=True),
    Column("ordinal", Integer, nullable=False),
    Column("kind", String(8), nullable=False, comment="triplet, title or caption"),
    Column("head", Text, nullable=False),
    Column("relation", Text, nullable=False),
    Column("tail", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("search_text", Text, nullable=False),
    Column("text_hash", LargeBinary(16), nullable=True, comment="NULL where an earlier one of the component has it"),
)
