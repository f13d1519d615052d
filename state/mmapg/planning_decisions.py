"""MMAPG's planning decisions (section 3.3): the overall plan, and the next nodes of the graph.

The reasoning module takes every method's reader decision (``answer_decisions.ANSWER``); the retrieval module's are in
``retrieval_decisions`` and ``examine_decisions``. Nodes measure, and every decider gets the same measures. Rules act on
them; a chat model may ignore them.
"""

from __future__ import annotations

from typing import Literal, TypeVar

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part, quote_ids
from backtrail.state.decompose_decisions import in_order

NODES_AT_ONCE = 4
INSTRUCTION_CHARACTERS = 600


# --- the overall plan ----------------------------------------------------------------------------
class OverallPlanInputs(Part):
    """A question, and whether it comes with a picture."""

    question: str
    has_picture: bool = False


class KeyPart(Part):
    """One piece of information the answer needs; ``needs`` are 0-based indexes of earlier parts."""

    text: str = Field(min_length=1, max_length=400)
    needs: list[int] = Field(default_factory=list[int])


class OverallPlan(Part):
    """The key components of a question."""

    components: list[KeyPart] = Field(min_length=1, max_length=6)


P = TypeVar("P", bound=OverallPlan)


def needed_first(inputs: OverallPlanInputs, plan: P) -> P:
    """Order the parts so that each follows those it needs."""
    order, needs = in_order([component.needs for component in plan.components])
    parts = [KeyPart(text=plan.components[i].text, needs=needed) for i, needed in zip(order, needs, strict=True)]
    return plan.model_copy(update={"components": parts})


def needs_earlier_parts(inputs: OverallPlanInputs, plan: OverallPlan) -> list[str]:
    """Check that parts need only earlier parts."""
    return [
        f"Component {index} needs {needed}, which comes after it; they wait for each other."
        for index, component in enumerate(plan.components)
        for needed in component.needs
        if not 0 <= needed < index
    ]


OVERALL_PLAN = Decision(
    "mmapg_overall_plan", OverallPlanInputs, OverallPlan, "planner", needs_earlier_parts, normalize=needed_first
)


class OpeningInputs(OverallPlanInputs):
    """A question to plan with its first retrieval; ``side_by_side`` allows several independent ones."""

    side_by_side: bool = False


class Opening(OverallPlan):
    """The key components of a question, and what is looked up first."""

    first: list[str] = Field(min_length=1, max_length=8, description="Instructions of the first retrievals.")


def opens_with_something(inputs: OpeningInputs, opening: Opening) -> list[str]:
    """Check the overall plan, and that there is an instruction."""
    problems = needs_earlier_parts(inputs, opening)
    if not any(text.strip() for text in opening.first):
        problems.append('"first" is empty; it says what to look up first.')
    return problems


OPEN = Decision("mmapg_open", OpeningInputs, Opening, "planner", opens_with_something, normalize=needed_first)


# --- the next node -------------------------------------------------------------------------------
class NodeView(Part):
    """A node of the planning graph as the planner sees it; long contents are cut, with a mark."""

    id: str
    type: Literal["question", "answer", "retrieval"]
    parents: list[str]
    status: str
    instruction: str
    within: str
    content: str
    sources: list[str] = Field(default_factory=list, description="Titles of its sources, best first.")
    added: int = Field(default=0, description="How many of its sources no earlier retrieval had.")
    links: int = Field(default=0, description="How many other documents its sources link to.")
    linked: list[str] = Field(default_factory=list, description="Titles of some of these documents.")
    names: list[str] = Field(default_factory=list, description="Names in its content that are not in the question.")
    conflicts: list[str] = Field(default_factory=list, description="Where its sources contradict each other.")
    settled: Literal[True] | None = Field(
        default=None, description="Its examiner found all that was sought; None: not judged."
    )
    coverage: float = Field(default=0.0, description="Share of the question that its best source covers, in [0, 1].")


