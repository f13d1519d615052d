"""advance: judge the last hop, then answer or propose the next one, in one decision (ours).

An answer that leaves nothing of the question unverified ends the run. Any other is kept as a draft while the search
continues, and is the answer if there is no next search or a ceiling is reached. The paper takes six decisions for this.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import NotRequired

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.fif.advance_context import Memory, Sight, in_sight
from backtrail.nodes.fif.apply_fused_decision import proposed, resolved_subqueries, with_marks, with_sources
from backtrail.nodes.fif.hop_record import found_by, judged
from backtrail.nodes.fif.shown_components import just_gathered, pieces_of
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.answer_grounds import knowledge_with_evidence
from backtrail.nodes.reading.build_answer import build_answer
from backtrail.nodes.reading.openable_pictures import openable_pictures
from backtrail.nodes.reading.pictures import attach_question_picture, sees_pictures
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.budget import exceeded
from backtrail.state.draft import Draft
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.fif.fused_decisions import ADVANCE, Advance, is_complete
from backtrail.state.fif.memory import HopInProgress, JudgedOpening, Proposal
from backtrail.state.hop import Hop
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.toolbox import Toolbox


class AdvanceSlice(TypedDict):
    """The whole memory, with the hop to judge; none after the opening and after a refusal."""

    question: str
    image: str | None
    subqueries: list[Subquery]
    hops: list[Hop]
    hop: NotRequired[HopInProgress | None]
    evidence: dict[str, Evidence]
    marked: NotRequired[list[str]]
    draft: NotRequired[Draft | None]
    opening: NotRequired[JudgedOpening | None]
    usage: dict[str, Charge]


class AdvanceWrites(TypedDict, total=False):
    """The judged hop, its findings, and the next action or the stop reason."""

    hops: list[Hop]
    hop: None
    evidence: dict[str, Evidence]
    subqueries: list[Subquery]
    marked: list[str]
    draft: Draft | None
    opening: JudgedOpening | None
    proposal: Proposal
    stop_reason: str
    usage: dict[str, Charge]
    failures: list[Failure]


def advance(toolbox: Toolbox) -> AsyncNode[AdvanceSlice, AdvanceWrites]:
    """Node: judge, and answer or search on. A reached ceiling ends the run with the draft, without a call."""

    async def judge_and_propose(state: AdvanceSlice, runtime: Runtime[Settings]) -> AdvanceWrites:
        settings = settings_of(runtime)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        hop = state.get("hop")
        # Charges are kept by step: the judged hop's, or the last one's if there is none to judge.
        step = hop["route"]["step"] if hop else max(0, len(state["hops"]) - 1)
        found: dict[str, Evidence] = {}
        if hop:
            hop_results = await asyncio.to_thread(found_by, corpus, hop, searches_words(settings))
            found = hop_results.evidence(step, hop["route"]["subquery_id"] or "")
        if over := exceeded(state["usage"], 0, settings.budget):
            ended = proposed(None, f"The ceiling {over} is reached.")
            unjudged = (
                [judged(hop, state["evidence"], False, [], "A ceiling was reached before it was judged.", [])]
                if hop
                else []
            )
            return {"hops": unjudged, "hop": None, "evidence": found, "proposal": ended, "stop_reason": over}
        sight, pictures = await _look(toolbox, corpus, state, {**state["evidence"], **found}, settings)
        taken = await take(
            toolbox, settings, ADVANCE, sight.inputs, node="advance", step=step, spent=state["usage"], pictures=pictures
        )
        writes = _settled(state, sight, taken.output, by_model=not taken.failures)
        if taken.failures and (over := exceeded({**state["usage"], **taken.usage}, 0, settings.budget)):
            writes["stop_reason"] = over
            writes["proposal"] = proposed(None, f"The ceiling {over} is reached.")
        return {**writes, "evidence": found, "usage": taken.usage, "failures": taken.failures}

    return judge_and_propose


async def _look(
    toolbox: Toolbox, corpus: CorpusReader, state: AdvanceSlice, evidence: dict[str, Evidence], settings: Settings
) -> tuple[Sight, list[PictureAttachment]]:
    """Collect the shown components, with the question's picture and those that can be opened."""
    memory = Memory(
        question=state["question"],
        subqueries=state["subqueries"],
        hops=state["hops"],
        evidence=evidence,
        hop=state.get("hop"),
        marked=state.get("marked") or [],
        draft=state.get("draft"),
        opening=state.get("opening"),
    )
    image = state.get("image")
    shown = bool(image) and sees_pictures(settings, "planner")
    sight = await asyncio.to_thread(in_sight, corpus, memory, settings, has_picture=shown)
    own = await attach_question_picture(toolbox, image, settings, "planner")
    read = pieces_of(just_gathered(memory.hops)) if memory.hop is None else []
    first = {key: sight.components[key] for key in read if key in sight.components}  # shown once, others may be again
    theirs, left_out = await openable_pictures(corpus, (first | sight.components).values(), settings, "planner")
    unseen = [f"{key}: {why}" for key, why in left_out.items()]
    # A draft by another model than the reader is not used as the answer, so it needs no own knowledge.
    own_knowledge = settings.reader == settings.planner and knowledge_with_evidence(settings, "evidence") == "both"
    inputs = sight.inputs.model_copy(update={"unseen_pictures": unseen, "own_knowledge": own_knowledge})
    return replace(sight, inputs=inputs), [*own, *theirs]


def _settled(state: AdvanceSlice, sight: Sight, decided: Advance | None, *, by_model: bool) -> AdvanceWrites:
    """Return the writes of the decision. Without a valid one the hop has failed, and the run ends."""
    hop = state.get("hop")
    if decided is None:
        reason = "No valid judgement came back."
        failed = [judged(hop, state["evidence"], False, [], reason, [])] if hop else []
        return {
            "hops": failed, "hop": None, "proposal": proposed(None, reason), "stop_reason": "failed:advance",
        }  # fmt: skip
    computed = {
        key: [rows["component"] for rows in one["rows"]] or one["tables"] for key, one in sight.computations.items()
    }
    decided = with_sources(decided, computed)
    complete = is_complete(decided)
    ends = complete or sight.inputs.steps_left <= 0
    action = None if ends else decided.action
    resolved = resolved_subqueries(state["subqueries"], state["question"], decided, complete, len(state["hops"]))
    new = [one["id"] for one in resolved if one["status"] == "answered"]
    writes: AdvanceWrites = {
        "hops": [judged(hop, state["evidence"], decided.success, decided.relevant, decided.why, new)] if hop else [],
        "hop": None,
        "subqueries": resolved,
        "marked": with_marks(state.get("marked") or [], decided, computed),
        "proposal": proposed(action, decided.why),
    }
    if not hop and not state.get("opening"):
        writes["opening"] = {"success": decided.success, "reason": decided.why, "relevant": decided.relevant}
    draft = state.get("draft")
    if decided.answer is not None and (by_model or not draft) and (decided.answer.supported or action is None):
        answer = build_answer(
            decided.answer,
            sight.inputs.evidence,
            sight.components,
            sight.documents,
            question=sight.inputs.question,
            computations=sight.computations,
        )
        writes["draft"] = {"answer": answer, "unverified": decided.unverified}
        if sight.inputs.own_knowledge:
            writes["draft"]["from_both"] = True
        if decided.exhaustive:
            writes["draft"]["exhaustive"] = True
    if action is None:
        ended = "answered" if complete else "budget:steps" if decided.action else "nothing more to search"
        writes["stop_reason"] = ended
    return writes
