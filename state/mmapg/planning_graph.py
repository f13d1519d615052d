"""The adaptive planning graph G = (V, E) of questions, retrievals and answers (MMAPG, section 3.3).

A node is one action; its parents are the edges. New nodes may start from any earlier node, so a branch that found
nothing is left and another one grown.
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
"""Where a retrieval looks; ``similarity`` is the ablation without the retrieval module."""

STATUSES: dict[NodeKind, tuple[NodeStatus, ...]] = {
    "question": ("asked",),
    "retrieval": ("found", "nothing found", "refused"),
    "answer": ("answered", "unanswered"),
    "stop": ("stopped",),
}
"""Statuses that a node of each kind may have."""
UNDONE: dict[NodeKind, NodeStatus] = {
    "question": "asked",
    "retrieval": "nothing found",
    "answer": "unanswered",
    "stop": "stopped",
}
"""Status of a node that is planned and not executed yet."""

ROOT = "n0"
CONTENT_CHARACTERS = 1000
"""Longest content of a node (ours). Longer ones are cut, with a mark; the sources are complete."""


class Search(TypedDict):
    """How a retrieval searched: its queries, its knowledge bases, and whether it hit a bound.

    ``entries`` counts entries within the radii, ``examined`` the examined candidates. Radii are cosine distances, in
    [0, 2].
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
    """One action and its result. Sources are component ids, best first.

    ``settled``: a retrieval's examiner judged that it found all that the instruction seeks.
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
    """Return the id of the nth planned node."""
    return f"n{number}"


def number_of(node: str) -> int:
    """Return the number in an id."""
    return int(node[1:])


def merge_planning_nodes(current: list[PlanningNode], new: list[PlanningNode]) -> list[PlanningNode]:
    """Reducer: by id, in order; a known id replaces its node, so replays change nothing.

    Raises:
        ValueError: the result is no valid planning graph (a fault of the node that wrote it).
    """
    by_id = {node["id"]: node for node in current}
    by_id.update({node["id"]: node for node in new})
    merged = sorted(by_id.values(), key=lambda node: number_of(node["id"]))
    if problems := broken_invariants(merged):
        raise ValueError(" ".join(problems))
    return merged


def broken_invariants(nodes: list[PlanningNode]) -> list[str]:
    """Return what is wrong with a planning graph, one sentence each.

    Parents exist and are of an earlier step, so the graph has no cycle. A retrieval that found something has sources,
    one that found nothing has none and says so.
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
    """Build the node that the graph starts from."""
    return {
        "id": ROOT, "kind": "question", "step": 0, "parents": [], "instruction": question, "within": "corpus",
        "content": question, "sources": [], "status": "asked", "why": "",
    }  # fmt: skip


def is_dead(node: PlanningNode) -> bool:
    """Return whether a node leads nowhere: nothing found, not answered, or refused."""
    return node["status"] in ("nothing found", "unanswered", "refused")


def dead_branches(nodes: Iterable[PlanningNode]) -> list[PlanningNode]:
    """Return the nodes that lead nowhere."""
    return [node for node in nodes if is_dead(node)]


def recovered_branches(nodes: list[PlanningNode]) -> list[PlanningNode]:
    """Return the dead nodes that were followed by an answer on another branch."""
    answered = [node["step"] for node in nodes if node["status"] == "answered"]
    return [node for node in dead_branches(nodes) if answered and node["step"] < max(answered)]


def last_answer(nodes: list[PlanningNode]) -> PlanningNode | None:
    """Return the last answered Answer node, or else the last Answer node."""
    answers = [node for node in nodes if node["kind"] == "answer"]
    answered = [node for node in answers if node["status"] == "answered"]
    return (answered or answers or [None])[-1]


def retrieval_key(instruction: str, parents: Iterable[str], within: Within) -> tuple[str, str, str]:
    """Return the identity of a retrieval, regardless of the order of words and parents."""
    return intent(instruction), "|".join(sorted(set(parents))), within


def tried_retrievals(nodes: list[PlanningNode]) -> set[tuple[str, str, str]]:
    """Return the keys of every retrieval made. Dead parents contribute nothing, so they do not count."""
    live = {node["id"] for node in nodes if not is_dead(node)}
    return {
        retrieval_key(node["instruction"], live.intersection(node["parents"]), node["within"])
        for node in nodes
        if node["kind"] == "retrieval" and node["status"] != "refused"
    }
