"""Extract the knowledge graph of a corpus: several chunks per decision, many decisions at once.

Replies are cached by content, chunk by chunk, so that a second ingest, or one after a crash, repeats no request. A
chunk without a valid reply is requested again alone; if that fails it is reported, left out of the graph, and retried
by the next ingest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace

from backtrail.ingest.report import IngestReport, Problem
from backtrail.rules.knowledge.chunk_replies import read_reply
from backtrail.state.knowledge.decisions import (
    EXTRACT_KNOWLEDGE,
    SUMMARIZE_DESCRIPTIONS,
    reading_of,
    sound_replies,
)
from backtrail.state.knowledge.replies import ChunkReply
from backtrail.state.usage import Charge, add_charges, charge
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.corpus.writing.writer import CorpusWriter
from backtrail.tools.deciders.protocol import CUT_OFF, Decider, DecisionFailed, at_once
from backtrail.tools.errors import ModelError, ModelRefused
from backtrail.tools.knowledge.describe import LongDescription
from backtrail.tools.knowledge.extractions import Chunk, Outcome
from backtrail.tools.knowledge.writer import KnowledgeWriter
from backtrail.tools.run_coroutine import run_coroutine

GIVE_UP_AFTER = 5
"""Consecutive failures of the model after which no more requests are sent."""


class KnowledgeReading:
    """Run of an extractor over a corpus.

    Attributes:
        chunks: number of requested chunks.
        problems: chunks that were not read and descriptions that were not summarised.
        spent: total usage.
    """

    def __init__(self, decider: Decider, writer: KnowledgeWriter, progress: Progress, *, is_new: bool) -> None:
        self.chunks = 0
        self.problems: list[Problem] = []
        self.spent: Charge = charge()
        self._is_new = is_new
        self._decider = decider
        self._writer = writer
        self._progress = progress
        self._failing = 0
        self._gave_up: ModelError | None = None

    @property
    def changed(self) -> bool:
        """Whether the graph differs from the previous one."""
        return self._is_new or self._writer.changed

    def read(self) -> None:
        """Read every component not read yet."""
        self._progress.stage("extract", self._writer.count_unread())
        for chunks in self._writer.unread():
            self._writer.store(run_coroutine(self._outcomes(chunks)))
        if self._gave_up is not None:
            self.problems.append(Problem(self._decider.name, f"gets no more requests: {self._gave_up}"))

    def summarize(self, long: Sequence[LongDescription]) -> Mapping[bytes, str]:
        """Summarise descriptions; failed ones are left out and retried by the next ingest."""
        self._progress.stage("describe", len(long))
        summed = run_coroutine(self._summaries(long))
        return {one.hash: summary for one, summary in zip(long, summed, strict=True) if summary}

    async def _outcomes(self, chunks: Sequence[Chunk]) -> list[Outcome]:
        """Return outcomes of chunks; chunks with the same content are requested once."""
        firsts = {chunk.hash: chunk for chunk in reversed(chunks)}
        alone = [chunk for chunk in chunks if firsts[chunk.hash] is chunk]
        room = asyncio.Semaphore(at_once(self._decider))
        read = await asyncio.gather(*(self._read(request, room) for request in self._writer.requests(alone)))
        settled = {one.chunk.hash: one for some in read for one in some}
        return [replace(settled[chunk.hash], chunk=chunk) for chunk in chunks]

    async def _read(self, request: Sequence[Chunk], room: asyncio.Semaphore) -> list[Outcome]:
        """Return outcomes of a request's chunks; those without a valid reply are requested alone."""
        async with room:
            if self._gave_up is None:
                self.chunks += len(request)
            read = await self._together(request) if len(request) > 1 else {}
        left = [chunk for chunk in request if chunk.hash not in read]
        return [*read.values(), *await asyncio.gather(*(self._alone(chunk, room) for chunk in left))]

    async def _together(self, request: Sequence[Chunk]) -> dict[bytes, Outcome]:
        """Return the outcomes of the valid parts of one reply on several chunks."""
        if self._gave_up is not None:
            return {}
        try:
            replies = await self._ask(request)
        except (DecisionFailed, ModelError) as error:
            self._note(error)
            return {}
        return {one.chunk.hash: one for one in self._kept(request, replies)}

    async def _alone(self, chunk: Chunk, room: asyncio.Semaphore) -> Outcome:
        async with room:
            if self._gave_up is not None:
                self._progress.advance(chunk.number == 0)
                return Outcome(chunk, "pending", error=str(self._gave_up))
            try:
                replies = await self._ask([chunk])
            except (DecisionFailed, ModelError) as error:
                self._progress.advance(chunk.number == 0)
                return self._failed(chunk, error)
            return next(self._kept([chunk], replies))

    async def _ask(self, request: Sequence[Chunk]) -> dict[int, ChunkReply]:
        """Return valid replies by chunk number, without the last one of several in a truncated reply."""
        inputs = reading_of([chunk.inputs for chunk in request])
        decided = await self._decider.decide(EXTRACT_KNOWLEDGE, inputs)
        self._failing = 0
        self._book(decided.charge)
        sound = sound_replies(inputs, decided.output)
        if CUT_OFF in decided.notes and len(request) > 1:
            sound.pop(decided.output.chunks[-1].chunk, None)
        return sound

    def _kept(self, request: Sequence[Chunk], replies: Mapping[int, ChunkReply]) -> Iterator[Outcome]:
        for number, chunk in enumerate(request, start=1):
            if number in replies:
                self._progress.advance(chunk.number == 0)
                yield self._writer.keep(chunk, read_reply(chunk.inputs, replies[number]))

    def _failed(self, chunk: Chunk, error: DecisionFailed | ModelError) -> Outcome:
        self._note(error)
        where = f"{chunk.component} (part {chunk.number + 1})"
        self.problems.append(Problem(where, f"was not read into the knowledge graph: {error}"))
        return Outcome(chunk, "failed", error=str(error))

    def _note(self, error: DecisionFailed | ModelError) -> None:
        """Add the cost of a failure; give up a model after repeated failures."""
        self._book(error.charge or charge())
        if isinstance(error, ModelError) and not isinstance(error, ModelRefused):
            self._failing += 1
            if self._failing >= GIVE_UP_AFTER:
                self._gave_up = self._gave_up or error
        else:
            self._failing = 0

    async def _summaries(self, long: Sequence[LongDescription]) -> list[str]:
        room = asyncio.Semaphore(at_once(self._decider))
        return list(await asyncio.gather(*(self._summary(one, room) for one in long)))

    async def _summary(self, one: LongDescription, room: asyncio.Semaphore) -> str:
        if summary := self._writer.summary(one.hash):
            self._progress.advance()
            return summary
        async with room:
            if self._gave_up is not None:
                return ""
            try:
                decided = await self._decider.decide(SUMMARIZE_DESCRIPTIONS, one.inputs)
            except (DecisionFailed, ModelError) as error:
                self._note(error)
                problem = f"its descriptions were not summarised: {error}"
                self.problems.append(Problem(one.inputs.name, problem))
                return ""
            self._failing = 0
            self._book(decided.charge)
            self._writer.keep_summary(one.hash, decided.output.summary)
            self._progress.advance()
            return decided.output.summary

    def _book(self, one: Charge) -> None:
        self.spent = add_charges([self.spent, one])


@contextmanager
def reading_knowledge(
    extractor: Decider | None, writer: CorpusWriter, progress: Progress
) -> Iterator[KnowledgeReading | None]:
    """Read all unread components of a corpus; yield None without an extractor."""
    if extractor is None:
        yield None
        return
    is_new = not writer.knowledge
    with closing(writer.read_knowledge(extractor.name)) as opened:
        reading = KnowledgeReading(extractor, opened, progress, is_new=is_new)
        reading.read()
        yield reading


def report_knowledge(report: IngestReport, writer: CorpusWriter, reading: KnowledgeReading | None) -> None:
    """Add the state of the knowledge graph to the report, if there is one."""
    if not writer.knowledge:
        return
    report.knowledge = {"extractor": writer.knowledge, **writer.count_unread()}
    if reading is not None:
        spent = {key: reading.spent[key] for key in ("calls", "input_tokens", "output_tokens", "cost_usd")}
        report.knowledge |= {"chunks": reading.chunks, **spent}
        report.failed += reading.problems
