"""retrieve_pages: search once among pictures of whole pages, and rank the components on them."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.nodes.take_decision import MESSAGE_CHARACTERS, settings_of
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.toolbox import Toolbox


class RetrievePagesSlice(TypedDict):
    """The standalone question."""

    question: str


class RetrievePagesWrites(TypedDict):
    """The components on the best pages, and a failure if documents could not be searched."""

    evidence: dict[str, Evidence]
    ranking: list[Scored]
    usage: dict[str, Charge]
    failures: list[Failure]
    stop_reason: str


def retrieve_pages(toolbox: Toolbox) -> SyncNode[RetrievePagesSlice, RetrievePagesWrites]:
    """Node: the first k components on the best pages.

    Pages are ordered by MaxSim, and the components of a page follow in reading order (ours: the paper ranks components
    and does not say how those of a page are ordered). Each has the score of its page, MaxSim divided by the number of
    the question's vectors, in [-1, 1].

    Raises PagesMissing or PagesMismatch if the corpus has no page vectors by the model of the settings.
    """

    def search_pages(state: RetrievePagesSlice, runtime: Runtime[Settings]) -> RetrievePagesWrites:
        settings = settings_of(runtime)
        corpus, pages = toolbox.corpus(settings), toolbox.pages(settings)
        documents, model = corpus.document_ids(), pages.model()  # opened before time is measured
        began = time.perf_counter()
        question = model.embed_question(state["question"])
        embedded = time.perf_counter()
        found = pages.search(question, settings.k, documents)
        on_pages = corpus.components([id_ for page, _ in found for id_ in page.components])
        ranking = [
            Scored(id=id_, score=round(score / len(question), 6))
            for page, score in found
            for id_ in page.components
            if id_ in on_pages
        ][: settings.k]
        spent = charge(stage="embedding", seconds=embedded - began)
        spent["seconds"]["vectors"] = round(time.perf_counter() - embedded, 6)
        return {
            "evidence": found_evidence(corpus, state["question"], ranking),
            "ranking": ranking,
            "usage": {"retrieve@0": spent},
            "failures": _not_searched({id_: pages.unembedded[id_] for id_ in documents if id_ in pages.unembedded}),
            "stop_reason": "single-shot",
        }

    return search_pages


def _not_searched(documents: dict[str, str]) -> list[Failure]:
    if not documents:
        return []
    first, reason = next(iter(documents.items()))
    others = f" and {len(documents) - 1} more documents" if len(documents) > 1 else ""
    message = f"Not searched, because no page is embedded: {first} ({reason}){others}."
    return [
        {
            "id": "retrieve@0", "node": "retrieve", "step": 0, "error": "PagesNotEmbedded",
            "message": message[:MESSAGE_CHARACTERS],
        }
    ]  # fmt: skip
