"""judge_intents: judge whether a question has one intent or several (HM-RAG 3.2, necessity judgment).

The parts, and the keywords of each, come in the same decision (ours).
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.options import offered
from backtrail.nodes.hm_rag.dependency_order import references
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture, sees_pictures
from backtrail.nodes.reading.unreadable_question_picture import unreadable_question_picture
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.choice_decisions import OptionView
from backtrail.state.decision import Role
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.decisions import JUDGE, PLAN, JudgeInputs, PlanInputs, Planned, PlannedPart
from backtrail.state.hm_rag.memory import WHOLE, Keywords, Option
from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.errors import SettingsError
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.toolbox import Toolbox


class JudgeSlice(TypedDict):
    """The question."""

    question: str
    image: str | None
    usage: dict[str, Charge]


class JudgeWrites(TypedDict, total=False):
    """The question without its options, the options, and whether it has several intents."""

    full_question: str
    options: list[Option]
    several_intents: bool
    completing: bool
    subqueries: list[Subquery]
    named: dict[str, Keywords]
    usage: dict[str, Charge]
    failures: list[Failure]


def judge_intents(toolbox: Toolbox, sources: Collection[str]) -> AsyncNode[JudgeSlice, JudgeWrites]:
    """Node: one intent or several. Without a valid judgement, or with decomposition off, it is one.

    Raises:
        SettingsError: the settings name a source that does not exist.
    """

    async def judge_necessity(state: JudgeSlice, runtime: Runtime[Settings]) -> JudgeWrites:
        settings = settings_of(runtime)
        check_sources(settings, sources)
        question = await asyncio.to_thread(offered, state["question"])
        options: list[Option] = [{"label": label, "text": text} for label, text in question.options]
        writes: JudgeWrites = {"full_question": question.stem, "options": options, "several_intents": False}
        image = state.get("image")
        unseen = (
            [unreadable_question_picture("judge_intents")]
            if image and not any(sees_pictures(settings, role) for role in _LOOKERS)
            else []
        )
        if not settings.hm_rag.decomposition:
            return {**writes, "failures": unseen}
        seen = bool(image) and sees_pictures(settings, "planner")
        completes = seen and settings.hm_rag.complete_question
        pictures = await attach_question_picture(toolbox, image, settings, "planner")
        if HM_RAG.of(settings.variant).one_plan:
            graph = "graph" in settings.hm_rag.sources and await asyncio.to_thread(has_graph, toolbox, settings)
            inputs = PlanInputs(
                question=question.stem, options=[OptionView(**option) for option in options],
                has_picture=seen, has_graph=graph,
            )  # fmt: skip
            planned = await take(
                toolbox, settings, PLAN, inputs, node="judge_intents", step=0, spent=state["usage"], pictures=pictures
            )
            if planned.output:
                writes.update(_planned(planned.output))
            if completes and not writes["several_intents"]:
                writes["completing"] = True
            return {**writes, "usage": planned.usage, "failures": unseen + planned.failures}
        taken = await take(
            toolbox, settings, JUDGE, JudgeInputs(question=question.stem, has_picture=seen),
            node="judge_intents", step=0, spent=state["usage"], pictures=pictures,
        )  # fmt: skip
        if taken.output:
            writes["several_intents"] = taken.output.several_intents
        if completes and not writes["several_intents"]:
            writes["completing"] = True
        return {**writes, "usage": taken.usage, "failures": unseen + taken.failures}

    return judge_necessity


def _planned(planned: Planned) -> JudgeWrites:
    """Return parts as sub-questions, with the keywords of each and of the whole question."""
    parts = planned.parts if len(planned.parts) > 1 else []
    ids = [f"q{number}" for number in range(len(parts))]
    words = {WHOLE: planned, **dict(zip(ids, parts, strict=True))}
    return {
        "several_intents": bool(parts),
        "subqueries": [_part(number, one, ids) for number, one in enumerate(parts)],
        "named": {
            key: {"low": one.low_level, "high": one.high_level}
            for key, one in words.items()
            if one.low_level or one.high_level
        },
    }


def _part(number: int, part: PlannedPart, ids: list[str]) -> Subquery:
    """Return a part that depends on earlier parts only, including those its text names."""
    text = " ".join(part.question.split())
    named = [*(one - 1 for one in part.depends_on), *references(text)]
    needed = [index for index in dict.fromkeys(named) if 0 <= index < number]
    return {
        "id": ids[number], "text": text, "depends_on": [ids[index] for index in sorted(needed)], "status": "open",
        "answer": "", "answered_by": None, "planned_at": 0,
    }  # fmt: skip


def has_graph(toolbox: Toolbox, settings: Settings) -> bool:
    """Return whether the corpus has a knowledge graph. Opens it (blocking)."""
    try:
        toolbox.knowledge(settings)
    except KnowledgeMissing:
        return False
    return True


_LOOKERS: tuple[Role, ...] = ("planner", "reader", "expert")


def check_sources(settings: Settings, existing: Collection[str]) -> None:
    """Raise SettingsError for a source without an agent."""
    unknown = [name for name in settings.hm_rag.sources if name not in existing]
    if unknown:
        raise SettingsError(
            f"hm_rag.sources names {', '.join(map(repr, unknown))}; these agents exist: {', '.join(existing)}."
        )
