"""divide: split into two or three sub-questions that keep keywords of the question (HM-RAG 3.2)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture, sees_pictures
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.decisions import SPLIT, JudgeInputs
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class DivideSlice(TypedDict):
    """The question."""

    full_question: str
    image: str | None
    usage: dict[str, Charge]


class DivideWrites(TypedDict):
    """The sub-questions; empty without a valid split, so that the question is asked whole."""

    subqueries: list[Subquery]
    usage: dict[str, Charge]
    failures: list[Failure]


def divide(toolbox: Toolbox) -> AsyncNode[DivideSlice, DivideWrites]:
    """Node: split a question with several intents."""

    async def divide_question(state: DivideSlice, runtime: Runtime[Settings]) -> DivideWrites:
        settings = settings_of(runtime)
        image = state.get("image")
        seen = bool(image) and sees_pictures(settings, "planner")
        taken = await take(
            toolbox, settings, SPLIT, JudgeInputs(question=state["full_question"], has_picture=seen),
            node="divide", step=0, spent=state["usage"],
            pictures=await attach_question_picture(toolbox, image, settings, "planner"),
        )  # fmt: skip
        questions = [" ".join(text.split()) for text in taken.output.questions] if taken.output else []
        return {
            "subqueries": [_subquery(f"q{number}", text) for number, text in enumerate(questions)],
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return divide_question


def _subquery(key: str, text: str) -> Subquery:
    return {
        "id": key, "text": text, "depends_on": [], "status": "open", "answer": "", "answered_by": None, "planned_at": 0,
    }  # fmt: skip
