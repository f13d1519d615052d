"""give_answer: end the turn with the last draft, or say why there is none (self-reflective RAG)."""

from __future__ import annotations

from typing import NotRequired

from langgraph.runtime import Runtime

from backtrail.nodes.end_turn import AnswerWrites, TurnSlice, abstention, end_turn, without_answer
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.abstain_below_confidence import abstain_below_confidence
from backtrail.nodes.take_decision import settings_of
from backtrail.state.answer import Answer
from backtrail.state.failure import Failure
from backtrail.state.self_rag.memory import Attempt
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

NOTHING_RELEVANT = "None of the searches found a document that bears on this question."
UNSUPPORTED = "An answer was drafted, but the documents that were found do not support it."


class GiveAnswerSlice(TurnSlice):
    """The last draft and how it was judged."""

    attempts: list[Attempt]
    draft: Answer | None
    failures: NotRequired[list[Failure]]


def give_answer(toolbox: Toolbox) -> SyncNode[GiveAnswerSlice, AnswerWrites]:
    """Node: give the draft, unless its documents do not support it; one of little use is given."""

    def hand_over(state: GiveAnswerSlice, runtime: Runtime[Settings]) -> AnswerWrites:
        reply, failed = _reply(state)
        settings = settings_of(runtime)
        return end_turn(toolbox, settings, state, abstain_below_confidence(reply, settings), {}, [], failed)

    return hand_over


def _reply(state: GiveAnswerSlice) -> tuple[Answer, str]:
    """Return the answer, and the node at which a model failed if that is why there is none."""
    draft = state["draft"]
    if draft is None:
        return without_answer(NOTHING_RELEVANT, state.get("failures", []))
    drafted = next((one for one in reversed(state["attempts"]) if one["drafts"]), None)
    if drafted is not None and drafted["grounded"] is False:
        return abstention(UNSUPPORTED), ""
    return draft, ""
