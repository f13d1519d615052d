"""The interface of all agents: nodes that search a source, in order.

A new source is a file with a function ``Toolbox -> Agent`` and a line in ``table``. The last node writes ``retrieved``:
components (of the corpus, or fetched from the web) and triplets, by reference. Every agent reads, answers and cites in
the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from backtrail.nodes.take_decision import MESSAGE_CHARACTERS
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.memory import AgentReply, AgentTask, Keywords, ReplyStatus, Retrieved
from backtrail.state.usage import Charge


@dataclass(frozen=True)
class Agent:
    """A source by name, with its search nodes in order, each with its name in the drawing."""

    name: str
    searching: tuple[tuple[str, Callable[..., Any]], ...]


class FoundWrites(TypedDict, total=False):
    """Writes of a search node. A reply ends the agent's work, since there is nothing to read."""

    keywords: Keywords
    retrieved: Retrieved
    evidence: dict[str, Evidence]
    replies: list[AgentReply]
    usage: dict[str, Charge]
    failures: list[Failure]


NOTHING: Retrieved = {"queries": [], "components": [], "triplets": [], "pictures": []}


def query_of(task: AgentTask) -> str:
    """Return the query of a task: the sub-question, with its options."""
    return " ".join([task["text"], *(option["text"] for option in task["options"])])


def charge_id(task: AgentTask, step: str) -> str:
    """Return the key of an agent's charge or failure: source, step and sub-question."""
    return f"{task['source']}.{step}@{task['number']}"


def reply_without_answer(
    task: AgentTask, status: ReplyStatus, reason: str, retrieved: Retrieved = NOTHING
) -> AgentReply:
    """Build the reply of an agent without an answer; the vote excludes it and shows the reason."""
    return {
        "id": f"{task['source']}:{task['subquery']}",
        "source": task["source"],
        "subquery": task["subquery"],
        "question": task["text"],
        "status": status,
        "text": "",
        "option": None,
        "confidence": 0.0,
        "citations": [],
        "retrieved": retrieved,
        "reason": reason[:MESSAGE_CHARACTERS],
        "wave": task["wave"],
    }


def found(
    task: AgentTask, retrieved: Retrieved, evidence: dict[str, Evidence], usage: dict[str, Charge], nothing: str
) -> FoundWrites:
    """Return the writes of a completed search; ``nothing`` is the reason if it found nothing."""
    writes: FoundWrites = {"retrieved": retrieved, "evidence": evidence, "usage": usage}
    if not retrieved["components"] and not retrieved["triplets"]:
        writes["replies"] = [reply_without_answer(task, "abstained", nothing, retrieved)]
    return writes


def not_searched(task: AgentTask, step: str, error: Exception, usage: dict[str, Charge]) -> FoundWrites:
    """Return the writes of a failed search: a failure, and a failed reply."""
    failure: Failure = {
        "id": charge_id(task, step),
        "node": f"{task['source']}.{step}",
        "step": task["number"],
        "error": type(error).__name__,
        "message": str(error)[:MESSAGE_CHARACTERS],
    }
    return {"replies": [reply_without_answer(task, "failed", str(error))], "usage": usage, "failures": [failure]}
