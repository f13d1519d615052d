"""evaluate: judge whether the hop answers its subtask, and what else it resolves; write its record."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.fif.hop_record import FoundByHop, found_by, judged
from backtrail.nodes.fif.memory_views import subquery_views
from backtrail.nodes.fif.subquery_coverage import askable, by_parts
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.link_context import piece_text
from backtrail.nodes.graph_traversal.relevance_features import Measure, Measured
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.openable_pictures import openable_pictures
from backtrail.nodes.reading.truncate_component import truncate_component
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.fif.evaluate_decisions import EVALUATE, EvaluateInputs, Evaluation, ReadComponent
from backtrail.state.fif.memory import HopInProgress
from backtrail.state.fif.variant import FIF
from backtrail.state.hop import Hop, hop_record
from backtrail.state.path import Path
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.toolbox import Toolbox

READ_CHARACTERS = 1_600


class EvaluateSlice(TypedDict):
    """The hop, and the subqueries it serves."""

    question: str
    subqueries: list[Subquery]
    hop: HopInProgress
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]


class EvaluateWrites(TypedDict, total=False):
    """The hop's record, its evidence, and the subqueries it resolves."""

    hops: list[Hop]
    hop: None
    evidence: dict[str, Evidence]
    subqueries: list[Subquery]
    usage: dict[str, Charge]
    failures: list[Failure]


def evaluate(
    toolbox: Toolbox,
) -> AsyncNode[EvaluateSlice, EvaluateWrites]:
    """Node: judge the hop. Without a valid judgement the hop counts as failed, with that reason.

    In an opening the rules judge: their answer ends the opening, and the model judges it anew.
    """

    async def judge_hop(state: EvaluateSlice, runtime: Runtime[Settings]) -> EvaluateWrites:
        settings = settings_of(runtime)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        hop, route = state["hop"], state["hop"]["route"]
        fused = FIF.of(settings.variant).fused
        opens = fused and settings.planner != OFFLINE
        found = await asyncio.to_thread(found_by, corpus, hop, searches_words(settings))
        if not found.components:
            nothing = hop_record(route, "failure", "The hop found nothing.", hop["documents"])
            return {"hops": [{**nothing, "opening": True} if opens else nothing], "hop": None}
        inputs = await asyncio.to_thread(_inputs, state, found, parted=fused)
        pictures: list[PictureAttachment] = []
        if not fused:
            pictured = [one for one in found.components.values() if one.image and one.image.blob]
            pictures, left_out = await openable_pictures(corpus, pictured, settings, "planner")
            unseen = [f"{key}: {why}" for key, why in left_out.items()]
            inputs = inputs.model_copy(update={"unseen_pictures": unseen})
        taken = await take(
            toolbox, settings, EVALUATE, inputs,
            node="evaluate", step=route["step"], spent=state["usage"], pictures=pictures, by_rules=fused,
        )  # fmt: skip
        judgement = taken.output or Evaluation(answerable=False, reason="The evaluator gave no valid judgement.")
        resolved = _resolved(judgement, state["subqueries"])
        ids = [subquery["id"] for subquery in resolved]
        record = judged(hop, state["evidence"], judgement.answerable, judgement.relevant, judgement.reason, ids)
        return {
            "hops": [{**record, "opening": True} if opens else record],
            "hop": None,
            "evidence": await asyncio.to_thread(found.evidence, route["step"], route["subquery_id"] or ""),
            "subqueries": resolved,
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return judge_hop


def _inputs(state: EvaluateSlice, found: FoundByHop, *, parted: bool) -> EvaluateInputs:
    route = state["hop"]["route"]
    views = subquery_views(state["subqueries"])
    open_ones = [view.text for view in views if view.status == "open"]
    texts = dict.fromkeys([route["subquery"], state["question"], *open_ones])
    wanted = Covering(found.measure.covering.corpus, " ".join(texts))
    parts = by_parts(found, askable(state["question"], state["subqueries"])) if parted else {}
    return EvaluateInputs(
        question=state["question"],
        subtask=route["subquery"],
        subquery_id=route["subquery_id"],
        open_subqueries=[view for view in views if view.status == "open"],
        known=[view for view in views if view.status == "answered"],
        components=[
            _reading(component, found.measure, found.measured[key], found.parents.get(key), wanted).model_copy(
                update={"parts": parts.get(key, {})}
            )
            for key, component in found.components.items()
        ],
    )


def _reading(
    component: Component,
    measure: Measure,
    fit: Measured,
    parent: tuple[Component, Path] | None,
    wanted: Covering,
) -> ReadComponent:
    """Return a component for judging; pieces of a long one are selected by ``wanted``."""
    return ReadComponent(
        id=component.id,
        modality=component.modality,
        title=measure.covering.title(component),
        section=component.section,
        text=truncate_component(wanted, component, READ_CHARACTERS),
        similarity=round(fit.similarity, 4),
        coverage=round(fit.coverage, 4),
        path_coverage=round(fit.path_coverage, 4),
        links=fit.links,
        context=fit.context,
        parent=parent[0].id if parent else None,
        linking_piece=piece_text(*parent)[:READ_CHARACTERS] if parent else "",
        anchor_text=parent[1]["anchor"] if parent else "",
    )


def _resolved(judged: Evaluation, subqueries: list[Subquery]) -> list[Subquery]:
    answers = {resolved.subquery_id: resolved for resolved in judged.resolved}
    return [
        {
            **subquery,
            "status": "answered",
            "answer": answers[subquery["id"]].answer,
            "answered_by": answers[subquery["id"]].component,
        }
        for subquery in subqueries
        if subquery["id"] in answers and subquery["status"] == "open"
    ]
