"""judge_intents: is there one thing asked for, or are there several? (HM-RAG 3.2, necessity judgment)"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.options import offered
from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import attach_question_picture, sees_pictures
from backtrail.nodes.reading.unseen_picture import unseen_picture
from backtrail.state.decision import Role
from backtrail.state.failure import Failure
from backtrail.state.hm_rag.decisions import JUDGE, JudgeInputs
from backtrail.state.hm_rag.memory import Option
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.errors import SettingsError
from backtrail.tools.toolbox import Toolbox


class JudgeSlice(TypedDict):
    """The question."""

    question: str
    image: str | None
    usage: dict[str, Charge]


class JudgeWrites(TypedDict, total=False):
    """What is asked, without its options; the options; and whether it has several intents."""

    asked: str
    options: list[Option]
    several_intents: bool
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
        writes: JudgeWrites = {"asked": question.stem, "options": options, "several_intents": False}
        image = state.get("image")
        unseen = (
            [unseen_picture("judge_intents")]
            if image and not any(sees_pictures(settings, role) for role in _LOOKERS)
            else []
        )
        if not settings.hm_rag.decomposition:
            return {**writes, "failures": unseen}
        seen = bool(image) and sees_pictures(settings, "planner")
        taken = await take(
            toolbox, settings, JUDGE, JudgeInputs(question=question.stem, has_picture=seen),
            node="judge_intents", step=0, spent=state["usage"],
            pictures=await attach_question_picture(toolbox, image, settings, "planner"),
        )  # fmt: skip
        if taken.output:
            writes["several_intents"] = taken.output.several_intents
        return {**writes, "usage": taken.usage, "failures": unseen + taken.failures}

    return judge_necessity


_LOOKERS: tuple[Role, ...] = ("planner", "reader", "expert")


def check_sources(settings: Settings, existing: Collection[str]) -> None:
    """Raises SettingsError for a source that is no agent."""
    unknown = [name for name in settings.hm_rag.sources if name not in existing]
    if unknown:
        raise SettingsError(
            f"hm_rag.sources names {', '.join(map(repr, unknown))}; these agents exist: {', '.join(existing)}."
        )
