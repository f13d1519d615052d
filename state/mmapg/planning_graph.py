"""The adaptive planning graph G = (V, E): what was asked, searched and answered, and built upon what.

MMAPG section 3.3. A node stands for one action; its parents are the edges. New nodes may start from any
earlier node, so a branch that found nothing is left standing and another one grown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.answer import Answer
from backtrail.state.hop import intent

NodeKind = Literal["question", "answer", "retrieval", "stop"]
NodeStatus = Literal["asked", "found", "nothing found", "answered", "unanswered", "refused", "stopped"]
Within = Literal["corpus", "links", "similarity"]
"""Where a retrieval looks; the last is the ablation without the retrieval module."""

STATUSES: dict[NodeKind, tuple[NodeStatus, ...]] = {
    "question": ("asked",),
    "retrieval": ("found", "nothing found", "refused"),
    "answer": ("answered", "unanswered"),
    "stop": ("stopped",),
}
"""What may become of a node of each kind."""
UNDONE: dict[NodeKind, NodeStatus] = {
    "question": "asked",
    "retrieval": "nothing found",
    "answer": "unanswered",
    "stop": "stopped",
}
"""The status of a node that was planned and is not carried out yet."""

ROOT = "n0"
CONTENT_CHARACTERS = 1000
"""Longest content of a node (ours). What is longer is shortened with a mark; the sources hold all of it."""


class Search(TypedDict):
    """How a retrieval looked: its queries, the knowledge bases it had, and whether a bound was hit.

    ``entries`` counts what lay within the radii, ``examined`` the candidates that were looked at. Radii are
    cosine distances, in [0, 2].
    """

    text_queries: list[str]
    image_queries: list[str]
    image_question: str
    image_kind: str
    text_base: str
    image_base: str
    text_radius: float
    image_radius: float
    entries: int
    examined: int
    capped: bool


class PlanningNode(TypedDict):
    """One action and what it brought. Sources are component ids, best first.

    ``settled``: a retrieval's examiner said that it brought all that the instruction seeks.
    """

    id: str
    kind: NodeKind
    step: int
    parents: list[str]
    instruction: str
    within: Within
    content: str
    sources: list[str]
    status: NodeStatus
    why: str
    search: NotRequired[Search]
    answer: NotRequired[Answer]
    conflicts: NotRequired[list[str]]
    settled: NotRequired[bool]


def node_id(number: int) -> str:
    """Ids count up in the order in which nodes were planned."""
    return f"n{number}"


def number_of(node: str) -> int:
    """The number in an id."""
    return int(node[1:])


def merge_planning_nodes(held: list[PlanningNode], new: list[PlanningNode]) -> list[PlanningNode]:
    """Reducer: by id, in order; an id seen again replaces its node, so a replayed step changes nothing.

    Raises:
        ValueError: the result would be no planning graph (a fault of the node that wrote it).
    """
    by_id = {node["id"]: node for node in held}
    by_id.update({node["id"]: node for node in new})
    merged = sorted(by_id.values(), key=lambda node: number_of(node["id"]))
    if problems := broken_invariants(merged):
        raise ValueError(" ".join(problems))
    return merged


def broken_invariants(nodes: list[PlanningNode]) -> list[str]:
    """What is wrong with a planning graph, a sentence each; empty when nothing is.

    Parents exist and are of an earlier step, so the graph has no cycle. A retrieval that found something
    names its sources, one that found nothing has none and says so.
    """
    steps = {node["id"]: node["step"] for node in nodes}
    problems: list[str] = []
    for node in nodes:
        name = node["id"]
        problems += [f"{name} has the unknown parent {one}." for one in node["parents"] if one not in steps]
        problems += [
            f"{name} of step {node['step']} has the parent {one} of step {steps[one]}."
            for one in node["parents"]
            if one in steps and steps[one] >= node["step"]
        ]
        if (name == ROOT) == bool(node["parents"]):
            problems.append(f"{name}: the question alone has no parent.")
        if node["status"] not in STATUSES[node["kind"]]:
            problems.append(f"{name} is a {node['kind']} with the status {node['status']!r}.")
        if (node["status"] == "found") != bool(node["sources"]) and node["kind"] == "retrieval":
            problems.append(f"{name} is {node['status']!r} with {len(node['sources'])} sources.")
        if not node["content"].strip():
            problems.append(f"{name} does not say what became of it.")
    return problems


def root_node(question: str) -> PlanningNode:
    """The node that the graph starts from."""
    return {
        "id": ROOT, "kind": "question", "step": 0, "parents": [], "instruction": question, "within": "corpus",
        "content": question, "sources": [], "status": "asked", "why": "",
    }  # fmt: skip


def is_dead(node: PlanningNode) -> bool:
    """A node that leads nowhere: nothing found, not answered, or refused."""
    return node["status"] in ("nothing found", "unanswered", "refused")


def dead_branches(nodes: Iterable[PlanningNode]) -> list[PlanningNode]:
    """Nodes that lead nowhere."""
    return [node for node in nodes if is_dead(node)]


def recovered_branches(nodes: list[PlanningNode]) -> list[PlanningNode]:
    """Dead nodes after which another branch brought the run an answer."""
    answered = [node["step"] for node in nodes if node["status"] == "answered"]
    return [node for node in dead_branches(nodes) if answered and node["step"] < max(answered)]


def last_answer(nodes: list[PlanningNode]) -> PlanningNode | None:
    """The last Answer node that holds an answer; if none does, the last one."""
    answers = [node for node in nodes if node["kind"] == "answer"]
    answered = [node for node in answers if node["status"] == "answered"]
    return (answered or answers or [None])[-1]


def retrieval_key(instruction: str, parents: Iterable[str], within: Within) -> tuple[str, str, str]:
    """Identity of a retrieval: equal keys are the same attempt, whatever the order of words or parents."""
    return intent(instruction), "|".join(sorted(set(parents))), within


def tried_retrievals(nodes: list[PlanningNode]) -> set[tuple[str, str, str]]:
    """The ledger: keys of every retrieval that was made. Dead parents carry nothing, so they make no difference."""
    live = {node["id"] for node in nodes if not is_dead(node)}
    return {
        retrieval_key(node["instruction"], live.intersection(node["parents"]), node["within"])
        for node in nodes
        if node["kind"] == "retrieval" and node["status"] != "refused"
    }
