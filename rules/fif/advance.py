"""Take the fused decision without a model: judge by coverage, and answer by extracts."""

from __future__ import annotations

from backtrail.rules.fif.evaluate import LEADS_ON
from backtrail.rules.reader.answer import answer
from backtrail.rules.relevance import alone
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText, StructuredReading
from backtrail.state.fif.fused_decisions import Advance, AdvanceInputs, SeenComponent


def advance(inputs: AdvanceInputs) -> Advance:
    """Answer with the best extract, and do not search: results would need to be judged too."""
    ranked = sorted(inputs.evidence, key=lambda one: (-_fit(one), one.id))
    relevant = [one.id for one in ranked if max(one.coverage, one.path_coverage) >= LEADS_ON]
    known = [f"{one.text}: {one.answer}" for one in inputs.subqueries if one.answer]
    evidence: list[EvidenceText] = list(inputs.evidence)
    reading = answer(AnswerInputs(question=inputs.question, known=known, evidence=evidence))
    why = "Extracts of what was found." if reading.supported else "No extract answers the question."
    held = StructuredReading.model_validate(reading.model_dump())
    return Advance(success=reading.supported, relevant=relevant, answer=held, why=why)


def _fit(component: SeenComponent) -> float:
    covered = max(component.coverage, component.path_coverage)
    return alone(covered, component.similarity, component.context, table=component.modality == "table")
