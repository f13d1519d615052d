"""Ray actors that ask methods the questions of an evaluation.

Each question is one call. When a process is lost, Ray repeats its open questions in another one.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import get_args

from backtrail.evals.ask_question import Asking, ask, open_resources
from backtrail.evals.identity import Identity, identity
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.results import journal_of, journaled, keep
from backtrail.graphs.methods import find_method
from backtrail.state.decision import Role
from backtrail.state.settings import Settings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.workers.actors import Actors
from backtrail.tools.workers.cluster import LOCAL, is_of_this_machine
from backtrail.tools.workers.errors import WorkersDiffer
from backtrail.tools.workers.resources import Resources, gpus_of_local_model


@asynccontextmanager
async def question_workers_on(
    engine: str, settings: Iterable[Settings], at_once: int
) -> AsyncIterator[QuestionWorkers | None]:
    """Start the processes for all evaluations of a command; None for "local".

    Args:
        settings: settings of the evaluations. Where one names a local model, each process requests its GPU.
        at_once: number of parallel questions; more processes would be idle.
    """
    if engine == LOCAL:
        yield None
        return
    local = any(one.model_for(role).startswith("local:") for one in settings for role in get_args(Role))
    askers = QuestionWorkers(engine, at_once, gpus_of_local_model() if local else 0.0)
    try:
        yield askers
    finally:
        await asyncio.to_thread(askers.actors.close)


class QuestionWorkers:
    """Processes that ask: one per processor of the cluster, at most one per parallel question."""

    def __init__(self, engine: str, at_once: int, gpus: float = 0.0) -> None:
        resources = Resources(cpus=1, gpus=gpus, each="processor")
        self.actors = Actors(
            engine, QuestionWorker, (), what="process that asks", resources=resources, most=at_once, waits=True
        )

    async def ask(self, who: Identity, settings: Settings, question: Question) -> Outcome:
        """Ask one question.

        Raises:
            WorkersDiffer: a process has another version of the corpus, the code or the prompts.
            EngineUnavailable: processes are lost repeatedly.
        """
        away = not is_of_this_machine(self.actors.engine) and question.image
        picture = await asyncio.to_thread(BlobStore(home()).read, question.image) if away and question.image else None
        return await self.actors.ask("ask", who, settings, question, picture)


class QuestionWorker:
    """The actor: opens the method of each evaluation once and asks it questions."""

    def __init__(self) -> None:
        self._toolbox = Toolbox()
        self._opened: dict[str, asyncio.Task[Asking]] = {}

    async def ask(self, who: Identity, settings: Settings, question: Question, picture: bytes | None) -> Outcome:
        """Ask one question, after storing its picture if one is passed."""
        if picture is not None and question.image:
            await asyncio.to_thread(BlobStore(home()).put, question.image, picture)
        if who.key not in self._opened:
            self._opened[who.key] = asyncio.create_task(asyncio.to_thread(self._open, who, settings))
        asking = await self._opened[who.key]
        journal = await asyncio.to_thread(journal_of, who)
        for kept in await asyncio.to_thread(journaled, journal, question):
            if kept.error is None:  # a lost process had finished it
                return kept
        outcome = await asking(question)
        await asyncio.to_thread(keep, journal, outcome)
        return outcome

    def _open(self, who: Identity, settings: Settings) -> Asking:
        method = find_method(who.method)
        graph = method.build(self._toolbox).compile(name=method.name)
        corpus = open_resources(self._toolbox, settings, method.needs_corpus(settings))
        version = corpus.version if corpus else who.corpus_version
        own = identity(who.task, who.method, settings, version)
        if own.key != who.key:
            raise WorkersDiffer(_difference(who, own))
        return partial(ask, method, graph, settings)


def _difference(wanted: Identity, own: Identity) -> str:
    named = {"corpus_version": "version of the corpus", "package_version": "version of backtrail", "code": "code"}
    differ = [name for field, name in named.items() if getattr(wanted, field) != getattr(own, field)]
    what = " and ".join(differ) or "settings"
    return (
        f"A process of Ray on {socket.gethostname()} has another {what} than this command: its outcomes would not "
        "belong to this evaluation. Bring its node up to date."
    )
