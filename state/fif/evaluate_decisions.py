"""FiF's decision whether a hop succeeded, and what else it resolves (section 4.2)."""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part, quote_ids
from backtrail.state.fif.memory_views import SubqueryView


class ReadComponent(Part):
    """A component with its contents, as evaluator and reader see it."""

    id: str
    modality: str
    title: str
    section: str = ""
    text: str
    similarity: float
    coverage: float = 0.0
    path_coverage: float = 0.0
    links: int = 0
    context: float | None = None
    parent: str | None = Field(default=None, description="The component whose link led here.")
    linking_piece: str = Field(default="", description="The row or sentence of the parent that holds the link.")
    anchor_text: str = Field(default="", description="The text of that link.")
    parts: dict[str, float] = Field(
        default_factory=dict, description="Coverage of open subqueries that can be judged independently, by id."
    )


class EvaluateInputs(Part):
    """The components of a hop, with its subtask and every open subquery."""

    question: str
    subtask: str
    subquery_id: str | None
    open_subqueries: list[SubqueryView]
    known: list[SubqueryView]
    components: list[ReadComponent]
    unseen_pictures: list[str] = Field(default_factory=list, description="Pictures that cannot be shown, with why.")


class Resolved(Part):
    """A subquery that the components answer."""

    subquery_id: str
    answer: str = Field(max_length=400)
    component: str | None = None


class Evaluation(Part):
    """Success or failure of the hop, with the reason, and what else it resolves."""

    answerable: bool
    relevant: list[str] = Field(default_factory=list, description="Ids of the components that matter.")
    resolved: list[Resolved] = Field(default_factory=list[Resolved])
    reason: str = Field(default="", max_length=600)


def evaluation_fits(inputs: EvaluateInputs, evaluation: Evaluation) -> list[str]:
    """Check that only offered components and open subqueries are named."""
    components = {component.id for component in inputs.components}
    open_ids = {subquery.id for subquery in inputs.open_subqueries}
    problems = [
        f"Component {quote_ids(component)} was not offered; offered are {sorted(components)}."
        for component in [*evaluation.relevant, *(r.component for r in evaluation.resolved if r.component)]
        if component not in components
    ]
    problems += [
        f"Subquery {quote_ids(resolved.subquery_id)} is not open; open ids are {sorted(open_ids)}."
        for resolved in evaluation.resolved
        if resolved.subquery_id not in open_ids
    ]
    return problems


def offered_to_evaluate(inputs: EvaluateInputs) -> Offers:
    """Return the components of the hop and the open subqueries."""
    components = [component.id for component in inputs.components]
    return {
        "relevant": components,
        "resolved.component": components,
        "resolved.subquery_id": [subquery.id for subquery in inputs.open_subqueries],
    }


def of_open_ones(inputs: EvaluateInputs, evaluation: Evaluation) -> Evaluation:
    """Drop answers to subqueries that are answered already."""
    answered = {subquery.id for subquery in inputs.known}
    kept = [resolved for resolved in evaluation.resolved if resolved.subquery_id not in answered]
    return evaluation.model_copy(update={"resolved": kept})


EVALUATE = Decision(
    "fif_evaluate",
    EvaluateInputs,
    Evaluation,
    "planner",
    evaluation_fits,
    offers=offered_to_evaluate,
    normalize=of_open_ones,
)
