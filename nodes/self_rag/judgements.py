"""The judgements of self-reflective RAG: in one call each or, as in the usual loop, in several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from backtrail.nodes.self_rag.document_views import pictures_graded
from backtrail.nodes.take_decision import Taken, take
from backtrail.state.decision import Decision
from backtrail.state.failure import Failure
from backtrail.state.self_rag.decisions import (
    CHECK,
    GRADE,
    SUPPORT,
    USE,
    Checked,
    CheckInputs,
    GradeInputs,
    Grades,
    SupportInputs,
    UseInputs,
)
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)
WHY_CHARACTERS = 1_000


@dataclass(frozen=True)
class Judging:
    """Decider, node, step, usage so far and question picture of a judgement."""

    toolbox: Toolbox
    settings: Settings
    node: str
    step: int
    spent: dict[str, Charge]
    image: str | None


async def graded_together(judging: Judging, inputs: GradeInputs) -> Taken[Grades]:
    """Grade all documents in one call."""
    return await _asked(judging, GRADE, inputs, [document.id for document in inputs.documents])


async def graded_apart(judging: Judging, inputs: GradeInputs) -> Taken[Grades]:
    """Grade each document in its own call, in order; one without a valid judgement is kept."""
    parts: list[Taken[Grades]] = []
    for document in inputs.documents:
        alone = inputs.model_copy(update={"documents": [document]})
        parts.append(await _asked(judging, GRADE, alone, [document.id], after=parts))
    judged = list(zip(inputs.documents, parts, strict=True))
    relevant = [document.id for document, part in judged if part.output is None or part.output.relevant]
    whys = dict.fromkeys(part.output.why for part in parts if part.output)
    return _joined(Grades(relevant=relevant, why=" ".join(whys).strip()[:WHY_CHARACTERS]), parts)


async def checked_together(judging: Judging, inputs: CheckInputs) -> Taken[Checked]:
    """Judge support and use of a draft in one call."""
    return await _asked(judging, CHECK, inputs, [document.id for document in inputs.documents])


async def checked_apart(judging: Judging, inputs: CheckInputs) -> Taken[Checked]:
    """Judge in two calls: support without the question, then use without the documents."""
    ids = [document.id for document in inputs.documents]
    support = await _asked(judging, SUPPORT, SupportInputs(answer=inputs.answer, documents=inputs.documents), ids)
    if support.output is None:
        return _joined(None, [support])
    if not support.output.grounded:
        return _joined(Checked(grounded=False, useful=False, why=support.output.why), [support])
    use = await _asked(judging, USE, UseInputs(question=inputs.question, answer=inputs.answer), [], after=[support])
    judged = Checked(grounded=True, useful=use.output.useful, why=use.output.why) if use.output else None
    return _joined(judged, [support, use])


async def _asked(
    judging: Judging, decision: Decision[I, O], inputs: I, ids: Sequence[str], after: Sequence[Taken[Any]] = ()
) -> Taken[O]:
    """Make one call, with its pictures, within what earlier calls of the step have left."""
    return await take(
        judging.toolbox, judging.settings, decision, inputs,
        node=judging.node, step=judging.step, spent={**judging.spent, **_charges(after)},
        pictures=await pictures_graded(judging.toolbox, judging.settings, judging.image, ids),
    )  # fmt: skip


def _joined(output: O | None, parts: Sequence[Taken[Any]]) -> Taken[O]:
    """Join the calls of one step, each with an id of its own: ``grade_documents@1.2``."""
    failures: list[Failure] = [
        {**failure, "id": f"{failure['id']}.{number}"}
        for number, part in enumerate(parts, start=1)
        for failure in part.failures
    ]
    return Taken(output, _charges(parts), failures)


def _charges(parts: Sequence[Taken[Any]]) -> dict[str, Charge]:
    return {
        f"{id_}.{number}": charge
        for number, part in enumerate(parts, start=1)
        for id_, charge in part.usage.items()
    }  # fmt: skip
