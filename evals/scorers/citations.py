"""Scorers of citations: share of supported sentences (recall) and of useful citations (precision).

Recall and precision as in ALCE (Gao et al., 2023); see ``backtrail.evals.citation_support``. By rules, a text supports
a sentence when it contains most of its content words that are not in the question; a picture is represented by its
texts. With ``--judge citations`` a judge decides. Abstentions are skipped; an answer without a citation has recall 0
and no precision.
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
    """Citation scores by rules, part of every evaluation."""
    return (
        Scorer(_NAMES[0], lambda question, outcome: _recall(_by_rules(question, outcome)), table=TABLE),
        Scorer(_NAMES[1], lambda question, outcome: _precision(_by_rules(question, outcome)), table=TABLE),
    )


def judged_citation_scorers() -> tuple[Scorer, ...]:
    """Citation scores by a judge; skipped where none was asked."""
    return (
        Scorer(f"{_NAMES[0]} (judge)", lambda _, outcome: _recall(_by_judge(outcome)), table=TABLE),
        Scorer(f"{_NAMES[1]} (judge)", lambda _, outcome: _precision(_by_judge(outcome)), table=TABLE),
    )


def _by_rules(question: Question, outcome: Outcome) -> Standing | None:
    kept_without_quotes = bool(outcome.cited) and not outcome.quoted  # results of an earlier version
    if outcome.abstained or outcome.error is not None or kept_without_quotes:
        return None

    async def check(statements: list[str], text: str) -> list[bool]:
        return check_claims(CheckInputs(question=question.question, claims=statements, reference=text)).supported

    claims = extract_claims(ClaimsInputs(question=question.question, text=outcome.answer)).claims
    coroutine = standing(claims, outcome.quoted, check)
    try:
        coroutine.send(None)  # rules never wait, so the coroutine ends at once
    except StopIteration as done:
        return done.value
    raise RuntimeError("A rule that checks claims awaited something; rules must not.")


def _by_judge(outcome: Outcome) -> Standing | None:
    counts: dict[str, Any] = outcome.judged.get("citations", {}) if outcome.error is None else {}
    return Standing(*(counts[name] for name in Standing._fields)) if "statements" in counts else None


def _recall(counts: Standing | None) -> float | None:
    return counts.standing / counts.statements if counts is not None and counts.statements else None


def _precision(counts: Standing | None) -> float | None:
    return counts.useful / counts.citations if counts is not None and counts.citations else None
