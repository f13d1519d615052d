"""Nodes of a summary in FiF: divide documents into parts, read each part, and merge the points to the answer (ours)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.fif.hop_record import with_components
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.gather_components import NAMED, parts_of
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.summarise_parts import affordable_parts, merge_points, read_part
from backtrail.nodes.take_decision import settings_of
from backtrail.state.failure import Failure
from backtrail.state.fif.memory import Proposal, Summarised, SummaryInput, SummaryState
from backtrail.state.hop import Hop, Outcome, action_record
from backtrail.state.settings import Settings
from backtrail.state.spent_shares import shared
from backtrail.state.summary import PartPoints, PartTask, Summary, SummaryInProgress, SummaryPart, counts
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

NO_POINTS = "No part that was read says anything on the question."


class DivideWrites(Summarised, total=False):
    """The parts to read, or the failed step."""

    summary: SummaryInProgress


class ReadWrites(TypedDict):
    """The points of one part."""

    part_points: list[PartPoints]
    usage: dict[str, Charge]
    failures: list[Failure]


def divide_documents(toolbox: Toolbox) -> AsyncNode[SummaryInput, DivideWrites]:
    """Node: divide what is to be summarised, without a call. Without parts the step has failed."""

    async def divide(state: SummaryInput, runtime: Runtime[Settings]) -> DivideWrites:
        settings, proposal, step = settings_of(runtime), state["proposal"], len(state["hops"])
        target = proposal.get("summarise") or proposal["subtask"]
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        parts, nothing = await asyncio.to_thread(parts_of, corpus, target)
        most = affordable_parts(state["usage"], settings.budget)
        summary: SummaryInProgress = {
            "step": step,
            "target": target,
            "subtask": proposal["subtask"],
            "parts": parts[:most],
            "total": len(parts),
            "left_out": [_name(part) for part in parts[most:]],
        }
        if summary["parts"]:
            return {"summary": summary}
        error = "The budget leaves no calls for it." if parts else nothing
        return {**_failed(proposal, _counted(summary, [], error), step)}

    return divide


def part_tasks(state: SummaryState) -> list[PartTask]:
    """Return a task for each part, with equal shares of the budget; one more share is left to merge the points."""
    if "summary" not in state:
        return []
    summary, count = state["summary"], len(state["summary"]["parts"])
    return [
        {
            "question": state["question"],
            "subtask": summary["subtask"],
            "step": summary["step"],
            "part": part,
            "of": count,
            "spent": shared(state["usage"], which, count + 1),
        }
        for which, part in enumerate(summary["parts"])
    ]


def read_parts(toolbox: Toolbox) -> AsyncNode[PartTask, ReadWrites]:
    """Node: read one part; parts are read side by side, each in a task of its own."""

    async def read(state: PartTask, runtime: Runtime[Settings]) -> ReadWrites:
        settings = settings_of(runtime)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        done = await read_part(toolbox, settings, corpus, state, "read_part")
        return {"part_points": [done.points], "usage": done.usage, "failures": done.failures}

    return read


def merge_parts(toolbox: Toolbox) -> AsyncNode[SummaryState, Summarised]:
    """Node: merge the points to the answer, which ends the search. Without points the step has failed."""

    async def merge(state: SummaryState, runtime: Runtime[Settings]) -> Summarised:
        settings, summary, proposal = settings_of(runtime), state["summary"], state["proposal"]
        names = {part["number"]: part["name"] for part in summary["parts"]}
        points = [(names[one["part"]], point) for one in state["part_points"] for point in one["points"]]
        done = _counted(summary, state["part_points"], "" if points else NO_POINTS)
        if not points:
            return _failed(proposal, done, summary["step"])
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        merged = await merge_points(
            toolbox, settings, corpus, question=state["question"], subtask=summary["subtask"], points=points,
            not_read=done["names"], node="merge_points", step=summary["step"], spent=state["usage"],
        )  # fmt: skip
        record, words = _record(proposal, done, summary["step"]), searches_words(settings)
        cited = list(dict.fromkeys(one["component"] for one in merged.answer["citations"]))
        hop, evidence = await asyncio.to_thread(with_components, corpus, record, cited, words)
        return {
            "hops": [hop],
            "evidence": evidence,
            "marked": cited,
            "draft": {"answer": merged.answer, "unverified": [], "by_reader": True},
            "subqueries": [
                {**one, "status": "answered", "answer": merged.answer["text"][:400]}
                for one in state["subqueries"]
                if one["text"] == state["question"]
            ],
            "proposal": {**proposal, "action": "stop"},
            "stop_reason": "answered",
            "usage": merged.taken.usage,
            "failures": merged.taken.failures,
        }

    return merge


def _name(part: SummaryPart) -> str:
    return f"{part['number']} ({part['name']})"


def _counted(summary: SummaryInProgress, read: list[PartPoints], error: str) -> Summary:
    """Return how much was read."""
    done = {one["part"] for one in read if one["read"]}
    failed = [_name(part) for part in summary["parts"] if part["number"] not in done]
    return {
        "target": summary["target"],
        "total": summary["total"],
        "read": len(done),
        "failed": len(failed),
        "left_out": len(summary["left_out"]),
        "names": [*failed, *summary["left_out"]][:NAMED],
        "error": error,
    }


def _record(proposal: Proposal, done: Summary, step: int) -> Hop:
    outcome: Outcome = "failure" if done["error"] else "success"
    reason = done["error"] or f"{counts(done)}."
    return {**action_record("summarise", step, proposal["subtask"], outcome, reason, proposal["why"]), "summary": done}


def _failed(proposal: Proposal, done: Summary, step: int) -> Summarised:
    """Return the failed step, which the next decision sees."""
    return {"hops": [_record(proposal, done, step)], "proposal": {**proposal, "action": "advance"}}
