"""Detection of a forced next node, for which no planner call is needed (ours).

The first retrieval is planned with the overall plan; once retrievals settled all that the question needs, an answer is
due; and after a supported answer to the whole question the run stops.
"""

from __future__ import annotations

from backtrail.state.hop import intent
from backtrail.state.mmapg.memory import KeyComponent, Proposed
from backtrail.state.mmapg.planning_graph import NodeKind, PlanningNode

SURE = 0.5
"""Confidence above which an answer is neither partial nor disputed: prompts ask readers to stay at or below it."""


def forced(
    question: str, plan: list[KeyComponent], opening: list[str], nodes: list[PlanningNode]
) -> list[Proposed] | None:
    """Return the next nodes if there is no choice, else None."""
    last = next(node for node in reversed(nodes) if node["status"] != "refused")
    if len(nodes) == 1:
        return [_retrieval(text, last["id"]) for text in opening] or None
    if _answers_all(last, question):
        return [_node("stop", [], "", f"{last['id']} answers the question.")]
    if found := _settling(last, nodes, question, plan):
        return [_node("answer", found, question, f"{' and '.join(found)} brought all that the question needs.")]
    return None


def _answers_all(node: PlanningNode, question: str) -> bool:
    answer = node.get("answer")
    sure = answer is not None and not answer["abstained"] and answer["confidence"] > SURE
    return sure and not node.get("conflicts") and intent(node["instruction"]) == intent(question)


def _settling(last: PlanningNode, nodes: list[PlanningNode], question: str, plan: list[KeyComponent]) -> list[str]:
    """Return the retrievals that settled the whole question, or as many as the plan has parts."""
    if not _settled(last):
        return []
    if intent(last["instruction"]) == intent(question):
        return [last["id"]]
    settled = [node["id"] for node in nodes if _settled(node)]
    return settled if len(settled) >= len(plan) else []


def _settled(node: PlanningNode) -> bool:
    return node["status"] == "found" and bool(node.get("settled")) and not node.get("conflicts")


def _retrieval(text: str, root: str) -> Proposed:
    return _node("retrieval", [root], text, "Planned with the overall plan.")


def _node(kind: NodeKind, parents: list[str], instruction: str, why: str) -> Proposed:
    return {"kind": kind, "parents": parents, "instruction": instruction, "within": "corpus", "why": why}
