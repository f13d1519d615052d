"""Corpus: ingested documents, and questions about them."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict, Unpack

from backtrail.api.answer import Answer
from backtrail.api.stream import Event, events

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from backtrail.cli.commands.run_graph import Run
    from backtrail.graphs.parts.retriever import MethodRetriever
    from backtrail.ingest.report import IngestReport
    from backtrail.tools.toolbox import Toolbox

_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class MethodOptions(TypedDict, total=False):
    """How questions are answered.

    ``method``: name of the method, with a variant other than the default after a colon ("fif:published"); default
    "fif". ``model``: model for all roles, such as "openai:gpt-5-mini"; without one, rules read and quote.
    ``settings``: other settings by dotted name: ``{"k": 5, "budget.usd": 0.1}``.
    """

    method: str
    model: str | None
    settings: Mapping[str, Any] | None


class AskOptions(MethodOptions, total=False):
    """How one question is answered.

    ``image``: picture that belongs to the question. ``thread``: ``answer.trace.thread`` of an earlier answer, to
    continue its conversation.
    """

    image: str | PathLike[str] | None
    thread: str | None


class Corpus:
    """Stored corpus. Create one with ``from_folder`` or ``open``.

    Args:
        name: name of the corpus in ``$BACKTRAIL_HOME``.
        report: report of the ingest, if there was one.
    """

    def __init__(self, name: str, report: IngestReport | None = None) -> None:
        from backtrail.tools.toolbox import Toolbox

        self.name = name
        self.report = report
        self._toolbox: Toolbox = Toolbox()

    @classmethod
    def from_folder(
        cls, folder: str | PathLike[str], name: str | None = None, *, embedder: str | None = None
    ) -> Corpus:
        """Ingest a folder or file. Only new and changed files are read; deleted ones leave the corpus.

        Files that cannot be read are listed in ``report.failed``.

        Args:
            name: name of the corpus; by default the name of the folder.
            embedder: name of the embedder for a new corpus; by default all-MiniLM-L6-v2 without torch.

        Raises:
            BacktrailError: the folder does not exist or contains no readable file, or the corpus is locked.
        """
        from backtrail.ingest.pipeline import ingest

        path = Path(folder)
        chosen = name or _NO_NAME.sub("-", path.resolve().stem).strip("-._") or "documents"
        return cls(chosen, ingest([path], chosen, embedder=embedder))

    @classmethod
    def open(cls, name: str) -> Corpus:
        """Open a corpus that was ingested before.

        Raises:
            CorpusNotFound: there is no such corpus; the message lists all.
        """
        from backtrail.tools.corpus.open import current

        current(name)
        return cls(name)

    def __repr__(self) -> str:
        return f"Corpus({self.name!r})"

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Answer:
        """Answer a question. Works in scripts and in notebooks, where an event loop is already running.

        Args:
            options: see ``AskOptions``.

        Raises:
            SettingsError: an unknown method, setting or model, or a value out of bounds.
            InputRefused: no question, or one that is too long.
            HumanInputNeeded: the run waits for a person (settings under ``people``); ``resume`` takes the reply.
            BacktrailError: corpus or model cannot be used. Finished steps are stored; ``resume`` continues the run.
        """
        from backtrail.tools.run_coroutine import run_coroutine

        return run_coroutine(self.aask(question, **options))

    async def aask(self, question: str, **options: Unpack[AskOptions]) -> Answer:
        """``ask`` for async code."""
        return _last([event async for event in self.astream(question, **options)])

    def stream(self, question: str, **options: Unpack[AskOptions]) -> Iterator[Event]:
        """Yield the steps of the run and the text of the answer as they come. The last event has the answer."""
        from backtrail.tools.run_coroutine import iterate

        return iterate(self.astream(question, **options))

    async def astream(self, question: str, **options: Unpack[AskOptions]) -> AsyncGenerator[Event]:
        """``stream`` for async code."""
        import asyncio

        from backtrail.api.run import input_of

        run = self._run(options, options.get("thread"))
        inputs = await asyncio.to_thread(input_of, question, options.get("image"))
        async with aclosing(events(run, self._toolbox, inputs)) as stream:
            async for event in stream:
                yield event

    def resume(self, thread: str, reply: Any = None) -> Answer:
        """Continue an interrupted run, or one that waits for a reply.

        Args:
            thread: ``HumanInputNeeded.thread``, or a thread that ``backtrail trace`` lists.
            reply: "yes", "no", or the edited value; None if the run does not wait for a reply.

        Raises:
            SettingsError: there is no such thread.
        """
        from backtrail.tools.run_coroutine import run_coroutine

        return run_coroutine(self.aresume(thread, reply))

    async def aresume(self, thread: str, reply: Any = None) -> Answer:
        """``resume`` for async code."""
        from langgraph.types import Command

        from backtrail.api.run import stored

        inputs = None if reply is None else Command(resume=reply)
        return _last([event async for event in events(await stored(thread), self._toolbox, inputs)])

    def retriever(self, **options: Unpack[MethodOptions]) -> MethodRetriever:
        """Return a LangChain retriever: documents in the method's ranking, with citations in their metadata."""
        from backtrail.graphs.parts.retriever import MethodRetriever

        run = self._run(options)
        return MethodRetriever(method=run.method, settings=run.settings, toolbox=self._toolbox)

    def as_tool(self, *, about: str = "", **options: Unpack[MethodOptions]) -> BaseTool:
        """Return a LangChain tool for agents that answers a question with numbered citations.

        Args:
            about: contents of the corpus, from which an agent sees when to ask.
        """
        from backtrail.graphs.parts.tool import method_tool

        run = self._run(options)
        return method_tool(run.method, run.settings, about=about, toolbox=self._toolbox)

    def _run(self, options: MethodOptions, thread: str | None = None) -> Run:
        from backtrail.api.run import run_of

        method, settings = options.get("method", "fif"), options.get("settings") or {}
        return run_of(self.name, method, options.get("model"), thread, settings)


def _last(seen: list[Event]) -> Answer:
    return next(event.answer for event in reversed(seen) if event.answer)
