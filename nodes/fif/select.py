"""select: rerank a shortlist of documents or components by reasoning (FiF section 4.2, LLM reasoning)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.graph_traversal.mentions import says
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.component_views import component_text
from backtrail.nodes.reading.openable_pictures import openable_pictures
from backtrail.nodes.reading.truncate_component import truncate_component
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.component import Component
from backtrail.state.failure import Failure
from backtrail.state.fif.choice_decisions import (
    SELECT_COMPONENTS,
    SELECT_DOCUMENTS,
    Candidate,
    RerankCandidate,
    SelectInputs,
    Selection,
)
from backtrail.state.fif.memory import HopInProgress
from backtrail.state.fif.variant import FIF
from backtrail.state.hop import Scored
from backtrail.state.path import Path
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.toolbox import Toolbox

CANDIDATE_CHARACTERS = 600


class SelectSlice(TypedDict):
    """The shortlist of the hop in progress."""

    hop: HopInProgress
    usage: dict[str, Charge]


class SelectWrites(TypedDict):
    """The hop with the chosen items."""

    hop: HopInProgress
    usage: dict[str, Charge]
    failures: list[Failure]


Node = AsyncNode[SelectSlice, SelectWrites]


def select_documents(toolbox: Toolbox) -> Node:
    """Node: choose documents, perhaps none; without a valid reply the vector order is kept."""

    async def choose_documents(state: SelectSlice, runtime: Runtime[Settings]) -> SelectWrites:
        settings = settings_of(runtime)
        hop = state["hop"]
        keep = settings.fif.documents_per_hop
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        inputs = await asyncio.to_thread(_document_candidates, corpus, hop, keep)
        taken = await take(
            toolbox, settings, SELECT_DOCUMENTS, inputs,
            node="select_documents", step=hop["route"]["step"], spent=state["usage"],
            by_rules=FIF.of(settings.variant).fused,
        )  # fmt: skip
        documents = _chosen(taken.output, hop["documents"], keep)
        return {"hop": {**hop, "documents": documents}, "usage": taken.usage, "failures": taken.failures}

    return choose_documents


def select_components(toolbox: Toolbox) -> Node:
    """Node: choose components, perhaps none; without a valid reply the vector order is kept."""

    async def choose_components(state: SelectSlice, runtime: Runtime[Settings]) -> SelectWrites:
        settings = settings_of(runtime)
        hop = state["hop"]
        keep = settings.fif.components_per_hop
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        inputs = await asyncio.to_thread(_component_candidates, corpus, hop, settings)
        taken = await take(
            toolbox, settings, SELECT_COMPONENTS, inputs,
            node="select_components", step=hop["route"]["step"], spent=state["usage"],
            pictures=await pictures_offered(corpus, inputs.candidates, settings),
            by_rules=FIF.of(settings.variant).fused,
        )  # fmt: skip
        components = _chosen(taken.output, hop["components"], keep)
        return {"hop": {**hop, "components": components}, "usage": taken.usage, "failures": taken.failures}

    return choose_components


async def pictures_offered(
    corpus: CorpusReader, candidates: Sequence[Candidate | RerankCandidate], settings: Settings
) -> list[PictureAttachment]:
    """Return the first ``settings.pictures`` openable pictures of the candidates; as published a model sees them.

    A picture that cannot be opened gives its place to the next; its words are in the list anyway.
    """
    if FIF.of(settings.variant).fused:
        return []
    components = await asyncio.to_thread(corpus.components, [one.id for one in candidates if one.modality == "image"])
    offered = [components[one.id] for one in candidates if one.id in components]
    attached, _ = await openable_pictures(corpus, offered, settings, "planner")
    return attached


def _chosen(selection: Selection | None, shortlist: list[Scored], keep: int) -> list[Scored]:
    if selection is None:
        return shortlist[:keep]
    return [{"id": choice.id, "score": round(choice.score, 4)} for choice in selection.choices[:keep]]


def _document_candidates(corpus: CorpusReader, hop: HopInProgress, keep: int) -> SelectInputs:
    documents = corpus.documents([scored["id"] for scored in hop["documents"]])
    # An ingest may have removed a document since the stage before.
    shortlist = [scored for scored in hop["documents"] if scored["id"] in documents]
    ids = [scored["id"] for scored in shortlist]
    measure = Measure(corpus, hop["route"]["subquery"])
    children = corpus.children(ids)
    components = corpus.components([component for members in children.values() for component in members])
    measured = measure.components(components, linking(corpus, components, hop["parents"]))
    candidates: list[Candidate] = []
    for scored in shortlist:
        fits = [measured[component] for component in children.get(scored["id"], []) if component in measured]
        candidates.append(
            Candidate(
                index=len(candidates),
                id=scored["id"],
                title=documents[scored["id"]].title,
                text=documents[scored["id"]].summary[:CANDIDATE_CHARACTERS],
                similarity=round(max((fit.similarity for fit in fits), default=scored["score"]), 4),
                coverage=round(max((fit.coverage for fit in fits), default=0.0), 4),
                path_coverage=round(max((fit.path_coverage for fit in fits), default=0.0), 4),
                links=sum(fit.links for fit in fits),
            )
        )
    return SelectInputs(subtask=hop["route"]["subquery"], candidates=candidates, keep=keep)


def _component_candidates(corpus: CorpusReader, hop: HopInProgress, settings: Settings) -> SelectInputs:
    components = corpus.components([scored["id"] for scored in hop["components"]])
    shortlist = [scored for scored in hop["components"] if scored["id"] in components]
    measure = Measure(corpus, hop["route"]["subquery"], words=searches_words(settings))
    measured = measure.components(components, linking(corpus, components, hop["parents"]))
    candidates = [
        Candidate(
            index=index,
            id=scored["id"],
            modality=components[scored["id"]].modality,
            title=measure.covering.title(components[scored["id"]]),
            text=truncate_component(measure.covering, components[scored["id"]], CANDIDATE_CHARACTERS)
            if settings.planner != OFFLINE
            else component_text(components[scored["id"]], CANDIDATE_CHARACTERS),
            similarity=round(measured[scored["id"]].similarity, 4),
            coverage=round(measured[scored["id"]].coverage, 4),
            path_coverage=round(measured[scored["id"]].path_coverage, 4),
            links=measured[scored["id"]].links,
            context=measured[scored["id"]].context,
        )
        for index, scored in enumerate(shortlist)
    ]
    return SelectInputs(subtask=hop["route"]["subquery"], candidates=candidates, keep=settings.fif.components_per_hop)


def linking(
    corpus: CorpusReader, components: dict[str, Component], parents: dict[str, Path]
) -> dict[str, tuple[Component, Path]]:
    """Return the linking component and the path of components whose document was reached by a link.

    A mention leads to the components that contain the name, or to all if the title does.
    """
    parent_components = corpus.components({path["parent"] for path in parents.values()}) if parents else {}
    titles = corpus.documents(parents) if any(path.get("mention") for path in parents.values()) else {}
    return {
        key: (parent_components[path["parent"]], path)
        for key, component in components.items()
        if (path := parents.get(component.document))
        and path["parent"] in parent_components
        and path.get("kind") != "hierarchy"  # being near is no evidence of an answer
        and (not path.get("mention") or says(titles[component.document].title, component, path["anchor"]))
    }
