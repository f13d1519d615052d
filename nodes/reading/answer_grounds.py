"""The grounds of an answer: evidence, the model's knowledge, or quotes after a model failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from backtrail.state.answer import Answer, Grounds, Knowledge
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, Reading
from backtrail.state.settings import Settings
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.toolbox import Toolbox

QUOTES_CONFIDENCE = 0.5
"""Highest confidence of an answer by rules in place of a model's (ours)."""


ByPaper = Knowledge | Callable[[Settings], Knowledge]
"""What an answer may be based on in a method's paper; a function if the method's variants differ."""


def allowed(settings: Settings, by_paper: ByPaper) -> Knowledge:
    """Return what an answer may be based on: by the settings, else by the method's paper."""
    if settings.knowledge != "method":
        return settings.knowledge
    return by_paper(settings) if callable(by_paper) else by_paper


def knowledge_with_evidence(settings: Settings, by_paper: Knowledge) -> Literal["evidence", "both"]:
    """Return the same for steps that need evidence: "own" becomes "both"."""
    return "evidence" if allowed(settings, by_paper) == "evidence" else "both"


def with_grounds(answer: Answer, grounds: Grounds) -> Answer:
    """Set the grounds of an answer, unless they are the evidence; an abstention has none."""
    return answer if answer["abstained"] or grounds == "evidence" else {**answer, "grounds": grounds}


async def quoted(toolbox: Toolbox, inputs: AnswerInputs) -> Reading | None:
    """Return the rules' reading of the evidence; None if they find no answer."""
    try:
        reading = (await toolbox.rules.decide(ANSWER, inputs.model_copy(update={"knowledge": "evidence"}))).output
    except DecisionFailed:
        return None
    return reading if reading.supported else None


def in_quotes(answer: Answer, why: str) -> Answer:
    """Return an answer by rules in place of a model's, with the reason."""
    return {
        **answer,
        "text": f"{why} Read by rules instead, the documents say: {answer['text']}",
        "confidence": min(answer["confidence"], QUOTES_CONFIDENCE),
        "grounds": "quotes",
    }
