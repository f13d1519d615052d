"""conclude: answer with the last Answer node, and rank all sources (MMAPG section 3.3)."""

from __future__ import annotations

import time
from typing import NotRequired

from langgraph.runtime import Runtime

from backtrail.nodes.end_turn import AnswerWrites, TurnSlice, end_turn, without_answer
from backtrail.nodes.graph_traversal.deduplicate import changed_duplicates, deduplicate_by_id
from backtrail.nodes.graph_traversal.source_scores import source_scores
from backtrail.nodes.mmapg.reason import NO_VALID_READING, NOTHING_TO_READ
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.abstain_below_confidence import abstain_below_confidence
from backtrail.nodes.take_decision import settings_of
from backtrail.state.answer import Answer
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hop import Scored
from backtrail.state.mmapg.planning_graph import PlanningNode, last_answer
from backtrail.state.mmapg.variant import MMAPG
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.toolbox import Toolbox

NOT_ANSWERED = "I found no answer."


class ConcludeSlice(TurnSlice):
    """The final planning graph."""

    planning_graph: list[PlanningNode]
    evidence: dict[str, Evidence]
    failures: NotRequired[list[Failure]]


class ConcludeWrites(AnswerWrites, total=False):
    """The outcome, also as a message for chat front ends."""

    ranking: list[Scored]
    evidence: dict[str, Evidence]


def conclude(toolbox: Toolbox) -> SyncNode[ConcludeSlice, ConcludeWrites]:
    """Node: deliver the answer, and rank the sources of the graph."""

    def hand_over(state: ConcludeSlice, runtime: Runtime[Settings]) -> ConcludeWrites:
        settings = settings_of(runtime)
        started = time.perf_counter()
        used = {source for node in state["planning_graph"] for source in node["sources"]}
        corpus, variant = toolbox.corpus(settings), MMAPG.of(settings.variant)
        scored = source_scores(corpus, state["question"], used, state["evidence"], words=variant.search_words)
        ranking = (
            deduplicate_by_id(corpus, scored, settings.k) if variant.deduplicate_components else scored[: settings.k]
        )
        listed = changed_duplicates(ranking, state["evidence"])
        answer, failed = _answer(state)
        spent = {"conclude@0": charge(stage="vectors", seconds=time.perf_counter() - started)}
        ended: ConcludeSlice = {**state, "evidence": {**state["evidence"], **listed}}
        closed = end_turn(toolbox, settings, ended, abstain_below_confidence(answer, settings), spent, [], failed)
        return {**closed, "ranking": ranking, "evidence": listed}

    return hand_over


def _answer(state: ConcludeSlice) -> tuple[Answer, str]:
    """Return the answer, and the node at which a model failed if that is why there is none."""
    last = last_answer(state["planning_graph"])
    answer = last.get("answer") if last else None
    if answer is None or answer["text"] in (NOTHING_TO_READ, NO_VALID_READING):
        return without_answer(answer["text"] if answer else NOT_ANSWERED, state.get("failures", []))
    failed = without_answer("", state.get("failures", []))[1] if answer.get("grounds") == "quotes" else ""
    return answer, failed
