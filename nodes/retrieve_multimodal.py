"""retrieve_multimodal: search once by the words about components and by the pixels of pictures."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.fuse_rankings import fuse
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.nodes.retrieve import FUSION_DEPTH
from backtrail.nodes.take_decision import settings_of
from backtrail.state.errors import BacktrailError
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox


class RetrieveMultimodalSlice(TypedDict):
    """The standalone question."""

    question: str


class RetrieveMultimodalWrites(TypedDict):
    """The results, and a failure if pictures could not be searched by pixels."""

    evidence: dict[str, Evidence]
    ranking: list[Scored]
    usage: dict[str, Charge]
    failures: list[Failure]
    stop_reason: str


def retrieve_multimodal(toolbox: Toolbox) -> SyncNode[RetrieveMultimodalSlice, RetrieveMultimodalWrites]:
    """Node: the k best of both rankings, fused. Without usable pixels a failure is recorded."""

    def search_both(state: RetrieveMultimodalSlice, runtime: Runtime[Settings]) -> RetrieveMultimodalWrites:
        settings = settings_of(runtime)
        corpus = toolbox.corpus(settings)
        started = time.perf_counter()
        question, depth = state["question"], max(settings.k, FUSION_DEPTH)
        words = corpus.search_components(corpus.embed([question])[0], "component", depth)
        pictures, failures = _pictures(corpus, question, depth)
        found = fuse([words, pictures], settings.k) if pictures else words[: settings.k]
        ranking: list[Scored] = [{"id": scored["id"], "score": round(scored["score"], 6)} for scored in found]
        evidence = found_evidence(corpus, question, ranking)
        return {
            "evidence": evidence,
            "ranking": [scored for scored in ranking if scored["id"] in evidence],
            "usage": {"retrieve@0": charge(stage="vectors", seconds=time.perf_counter() - started)},
            "failures": failures,
            "stop_reason": "single-shot",
        }

    return search_both


def _pictures(corpus: CorpusReader, question: str, limit: int) -> tuple[list[Scored], list[Failure]]:
    if not corpus.sees_pixels:
        message = (
            f"Corpus {corpus.name!r} has no pixel encoder, so pictures were found by the words about them alone. "
            f"Add one with: backtrail corpus reindex {corpus.name} --pixels ENCODER"
        )
        return [], [_failure("PixelsMissing", message)]
    try:
        return corpus.search_pictures(question, limit), []
    except BacktrailError as error:  # the encoder has changed, or cannot be opened any more
        return [], [_failure(type(error).__name__, str(error)[:500])]


def _failure(error: str, message: str) -> Failure:
    return {"id": "retrieve@0", "node": "retrieve", "step": 0, "error": error, "message": message}
