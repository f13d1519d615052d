"""Abstain without evidence and without a model, and give the reason."""

from __future__ import annotations

from backtrail.state.own_knowledge_decisions import AnswerAloneInputs, OwnAnswer

NOT_LOOKED = "Nothing was looked up, and without a model nothing is known beyond what was looked up."
IN_VAIN = "The searches found nothing to read, and without a model nothing is known beyond what was found."


def answer_alone(inputs: AnswerAloneInputs) -> OwnAnswer:
    """Return an abstention: rules read only evidence."""
    return OwnAnswer(text=IN_VAIN if inputs.searched else NOT_LOOKED, known=False, confidence=0.0)
