"""The runner: ask a method the questions of a task, keep each outcome at once, go on after a kill."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.pregel import Pregel

from backtrail.evals.allowance import Allowance
from backtrail.evals.gold import with_gold
from backtrail.evals.identity import identity
from backtrail.evals.judging import judged, lacking
from backtrail.evals.outcome import Outcome, failed_outcome, keys_read, outcome_of
from backtrail.evals.questions import Question
from backtrail.evals.results import Results, open_results, record_run
from backtrail.evals.scorer import Scorer
from backtrail.evals.task import Task
from backtrail.graphs.method import Method
from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.state.variant import VariantName, label
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.toolbox import Toolbox

Graph = Pregel[Any, Any, Any, Any]


@dataclass(frozen=True)
class Job:
    """One method on the chosen questions of a task.

    Args:
        retry_failed: ask those questions again that failed before, and no others.
        fresh: put earlier results aside and ask everything again.
        allowance: what may be spent; once it is, no further question is asked.
        judgings: what the judge is to say of each outcome; only what is lacking is judged.
        command: recorded, so that whoever reads the results can repeat them.
    """

    task: Task
    method: str
    settings: Settings
    questions: Sequence[Question]
    concurrency: int = 1
    retry_failed: bool = False
    fresh: bool = False
    judgings: tuple[str, ...] = ()
    command: str = ""
    allowance: Allowance | None = None

    @property
    def label(self) -> str:
        """How reports call it: the method, with its variant where that is not the default one."""
        return label(self.method, self.settings.variant)


@dataclass(frozen=True)
class Evaluated:
    """Outcomes of all finished questions of a job, in the order of the questions.

    ``method`` is the job's label; ``asked`` were asked now.
    ``questions`` are all of the job, their gold found in the corpus.
    """

    method: str
    variant: VariantName
    folder: Path
    asked: int
    questions: Sequence[Question]
    pairs: list[tuple[Question, Outcome]]


class Watcher(Protocol):
    """Who is told how a job goes."""

    def begin(self, job: Job, waiting: int, finished: int) -> None:
        """Before the first question: how many will be asked, and how many were finished before."""
        ...

    def advance(self, outcome: Outcome) -> None:
        """A question was finished."""
        ...


class Unwatched:
    """Tells nobody."""

    def begin(self, job: Job, waiting: int, finished: int) -> None:
        """Nothing."""

    def advance(self, outcome: Outcome) -> None:
        """Nothing."""


async def evaluate(job: Job, toolbox: Toolbox, watcher: Watcher | None = None) -> Evaluated:
    """Run a job to its end. Killed and started again, it asks only what was not finished.

    A question that raises is an outcome with an error, and the run goes on.

    Raises:
        SettingsError: there is no such method.
        ResultsError: the folder of results is in use or damaged.
        BacktrailError: the corpus or a model cannot be opened, so no question could be answered.
    """
    watcher = watcher or Unwatched()
    method = find_method(job.method)
    graph = method.build(toolbox).compile(name=method.name)
    corpus = await asyncio.to_thread(_open_everything, toolbox, job.settings, method.needs_corpus(job.settings))
    version = corpus.version if corpus else f"web:{job.settings.web.provider}"
    if corpus:
        job = replace(job, questions=await asyncio.to_thread(with_gold, job.questions, corpus))
    who = identity(job.task.name, job.method, job.settings, version)
    with open_results(who.folder, fresh=job.fresh) as results:
        record_run(who.folder, who, {"command": job.command, "concurrency": job.concurrency})
        waiting = [question for question in job.questions if _is_due((question, results.of(question)), job)]
        finished = len(job.questions) - len(waiting)
        watcher.begin(job, len(waiting), finished)
        judge = toolbox.decider("judge", job.settings) if job.judgings else None
        asking = partial(ask, method, graph, job.settings)
        await _ask_all(iter(waiting), asking, judge, job, results, watcher)
        pairs = results.finished(job.questions)
        return Evaluated(job.label, job.settings.variant, who.folder, len(waiting), job.questions, pairs)


def _is_due(before: tuple[Question, Outcome | None], job: Job) -> bool:
    question, outcome = before
    if job.retry_failed:
        return outcome is not None and outcome.error is not None
    return outcome is None or bool(lacking(question, outcome, job.judgings))


async def _ask_all(
    waiting: Iterator[Question],
    asking: Callable[[Question], Awaitable[Outcome]],
    judge: Decider | None,
    job: Job,
    results: Results,
    watcher: Watcher,
) -> None:
    """As many workers as questions may be open at once, all taking from one queue in its order."""

    async def work() -> None:
        for question in waiting:
            if job.allowance is not None and not job.allowance.admits():
                return
            outcome = results.of(question)
            if outcome is None or not lacking(question, outcome, job.judgings):  # else it is only to be judged
                outcome = await asking(question)
                if judge is not None:
                    results.append(outcome)  # paid for: a kill while it is judged must not ask it again
            if judge is not None:
                outcome = await judged(judge, question, outcome, job.judgings)
            outcome = outcome.model_copy(update={"scores": scores_of(job.task.scorers, question, outcome)})
            results.append(outcome)
            if job.allowance is not None:
                job.allowance.book(outcome)
            watcher.advance(outcome)

    async with asyncio.TaskGroup() as workers:
        for _ in range(max(1, job.concurrency)):
            workers.create_task(work())


async def ask(method: Method, graph: Graph, settings: Settings, question: Question) -> Outcome:
    """Ask one question. Only the run itself is timed."""
    started = time.perf_counter()
    try:
        state = await graph.ainvoke(asked_input(question), context=settings, output_keys=keys_read(method))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is this question's outcome
        return failed_outcome(question.id, question.asked, error, time.perf_counter() - started)
    return outcome_of(question.id, question.asked, method, state, time.perf_counter() - started)


def asked_input(question: Question) -> dict[str, Any]:
    """What a graph is given: the question, or the conversation that ends in it."""
    if not question.history:
        return {"question": question.question, "image": question.image}
    messages: list[AnyMessage] = []
    for turn in question.history:
        messages += [HumanMessage(content=turn.question), AIMessage(content=turn.answer)]
    return {"messages": [*messages, HumanMessage(content=question.question)], "image": question.image}


def scores_of(scorers: Sequence[Scorer], question: Question, outcome: Outcome) -> dict[str, float | None]:
    """Every score of one question."""
    return {scorer.name: scorer(question, outcome) for scorer in scorers}


def _open_everything(toolbox: Toolbox, settings: Settings, reads_corpus: bool) -> CorpusReader | None:
    """Open corpus and models before the first question: it should not fail, or pay for it, alone.

    Returns the corpus; None for a method that asks the web in its place.
    """
    toolbox.decider("planner", settings)
    toolbox.decider("reader", settings)
    if not reads_corpus:
        return None
    corpus = toolbox.corpus(settings)
    _warm_up(corpus)
    return corpus


def _warm_up(corpus: CorpusReader) -> None:
    text = "warm-up"
    query = corpus.embed([text])[0]
    corpus.search_documents(query, "document", 1)
    corpus.search_components(query, "component", 1)
    corpus.search_components(query, "subcomponent", 1)
    corpus.search_lexical(text, "component", 1)
    corpus.rarity([text])
