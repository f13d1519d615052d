"""Reading a corpus into its graph: which chunks are to be read, and what became of each."""

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

_BATCH = 400  # components looked at at once


class KnowledgeWriter:
    """What one extractor reads of a corpus, inside the transaction of the corpus's writer.

    Replies are kept in the journal as they come, so that a run that is killed pays for none of them again. Those of
    the rules cost nothing: only the tables hold them.

    Attributes:
        changed: whether the graph will differ from what it was.
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
        """Components that are not read to the end."""
        return len(extractions.unread_components(self._connection, self._accepted))

    def unread(self) -> Iterator[list[Chunk]]:
        """The chunks that have to be read, some components at a time. What was read before is stored again as such."""
        ids = extractions.unread_components(self._connection, self._accepted)
        for start in range(0, len(ids), _BATCH):
            some = ids[start : start + _BATCH]
            held = extractions.stored_chunks(self._connection, some)
            read = extractions.read_rows(self._connection, some, self._accepted)
            asked = [
                chunk
                for chunks in held.values()
                for chunk in chunks
                if read.get((chunk.component, chunk.number)) != chunk.hash
            ]
            self._store_wordless([id_ for id_, chunks in held.items() if not chunks])
            extractions.remove_surplus(self._connection, {id_: max(len(chunks), 1) for id_, chunks in held.items()})
            yield self._without_remembered(asked)

    def requests(self, asked: Sequence[Chunk]) -> list[list[Chunk]]:
        """The chunks in groups that are asked for together; rules read each by itself, which costs them nothing."""
        return packed(asked) if self._journal else [[chunk] for chunk in asked]

    def keep(self, chunk: Chunk, knowledge: ExtractedKnowledge) -> Outcome:
        """The outcome of a chunk that was just read; its reply survives whatever happens next."""
        content = as_content(knowledge)
        if self._journal:
            self._journal.put(chunk.hash, self._extractor, content)
        return extractions.outcome(chunk, content)

    def store(self, outcomes: Sequence[Outcome]) -> None:
        """Record what became of chunks."""
        self.changed |= any(one.status in extractions.READ for one in outcomes)
        ids = list(dict.fromkeys(one.chunk.component for one in outcomes))
        extractions.store(self._connection, ids, outcomes, self._extractor)

    def summary(self, hash_: bytes) -> str | None:
        """A summary that was paid for before."""
        return self._journal.get([hash_], self._accepted).get(hash_) if self._journal else None

    def keep_summary(self, hash_: bytes, summary: str) -> None:
        """Keep a summary that was just written."""
        if self._journal:
            self._journal.put(hash_, self._extractor, summary)

    def _without_remembered(self, asked: Sequence[Chunk]) -> list[Chunk]:
        if not self._journal:
            return list(asked)
        replies = self._journal.get(list({chunk.hash for chunk in asked}), self._accepted)
        self.store([extractions.outcome(chunk, replies[chunk.hash]) for chunk in asked if chunk.hash in replies])
        return [chunk for chunk in asked if chunk.hash not in replies]

    def _store_wordless(self, ids: Sequence[str]) -> None:
        keys = extractions.component_keys(self._connection, ids)
        self.store([extractions.wordless(id_, keys[id_]) for id_ in ids])

    def _unwritten_summaries(self) -> bool:
        table = schema.descriptions
        missing = select(func.count()).select_from(table).where(table.c.summary.is_(None))
        return bool(self._connection.execute(missing).scalar_one())


def forget_replies(connection: Connection, corpus: Path) -> None:
    """Forget what models said of contents that the corpus no longer has.

    Of what they said of pictures and documents, it is not known of which: where machines share it, all of it goes.
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
