"""Writer of extractions: the chunks to read, and the outcome of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, func, select

from backtrail.state.knowledge.chunks import ExtractedKnowledge
from backtrail.tools.corpus.storage import is_mirror
from backtrail.tools.corpus.tables import schema
from backtrail.tools.journal.shared import DECISIONS, shared_journal
from backtrail.tools.knowledge import extractions
from backtrail.tools.knowledge.extractions import Chunk, Outcome, as_content
from backtrail.tools.knowledge.extractor import Extractor
from backtrail.tools.knowledge.journal import open_journal
from backtrail.tools.knowledge.requests import packed

_BATCH = 400  # components loaded at once


class KnowledgeWriter:
    """Writes one extractor's outcomes, inside the transaction of the corpus's writer.

    Models' replies are stored in the journal at once, so that a killed run does not pay for them again. Those of the
    rules are free and only stored in the tables.

    Attributes:
        changed: whether the graph will change.
    """

    def __init__(self, connection: Connection, corpus: Path, extractor: Extractor) -> None:
        self._connection = connection
        self._extractor = extractor.fingerprint
        self._accepted = extractor.accepted
        self._journal = None if extractor.is_offline else open_journal(corpus)
        self.changed = extractions.settle(connection) or self._unwritten_summaries()

    def close(self) -> None:
        """Close the journal."""
        if self._journal:
            self._journal.close()

    def count_unread(self) -> int:
        """Return the number of components that are not read completely."""
        return len(extractions.unread_components(self._connection, self._accepted))

    def unread(self) -> Iterator[list[Chunk]]:
        """Yield chunks to read, some components at a time; replies in the journal are stored directly."""
        ids = extractions.unread_components(self._connection, self._accepted)
        for start in range(0, len(ids), _BATCH):
            some = ids[start : start + _BATCH]
            stored = extractions.stored_chunks(self._connection, some)
            read = extractions.read_rows(self._connection, some, self._accepted)
            unread = [
                chunk
                for chunks in stored.values()
                for chunk in chunks
                if read.get((chunk.component, chunk.number)) != chunk.hash
            ]
            self._store_wordless([id_ for id_, chunks in stored.items() if not chunks])
            extractions.remove_surplus(self._connection, {id_: max(len(chunks), 1) for id_, chunks in stored.items()})
            yield self._without_remembered(unread)

    def requests(self, asked: Sequence[Chunk]) -> list[list[Chunk]]:
        """Group chunks into requests; rules read each chunk by itself."""
        return packed(asked) if self._journal else [[chunk] for chunk in asked]

    def keep(self, chunk: Chunk, knowledge: ExtractedKnowledge) -> Outcome:
        """Store the reply of a chunk in the journal and return its outcome."""
        content = as_content(knowledge)
        if self._journal:
            self._journal.put(chunk.hash, self._extractor, content)
        return extractions.outcome(chunk, content)

    def store(self, outcomes: Sequence[Outcome]) -> None:
        """Store the outcomes of chunks in the tables."""
        self.changed |= any(one.status in extractions.READ for one in outcomes)
        ids = list(dict.fromkeys(one.chunk.component for one in outcomes))
        extractions.store(self._connection, ids, outcomes, self._extractor)

    def summary(self, hash_: bytes) -> str | None:
        """Return a summary from the journal."""
        return self._journal.get([hash_], self._accepted).get(hash_) if self._journal else None

    def keep_summary(self, hash_: bytes, summary: str) -> None:
        """Store a summary in the journal."""
        if self._journal:
            self._journal.put(hash_, self._extractor, summary)

    def _without_remembered(self, unread: Sequence[Chunk]) -> list[Chunk]:
        if not self._journal:
            return list(unread)
        replies = self._journal.get(list({chunk.hash for chunk in unread}), self._accepted)
        self.store([extractions.outcome(chunk, replies[chunk.hash]) for chunk in unread if chunk.hash in replies])
        return [chunk for chunk in unread if chunk.hash not in replies]

    def _store_wordless(self, ids: Sequence[str]) -> None:
        keys = extractions.component_keys(self._connection, ids)
        self.store([extractions.wordless(id_, keys[id_]) for id_ in ids])

    def _unwritten_summaries(self) -> bool:
        table = schema.descriptions
        missing = select(func.count()).select_from(table).where(table.c.summary.is_(None))
        return bool(self._connection.execute(missing).scalar_one())


def forget_replies(connection: Connection, corpus: Path) -> None:
    """Delete models' replies about contents that the corpus no longer has.

    Shared decisions about pictures and documents do not name their component, so that all of them are deleted.
    """
    if decisions := shared_journal(corpus.name, DECISIONS):
        decisions.clear()
    if not (corpus / "knowledge").is_dir() and not is_mirror(corpus):
        return
    read = connection.execute(select(schema.extractions.c.content_hash)).scalars()
    used = {bytes(h) for h in read} | {
        bytes(h) for h in connection.execute(select(schema.descriptions.c.hash)).scalars()
    }
    with closing(open_journal(corpus)) as journal:
        journal.keep_only(used)
