"""contextualize: turn a follow-up into a standalone question, and open a fresh memory for it."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.node import AsyncNode
from backtrail.state.answer_decisions import CONTEXTUALIZE, ContextualizeInputs, Turn
from backtrail.state.asked import NO_QUESTION, check_conversation, check_question, question_in
from backtrail.state.errors import InputRefused
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

TURNS_READ = 12


class ContextualizeSlice(TypedDict, total=False):
    """The conversation, and the question when the caller gave one."""

    messages: list[AnyMessage]
    question: str


def contextualize(toolbox: Toolbox, fresh: dict[str, Any]) -> AsyncNode[ContextualizeSlice, dict[str, Any]]:
    """Node: the question of this run. ``fresh`` is the empty memory that a new question starts from."""

    async def contextualize_question(state: ContextualizeSlice, runtime: Runtime[Settings]) -> dict[str, Any]:
        messages = state.get("messages", [])
        # What began the run was checked before it was stored; a state that was written into is seen here first.
        check_conversation(messages)
        question = question_in(state.get("question"), messages)
        check_question(question)
        if not question:
            raise InputRefused(NO_QUESTION)
        earlier = _turns(messages, question)
        if not earlier:
            return {**fresh, "question": question}
        settings = settings_of(runtime)
        taken = await take(
            toolbox,
            settings,
            CONTEXTUALIZE,
            ContextualizeInputs(conversation=earlier, question=question),
            node="contextualize",
            step=0,
            spent={},
        )
        standalone = taken.output.question if taken.output else question
        return {
            **fresh,
            "question": standalone,
            "usage": Overwrite(taken.usage),
            "failures": Overwrite(taken.failures),
        }

    return contextualize_question


def _text(message: AnyMessage) -> str:
    return str(message.text).strip()


def _turns(messages: list[AnyMessage], question: str) -> list[Turn]:
    """What was said before the question."""
    turns = [Turn(speaker=message.type, text=_text(message)[:2000]) for message in messages]
    if turns and turns[-1].speaker == "human" and turns[-1].text == question[:2000]:
        turns.pop()
    return turns[-TURNS_READ:]
