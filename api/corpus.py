"""A corpus: documents that were ingested, and questions about them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backtrail.api.answer import Answer
from backtrail.api.stream import Event, events

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from backtrail.cli.commands.run_graph import Run
    from backtrail.graphs.parts.retriever import MethodRetriever
    from backtrail.ingest.report import IngestReport
    from backtrail.tools.toolbox import Toolbox

_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class Corpus:
    """A stored corpus. Make one with ``from_folder`` or ``open``.

    Args:
        name: name of the corpus in ``$BACKTRAIL_HOME``.
        report: what the ingest read and left out, if there was one.
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
            BacktrailError: the folder does not exist or holds nothing that is read, or the corpus is locked.
        """
        from backtrail.ingest.pipeline import ingest

        path = Path(folder)
        chosen = name or _NO_NAME.sub("-", path.resolve().stem).strip("-._") or "documents"
        return cls(chosen, ingest([path], chosen, embedder=embedder))

    @classmethod
    def open(cls, name: str) -> Corpus:
        """Open a corpus that was ingested before.

        Raises:
            CorpusNotFound: there is none of that name; lists those that exist.
        """
        from backtrail.tools.corpus.open import current

        current(name)
        return cls(name)

    def __repr__(self) -> str:
        return f"Corpus({self.name!r})"

    def ask(
        self,
        question: str,
        *,
        method: str = "fif",
        model: str | None = None,
        image: str | PathLike[str] | None = None,
        thread: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Answer a question. Works in scripts and in notebooks, where an event loop runs already.

        Args:
            method: name of the method, with its variant behind a colon if it is not the default: "fif:published".
            model: model for all roles, such as "openai:gpt-5-mini"; without one, rules read and quote.
            image: picture that belongs to the question.
            thread: ``answer.trace.thread`` of an earlier answer, to ask a further question in its conversation.
            settings: other settings by dotted name: ``{"k": 5, "budget.usd": 0.1}``.

        Raises:
            SettingsError: an unknown method, setting or model, or a value out of bounds.
            InputRefused: no question, or one that is too long.
            BacktrailError: corpus or model cannot be used. Finished steps are stored: ``backtrail resume`` continues.
        """
        from backtrail.tools.run_coroutine import run_coroutine

        asked = self.aask(question, method=method, model=model, image=image, thread=thread, settings=settings)
        return run_coroutine(asked)

    async def aask(
        self,
        question: str,
        *,
        method: str = "fif",
        model: str | None = None,
        image: str | PathLike[str] | None = None,
        thread: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Answer:
        """``ask`` for async code."""
        stream = self.astream(question, method=method, model=model, image=image, thread=thread, settings=settings)
        return [event.answer async for event in stream if event.answer][-1]

    def stream(
        self,
        question: str,
        *,
        method: str = "fif",
        model: str | None = None,
        image: str | PathLike[str] | None = None,
        thread: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Iterator[Event]:
        """``ask`` with the steps of the run and the text of the answer as they come. The last event has the answer."""
        from backtrail.tools.run_coroutine import iterate

        return iterate(
            self.astream(question, method=method, model=model, image=image, thread=thread, settings=settings)
        )

    async def astream(
        self,
        question: str,
        *,
        method: str = "fif",
        model: str | None = None,
        image: str | PathLike[str] | None = None,
        thread: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Event]:
        """``stream`` for async code."""
        import asyncio

        from backtrail.api.run import input_of

        run = self._run(method, model, thread, settings)
        given = await asyncio.to_thread(input_of, question, image)
        async for event in events(run, self._toolbox, given):
            yield event

    def retriever(
        self, *, method: str = "fif", model: str | None = None, settings: Mapping[str, Any] | None = None
    ) -> MethodRetriever:
        """A LangChain retriever: documents in the order of the method's ranking, with citations in their metadata."""
        from backtrail.graphs.parts.retriever import MethodRetriever

        run = self._run(method, model, None, settings)
        return MethodRetriever(method=run.method, settings=run.settings, toolbox=self._toolbox)

    def as_tool(
        self,
        *,
        about: str = "",
        method: str = "fif",
        model: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> BaseTool:
        """A LangChain tool for agents: a question in, an answer with numbered citations out.

        Args:
            about: what the corpus holds, so that an agent knows when to ask.
        """
        from backtrail.graphs.parts.tool import method_tool

        run = self._run(method, model, None, settings)
        return method_tool(run.method, run.settings, about=about, toolbox=self._toolbox)

    def _run(self, method: str, model: str | None, thread: str | None, settings: Mapping[str, Any] | None) -> Run:
        from backtrail.api.run import run_of

        return run_of(self.name, method, model, thread, settings or {})
