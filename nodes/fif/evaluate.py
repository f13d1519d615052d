"""evaluate: does the hop answer its subtask, and what else does it resolve? Writes the hop's record."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.fif.memory_views import subquery_views
from backtrail.nodes.fif.select import linking
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.contents import component_text, locator, snippet
from backtrail.nodes.reading.pictures import attach_pictures
from backtrail.nodes.walking.measure import Measure, Measured
from backtrail.nodes.walking.pieces import piece_text
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.fif.decisions import EVALUATE, EvaluateInputs, Evaluation, ReadComponent
from backtrail.state.fif.memory import HopInProgress
from backtrail.state.hop import Hop, recorded
from backtrail.state.path import Path
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox

READ_CHARACTERS = 1_600
# Components named in a hop's record; all of them are in the evidence. Every step rewrites the history.
RECORDED = 8


class EvaluateSlice(TypedDict):
    """The hop, and the plan it serves."""

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


class Read(TypedDict):
    """What was read for the decision."""

    components: dict[str, Component]
    measured: dict[str, Measured]
    parents: dict[str, tuple[Component, Path]]
    rows: dict[str, int]
    inputs: EvaluateInputs


def evaluate(
    toolbox: Toolbox,
) -> AsyncNode[EvaluateSlice, EvaluateWrites]:
    """Node: judge the hop. Without a valid judgement the hop counts as failed, with that reason."""

    async def judge_hop(state: EvaluateSlice, runtime: Runtime[Settings]) -> EvaluateWrites:
        settings = settings_of(runtime)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        route = state["hop"]["route"]
        read = await asyncio.to_thread(_read, corpus, state, searches_words(settings))
        if not read["components"]:
            empty = recorded(route, "failure", "The hop found nothing.", state["hop"]["documents"])
            return {"hops": [empty], "hop": None}
        pictures = await attach_pictures(corpus, list(read["components"].values()), settings, "planner")
        taken = await take(
            toolbox, settings, EVALUATE, read["inputs"],
            node="evaluate", step=route["step"], spent=state["usage"], pictures=pictures,
        )  # fmt: skip
        judged = taken.output or Evaluation(answerable=False, reason="The evaluator gave no valid judgement.")
        resolved = _resolved(judged, state["subqueries"])
        hop = _record(state, judged, resolved)
        return {
            "hops": [hop],
            "hop": None,
            "evidence": _evidence(read, hop),
            "subqueries": resolved,
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return judge_hop


def _record(state: EvaluateSlice, judged: Evaluation, resolved: list[Subquery]) -> Hop:
    """The hop with its outcome. A hop that adds nothing to what is known has failed, whatever was judged."""
    components = state["hop"]["components"]
    new = any(scored["id"] not in state["evidence"] for scored in components)
    idle = judged.answerable and not new and not resolved
    first = [scored for scored in components if scored["id"] in judged.relevant]
    others = [scored for scored in components if scored["id"] not in judged.relevant]
    return recorded(
        state["hop"]["route"],
        "success" if judged.answerable and not idle else "failure",
        "Nothing new was found." if idle else judged.reason,
        state["hop"]["documents"],
        (first + others)[:RECORDED],
        [subquery["id"] for subquery in resolved],
    )


def _read(corpus: CorpusReader, state: EvaluateSlice, words: bool) -> Read:
    hop = state["hop"]
    ids = [scored["id"] for scored in hop["components"]]
    components = corpus.components(ids)
    components = {key: components[key] for key in ids if key in components}
    parents = linking(corpus, components, hop["parents"])
    measure = Measure(corpus, hop["route"]["subquery"], words=words)
    measured = measure.components(components, parents)
    views = subquery_views(state["subqueries"])
    inputs = EvaluateInputs(
        question=state["question"],
        subtask=hop["route"]["subquery"],
        subquery_id=hop["route"]["subquery_id"],
        open_subqueries=[view for view in views if view.status == "open"],
        known=[view for view in views if view.status == "answered"],
        components=[
            _reading(component, measure, measured[key], parents.get(key)) for key, component in components.items()
        ],
    )
    best = {key: measure.covering.best_rows(component) for key, component in components.items()}
    rows = {key: min(rows) for key, rows in best.items() if rows}
    return {"components": components, "measured": measured, "parents": parents, "rows": rows, "inputs": inputs}


def _reading(
    component: Component, measure: Measure, fit: Measured, parent: tuple[Component, Path] | None
) -> ReadComponent:
    return ReadComponent(
        id=component.id,
        modality=component.modality,
        title=measure.covering.title(component),
        section=component.section,
        text=component_text(component, READ_CHARACTERS),
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


def _evidence(read: Read, hop: Hop) -> dict[str, Evidence]:
    titles = {component.id: component.title for component in read["inputs"].components}
    found: dict[str, Evidence] = {}
    for key, component in read["components"].items():
        fit = read["measured"][key]
        evidence: Evidence = {
            "component": key,
            "modality": component.modality,
            "document": component.document,
            "title": titles[key],
            "snippet": snippet(component, read["rows"].get(key)),
            "locator": locator(component),
            "score": round(fit.path_coverage + 0.5 * fit.similarity, 4),
            "coverage": round(fit.path_coverage, 4),
            "hop": hop["step"],
            "query": hop["subquery_id"] or "",
        }
        if key in read["parents"]:
            parent, path = read["parents"][key]
            evidence["parent"], evidence["parent_row"] = parent.id, path["row"]
            evidence["linked"] = not path.get("mention", False)
        found[key] = evidence
    return found
