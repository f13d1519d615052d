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
"""Most confidence in what rules read where a model was meant to: nobody weighed it (ours)."""


ByPaper = Knowledge | Callable[[Settings], Knowledge]
"""What a method's paper has an answer rest on; a function where the method's variants differ in it."""


def allowed(settings: Settings, by_paper: ByPaper) -> Knowledge:
    """What an answer may rest on: as the settings say, else as the method's paper has it."""
    if settings.knowledge != "method":
        return settings.knowledge
    return by_paper(settings) if callable(by_paper) else by_paper


def beside_evidence(settings: Settings, by_paper: Knowledge) -> Literal["evidence", "both"]:
    """As ``allowed``, for steps that are nothing without what was found: "own" is read as "both"."""
    return "evidence" if allowed(settings, by_paper) == "evidence" else "both"


def with_grounds(answer: Answer, grounds: Grounds) -> Answer:
    """The answer with what it rests on, where that is not the evidence; an abstention rests on nothing."""
    return answer if answer["abstained"] or grounds == "evidence" else {**answer, "grounds": grounds}


async def quoted(toolbox: Toolbox, inputs: AnswerInputs) -> Reading | None:
    """What the rules read from the evidence; None where they find no answer in it."""
    try:
        reading = (await toolbox.rules.decide(ANSWER, inputs.model_copy(update={"knowledge": "evidence"}))).output
    except DecisionFailed:
        return None
    return reading if reading.supported else None


def in_quotes(answer: Answer, why: str) -> Answer:
    """An answer of the rules in the place of a model's, with the reason."""
    return {
        **answer,
        "text": f"{why} By rules, without it, the documents say: {answer['text']}",
        "confidence": min(answer["confidence"], QUOTES_CONFIDENCE),
        "grounds": "quotes",
    }
