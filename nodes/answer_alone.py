"""answer_alone: answer without evidence, when nothing was searched or nothing was found."""

from __future__ import annotations

import asyncio
from typing import NotRequired

from langgraph.runtime import Runtime

from backtrail.language.short_answers import short_form
from backtrail.nodes.end_turn import AnswerWrites, TurnSlice, end_turn, without_answer
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.answer_grounds import ByPaper, allowed, with_grounds
from backtrail.nodes.reading.pictures import attach_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.answer import Answer
from backtrail.state.failure import Failure
from backtrail.state.own_knowledge_decisions import ANSWER_ALONE, AnswerAloneInputs, OwnAnswer, OwnReply
from backtrail.state.search import SearchRecord
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

ONLY_WHAT_IS_FOUND = "Nothing was found, and the setting knowledge allows no answer without evidence."
NO_VALID_ANSWER = "I have no evidence, and no valid answer was given without it; see the recorded failures."


class AnswerAloneSlice(TurnSlice):
    """The question with its picture; its last reformulation and the searches, if the method makes them.

    ``own``: the answer, if it came with a plan.
    """

    image: str | None
    queries: NotRequired[list[str]]
    own: NotRequired[OwnReply | None]
    searches: NotRequired[list[SearchRecord]]
    usage: dict[str, Charge]
    failures: NotRequired[list[Failure]]


def answer_alone(toolbox: Toolbox, *, knowledge: ByPaper | None = "both") -> AsyncNode[AnswerAloneSlice, AnswerWrites]:
    """Node: an answer from own knowledge, which cites nothing, or an abstention.

    Args:
        knowledge: what an answer may be based on in the method's paper; if only evidence counts, no call is made. None
            for a method that always uses own knowledge, whatever the settings.
    """

    async def answer_unaided(state: AnswerAloneSlice, runtime: Runtime[Settings]) -> AnswerWrites:
        settings, image = settings_of(runtime), state.get("image")
        if knowledge is not None and allowed(settings, knowledge) == "evidence":
            reply, failed = without_answer(ONLY_WHAT_IS_FOUND, state.get("failures") or [])
            return await asyncio.to_thread(end_turn, toolbox, settings, state, reply, {}, [], failed)
        if own := state.get("own"):
            return await asyncio.to_thread(end_turn, toolbox, settings, state, _from_plan(own), {}, [])
        taken = await take(
            toolbox, settings, ANSWER_ALONE,
            AnswerAloneInputs(
                question=state["question"], has_picture=bool(image), queries=state.get("queries") or [],
                searched=[_line(search) for search in state.get("searches") or []],
            ),
            node="answer_alone", step=0, spent=state["usage"],
            pictures=await attach_question_picture(toolbox, image, settings, "reader"),
        )  # fmt: skip
        reply, failed = (
            (own_answer(taken.output), "") if taken.output else without_answer(NO_VALID_ANSWER, taken.failures)
        )
        return await asyncio.to_thread(end_turn, toolbox, settings, state, reply, taken.usage, taken.failures, failed)

    return answer_unaided


def _line(search: SearchRecord) -> str:
    return f"{search['kind']}: {search['query']}: {search['outcome']}. {search['reason']}".strip()


def _from_plan(own: OwnReply) -> Answer:
    reply: Answer = {
        "short": short_form(own["short"], own["text"]),
        "text": own["text"],
        "citations": [],
        "confidence": own["confidence"],
        "abstained": False,
    }
    return with_grounds(reply, "own")


def own_answer(own: OwnAnswer) -> Answer:
    """Build an answer from own knowledge, which cites nothing, or an abstention."""
    reply: Answer = {
        "short": short_form(own.short, own.text) if own.known else "",
        "text": own.text,
        "citations": [],
        "confidence": round(own.confidence, 4) if own.known else 0.0,
        "abstained": not own.known,
    }
    return with_grounds(reply, "own")
