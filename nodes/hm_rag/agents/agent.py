"""The one interface of all agents: the nodes that search a source, one after the other.

A new source is a file with a function ``Toolbox -> Agent`` and a line in ``table``. The last node writes
``retrieved``: components (of the corpus, or kept on the shelf of the web) and triplets, by reference. Reading
them, answering and citing is the same for every agent.
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
    """A source by name, with its searching nodes in order, each with the name it has in the drawing."""

    name: str
    searching: tuple[tuple[str, Callable[..., Any]], ...]


class FoundWrites(TypedDict, total=False):
    """What a searching node may write. A reply ends the agent's work: there is nothing to read."""

    keywords: Keywords
    retrieved: Retrieved
    evidence: dict[str, Evidence]
    replies: list[AgentReply]
    usage: dict[str, Charge]
    failures: list[Failure]


NOTHING: Retrieved = {"queries": [], "components": [], "triplets": [], "pictures": []}


def query_of(task: AgentTask) -> str:
    """What a source is searched for: the sub-question, with the options if there are any."""
    return " ".join([task["text"], *(option["text"] for option in task["options"])])


def charge_id(task: AgentTask, step: str) -> str:
    """Key of a charge or failure of an agent: who, what, and for which sub-question."""
    return f"{task['source']}.{step}@{task['number']}"


def reply_without_answer(
    task: AgentTask, status: ReplyStatus, reason: str, retrieved: Retrieved = NOTHING
) -> AgentReply:
    """What an agent hands back when it has no answer; the vote leaves it out and shows the reason."""
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
    """The writes of a search that was carried out; ``nothing`` says what it means when it brought nothing."""
    writes: FoundWrites = {"retrieved": retrieved, "evidence": evidence, "usage": usage}
    if not retrieved["components"] and not retrieved["triplets"]:
        writes["replies"] = [reply_without_answer(task, "abstained", nothing, retrieved)]
    return writes


def not_searched(task: AgentTask, step: str, error: Exception, usage: dict[str, Charge]) -> FoundWrites:
    """The writes of a source that could not be searched: a failure, and a failed reply."""
    failure: Failure = {
        "id": charge_id(task, step),
        "node": f"{task['source']}.{step}",
        "step": task["number"],
        "error": type(error).__name__,
        "message": str(error)[:MESSAGE_CHARACTERS],
    }
    return {"replies": [reply_without_answer(task, "failed", str(error))], "usage": usage, "failures": [failure]}
