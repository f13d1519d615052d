"""The offline planner: grow branches until one yields an answer, and keep those that found nothing.

A branch is a retrieval over the corpus, a second one along the links of the results (without links: for other
mentions of the name), and an answer from both. The first branch searches for the whole
question: its clauses are constraints on one path, so no part of it is more specific. If that finds nothing, or
no answer, other branches start from the question again: its independent parts, then names that
the results contain and the question does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from backtrail.language.terms import content_terms
from backtrail.rules.mmapg.overall_plan import first_sought
from backtrail.state.mmapg.planning_decisions import NextNode, NextNodes, NodeView, PlanInputs, path_type

NAMES_PURSUED = 3
"""Each costs a branch."""
NODES_TOGETHER = 4
COMPLETE = 0.95
"""A source with this coverage of the question needs no other, as in FiF's rule."""


def plan(inputs: PlanInputs) -> NextNodes:
    """Choose the next node; with side_by_side all first branches at once."""
    last = next(node for node in reversed(inputs.nodes) if node.status != "refused")
    if last.type == "answer" and last.status == "answered":
        return _one(_stop("The question is answered."))
    if inputs.choices.single_path:
        return _one(_on_the_path(inputs, last))
    together = list(_first_branches(inputs))
    if together:
        return NextNodes(nodes=together[: NODES_TOGETHER if inputs.choices.side_by_side else 1])
    following = _following(inputs) or _naming(inputs)
    if following and inputs.turns_left > 1:
        return _one(following)
    return _one(_answer(inputs) or _another_branch(inputs) or _stop("No branch is left to grow."))


def _one(node: NextNode) -> NextNodes:
    return NextNodes(nodes=[node])


def _stop(why: str) -> NextNode:
    return NextNode(type="stop", why=why)


def _first_branches(inputs: PlanInputs) -> Iterator[NextNode]:
    """Return what has to be retrieved before an answer: each side of a comparison, else the question."""
    for text in first_sought(inputs.question, inputs.overall_plan):
        if not _was_sought(inputs, text):
            yield _retrieval(inputs, text, "Nothing is known of this yet.")


def _following(inputs: PlanInputs) -> NextNode | None:
    """Retrieve along new links of the latest result."""
    if not inputs.choices.links:
        return None
    followed = {parent for node in inputs.nodes if node.within == "links" for parent in node.parents}
    for node in reversed(_found(inputs)):
        if node.within == "corpus" and node.links and node.id not in followed:
            why = f"{node.id} found sources with {node.links} links; what they lead to may complete it."
            return NextNode(
                type="retrieval", parents=[node.id], instruction=inputs.question[:600], within="links", why=why
            )
    return None


def _naming(inputs: PlanInputs) -> NextNode | None:
    """Retrieve other mentions of a result without links, such as a table that links to it."""
    for node in reversed(_found(inputs)):
        if node.parents != [inputs.nodes[0].id] or node.links or node.coverage >= COMPLETE or not node.sources:
            continue
        text = f"{inputs.question[:500]} {node.sources[0]}"[:600]
        if content_terms(text) != content_terms(inputs.question) and not _was_sought(inputs, text):
            why = f"{node.id} found {node.sources[0]!r}, which leads nowhere; looking for what else names it."
            return NextNode(type="retrieval", parents=[node.id], instruction=text, why=why[:400])
    return None


def _answer(inputs: PlanInputs) -> NextNode | None:
    """Answer from all results if some have unread sources."""
    found = _found(inputs)
    read = {parent for node in inputs.nodes if node.type == "answer" for parent in node.parents}
    if not any(node.added and node.id not in read for node in found):
        return None
    return NextNode(
        type="answer",
        parents=[node.id for node in found],
        instruction=inputs.question[:600],
        why="What was found has not been read for an answer yet.",
    )


def _another_branch(inputs: PlanInputs) -> NextNode | None:
    """Start another branch from the question after earlier ones failed."""
    dead = [node.id for node in inputs.nodes if node.status in ("nothing found", "unanswered")]
    why = f"{', '.join(dead)} led nowhere; another branch from the question." if dead else "Another branch."
    text = next((text for text in _other_texts(inputs) if not _was_sought(inputs, text)), None)
    return _retrieval(inputs, text, why[:400]) if text else None


def _other_texts(inputs: PlanInputs) -> Iterator[str]:
    yield inputs.question[:600]
    for part in inputs.overall_plan:
        if not part.needs:
            yield part.text
    pursued = sum(_names_beyond(inputs, node.instruction) for node in inputs.nodes if node.type == "retrieval")
    for node in sorted(_found(inputs), key=lambda view: (-view.coverage, view.id)):
        for name in node.names[: NAMES_PURSUED - pursued] if pursued < NAMES_PURSUED else []:
            yield f"{inputs.question[:500]} {name}"[:600]


def _names_beyond(inputs: PlanInputs, instruction: str) -> bool:
    """Whether an instruction is the question plus a name."""
    return instruction.startswith(inputs.question[:500]) and instruction != inputs.question[:600]


def _on_the_path(inputs: PlanInputs, last: NodeView) -> NextNode:
    """The ablation: alternate retrievals and answers, each from the previous node."""
    if path_type(last) == "answer":
        return NextNode(
            type="answer", parents=[last.id], instruction=inputs.question[:600], why="The path answers what it found."
        )
    text = next((text for text in _other_texts(inputs) if not _was_sought(inputs, text)), None)
    if text is None:
        return _stop("The path has no other words to search for.")
    return NextNode(type="retrieval", parents=[last.id], instruction=text, why="The path goes on from its last node.")


def _found(inputs: PlanInputs) -> list[NodeView]:
    return [node for node in inputs.nodes if node.type == "retrieval" and node.status == "found"]


def _was_sought(inputs: PlanInputs, text: str) -> bool:
    """Whether a retrieval over the corpus used these words."""
    wanted = content_terms(text)
    return any(
        node.type == "retrieval" and node.within != "links" and content_terms(node.instruction) == wanted
        for node in inputs.nodes
    )


def _retrieval(inputs: PlanInputs, text: str, why: str) -> NextNode:
    return NextNode(type="retrieval", parents=[inputs.nodes[0].id], instruction=text, why=why)
