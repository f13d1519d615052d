"""Ask a method one question, and open the corpus and models that it needs."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.pregel import Pregel

from backtrail.evals.outcome import Outcome, failed_outcome, keys_read, outcome_of
from backtrail.evals.questions import Question
from backtrail.graphs.method import Method
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox

Graph = Pregel[Any, Any, Any, Any]
Asking = Callable[[Question], Awaitable[Outcome]]


async def ask(method: Method, graph: Graph, settings: Settings, question: Question) -> Outcome:
    """Ask one question, restricted to its documents if it names any. Only the run itself is timed."""
    settings = settings.model_copy(update={"documents": question.documents}) if question.documents else settings
    started = time.perf_counter()
    try:
        state = await graph.ainvoke(graph_input(question), context=settings, output_keys=keys_read(method))
    except Exception as error:  # noqa: BLE001 - any exception is recorded as this question's outcome
        return failed_outcome(question.id, question.fingerprint, error, time.perf_counter() - started)
    return outcome_of(question.id, question.fingerprint, method, state, time.perf_counter() - started)


def graph_input(question: Question) -> dict[str, Any]:
    """Return the input of a graph: the question, or the conversation that ends in it."""
    if not question.history:
        return {"question": question.question, "image": question.image}
    messages: list[AnyMessage] = []
    for turn in question.history:
        messages += [HumanMessage(content=turn.question), AIMessage(content=turn.answer)]
    return {"messages": [*messages, HumanMessage(content=question.question)], "image": question.image}


def open_resources(toolbox: Toolbox, settings: Settings, reads_corpus: bool) -> CorpusReader | None:
    """Open corpus and models, so that the first question neither fails nor is slowed by it.

    Returns the corpus; None for a method that searches the web instead.
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
