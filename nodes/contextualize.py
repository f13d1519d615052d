"""contextualize: turn a follow-up into a standalone question, with an empty state for it."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from backtrail.language.small_talk import small_talk
from backtrail.language.split_questions import questions_in
from backtrail.nodes.human_approval import clear_question, web_is_allowed
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.streaming.small_talk import AT_ONCE, not_searched, reply_at_once
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.answer import Answer
from backtrail.state.answer_decisions import CONTEXTUALIZE, ContextualizeInputs, Turn
from backtrail.state.chat.answer_payload import answer_text, payload_of
from backtrail.state.errors import InputRefused
from backtrail.state.question_input import NO_QUESTION, check_conversation, check_question, question_in
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.variant import OURS
from backtrail.tools.question_pictures.keep import check_stored
from backtrail.tools.toolbox import Toolbox

TURNS_READ = 12


class ContextualizeSlice(TypedDict, total=False):
    """The conversation, and the question if the caller sent one."""

    messages: list[AnyMessage]
    question: str
    image: str | None


def contextualize(toolbox: Toolbox, fresh: dict[str, Any]) -> AsyncNode[ContextualizeSlice, dict[str, Any]]:
    """Node: the question of this run. ``fresh`` is the empty state that a new question starts from."""

    async def contextualize_question(state: ContextualizeSlice, runtime: Runtime[Settings]) -> dict[str, Any]:
        messages = state.get("messages", [])
        # Input of a run is checked before it is stored; a state changed from outside is not, so it is checked here.
        check_conversation(messages)
        image = state.get("image")
        question = question_in(state.get("question"), messages, bool(image))
        check_question(question)
        if not question:
            raise InputRefused(NO_QUESTION)
        if image:
            await asyncio.to_thread(check_stored, image, None)
        settings = settings_of(runtime)
        if not image and (talk := small_talk(question)):
            reply = await asyncio.to_thread(reply_at_once, talk, settings)
            return _closed({**fresh, "question": question}, messages, question, *reply)
        if not await asyncio.to_thread(web_is_allowed, question, settings):
            return _closed({**fresh, "question": question}, messages, question, *not_searched())
        earlier = _turns(messages, question)
        own_words = question
        question, *further = await asyncio.to_thread(_one_at_a_time, question, settings)
        begun = {**fresh, "own_words": own_words, "other_questions": further}
        if not earlier:
            question = await asyncio.to_thread(clear_question, question, settings)
            return {**begun, "question": question}
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
            **begun,
            "question": standalone,
            "usage": Overwrite(taken.usage),
            "failures": Overwrite(taken.failures),
        }

    return contextualize_question


def _one_at_a_time(message: str, settings: Settings) -> list[str]:
    """Split a message into its questions for rules, whose answer is one span; a model answers all of them."""
    apart = settings.reader == OFFLINE and settings.variant == OURS
    return questions_in(message) if apart else [message]


def _closed(
    begun: dict[str, Any], messages: list[AnyMessage], question: str, reply: Answer, ai_message: AnyMessage
) -> dict[str, Any]:
    """Return the writes of a turn that needs no search."""
    human_message = [] if messages and messages[-1].type == "human" else [HumanMessage(question)]
    return {**begun, "answer": reply, "messages": [*human_message, ai_message], "image": None, "stop_reason": AT_ONCE}


def _is_small_talk(message: AnyMessage) -> bool:
    """Return whether a message is small talk or a reply to it, which a follow-up never refers to."""
    payload = payload_of(message)
    if payload:
        return payload.get("stop_reason") == AT_ONCE
    return message.type == "human" and small_talk(answer_text(message)) is not None


def _turns(messages: list[AnyMessage], question: str) -> list[Turn]:
    """Return the conversation before the question; earlier questions in their own words and as understood."""
    turns: list[Turn] = []
    for message in messages:
        if _is_small_talk(message):
            continue
        payload = payload_of(message)
        understood: Any = payload.get("question") if payload else ""  # clients write messages
        if isinstance(understood, str) and turns and turns[-1].speaker == "human" and understood != turns[-1].text:
            turns[-1].standalone = understood[:2000]
        turns.append(Turn(speaker=message.type, text=answer_text(message)[:2000]))
    if turns and turns[-1].speaker == "human" and turns[-1].text == question[:2000]:
        turns.pop()
    return turns[-TURNS_READ:]