class Choices(Part):
    """Options that the settings allow."""

    side_by_side: bool
    links: bool
    single_path: bool


class PlanInputs(Part):
    """The overall plan and the whole planning graph."""

    question: str
    overall_plan: list[KeyPart]
    nodes: list[NodeView]
    turns_left: int
    choices: Choices


class NextNode(Part):
    """A node to grow: its type, the nodes it builds on, and what is to be done.

    An answer without an instruction is one to the whole question.
    """

    type: Literal["question", "retrieval", "answer", "stop"]
    parents: list[str] = Field(default_factory=list, description="Ids of existing nodes.")
    instruction: str = Field(default="", max_length=INSTRUCTION_CHARACTERS)
    within: Literal["corpus", "links"] = Field(default="corpus", description="Where a retrieval looks.")
    why: str = Field(default="", max_length=400, description="One sentence for the trace.")


class NextNodes(Part):
    """One node, or several that do not depend on each other where that is allowed."""

    nodes: list[NextNode] = Field(min_length=1, max_length=NODES_AT_ONCE)


def grows_from_the_graph(inputs: PlanInputs, proposed: NextNodes) -> list[str]:
    """Check that parents exist and were not refused, and that the settings allow each node."""
    problems: list[str] = []
    if len(proposed.nodes) > 1 and not inputs.choices.side_by_side:
        problems.append(f"Give exactly one node; {len(proposed.nodes)} were given.")
    if len(proposed.nodes) > 1 and any(node.type == "stop" for node in proposed.nodes):
        problems.append("A stop stands alone; give it without other nodes.")
    for node in proposed.nodes:
        problems += _misgrown(inputs, node)
    return problems


def _misgrown(inputs: PlanInputs, node: NextNode) -> list[str]:
    offered = {view.id: view for view in inputs.nodes if view.status != "refused"}
    problems = [
        f"{quote_ids(parent)} is no parent; nodes that can be built upon are {sorted(offered)}."
        for parent in node.parents
        if parent not in offered
    ]
    if node.type == "stop":
        return problems
    if not node.parents:
        problems.append(f"A {node.type} needs at least one parent; {sorted(offered)} can be built upon.")
    if not node.instruction.strip() and node.type != "answer":
        problems.append(f"A {node.type} needs an instruction.")
    linking = [view.id for view in offered.values() if view.links]
    if node.within == "links" and not inputs.choices.links:
        problems.append('Following links is switched off; give "within" as "corpus".')
    elif node.within == "links" and not set(linking).intersection(node.parents):
        problems.append(f'"links" needs a parent whose sources have links; these are {linking or "none"}.')
    return problems + (_off_the_path(offered, node) if inputs.choices.single_path else [])


def _off_the_path(offered: dict[str, NodeView], node: NextNode) -> list[str]:
    last = list(offered.values())[-1]
    wanted = path_type(last)
    problems: list[str] = []
    if node.type != wanted:
        problems.append(f"After the {last.type} {last.id} comes a {wanted} or a stop, not a {node.type}.")
    if node.parents != [last.id]:
        problems.append(f"On a single path the only parent is the last node, {last.id!r}.")
    return problems


def path_type(last: NodeView) -> Literal["retrieval", "answer"]:
    """Return what may follow a node on a single path: retrievals and answers in turn."""
    return "answer" if last.type == "retrieval" and last.status == "found" else "retrieval"


def offered_nodes(inputs: PlanInputs) -> Offers:
    """Return the nodes that can be built upon, and where a retrieval may look."""
    usable = [view for view in inputs.nodes if view.status != "refused"]
    linking = inputs.choices.links and any(view.links for view in usable)
    return {
        "nodes.parents": [view.id for view in usable],
        "nodes.within": ["corpus", "links"] if linking else ["corpus"],
    }


PLAN = Decision("mmapg_plan", PlanInputs, NextNodes, "planner", grows_from_the_graph, offers=offered_nodes)
