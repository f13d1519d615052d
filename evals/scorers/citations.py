"""Citations: the share of an answer's sentences that they bear out (recall), and of the citations that are of use.

Recall and precision as in ALCE (Gao et al., 2023); see ``backtrail.evals.citation_support``. By rules a text bears
out a sentence when it says most of the content words that the question does not; a picture is read by its words. By a
judge (``--judge citations``) as the judge says. Abstentions are left out; an answer without a citation has no
sentence that stands, and no precision.
"""

from __future__ import annotations

from typing import Any

from backtrail.evals.citation_support import Standing, standing
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.rules.judge import check_claims, extract_claims
from backtrail.state.judge_decisions import CheckInputs, ClaimsInputs

TABLE = "Citations"
_NAMES = ("Citation recall", "Citation precision")


def citation_scorers() -> tuple[Scorer, ...]:
    """By rules; of every evaluation."""
    return (
        Scorer(_NAMES[0], lambda question, outcome: _recall(_by_rules(question, outcome)), table=TABLE),
        Scorer(_NAMES[1], lambda question, outcome: _precision(_by_rules(question, outcome)), table=TABLE),
    )


def judged_citation_scorers() -> tuple[Scorer, ...]:
    """By a judge; left out where none was asked."""
    return (
        Scorer(f"{_NAMES[0]} (judge)", lambda _, outcome: _recall(_by_judge(outcome)), table=TABLE),
        Scorer(f"{_NAMES[1]} (judge)", lambda _, outcome: _precision(_by_judge(outcome)), table=TABLE),
    )


def _by_rules(question: Question, outcome: Outcome) -> Standing | None:
    kept_without_quotes = bool(outcome.cited) and not outcome.quoted
    if outcome.abstained or outcome.error is not None or kept_without_quotes:
        return None

    async def check(statements: list[str], text: str) -> list[bool]:
        return check_claims(CheckInputs(question=question.question, claims=statements, reference=text)).supported

    said = extract_claims(ClaimsInputs(question=question.question, text=outcome.answer)).claims
    waiting = standing(said, outcome.quoted, check)
    try:
        waiting.send(None)  # rules answer at once: the coroutine ends without ever waiting
    except StopIteration as done:
        return done.value
    raise RuntimeError("a rule waited")


def _by_judge(outcome: Outcome) -> Standing | None:
    held: dict[str, Any] = outcome.judged.get("citations", {}) if outcome.error is None else {}
    return Standing(*(held[name] for name in Standing._fields)) if "statements" in held else None


def _recall(held: Standing | None) -> float | None:
    return held.standing / held.statements if held is not None and held.statements else None


def _precision(held: Standing | None) -> float | None:
    return held.useful / held.citations if held is not None and held.citations else None
