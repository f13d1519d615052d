"""Judging of outcomes. Verdicts are stored with the outcome, so that scoring again costs nothing.

Each judging is one or more decisions of the role ``judge`` (offline rules unless a model is named). Its cost is booked
separately from that of the run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from backtrail.evals.citation_support import standing
from backtrail.evals.errors import JudgingUnknown
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorers.answers import normalise
from backtrail.state.judge_decisions import (
    CHECK_CLAIMS,
    CLASSIFY_ERROR,
    EXTRACT_CLAIMS,
    JUDGE_ANSWER,
    SHORTEN_ANSWER,
    CheckInputs,
    ClaimsInputs,
    JudgeInputs,
    ShortenInputs,
)
from backtrail.state.usage import Charge, add_charges
from backtrail.tools.deciders.protocol import Decider, DecisionFailed
from backtrail.tools.errors import ModelError

Judged = tuple[dict[str, Any], list[Charge]]
Judging = Callable[[Decider, Question, Outcome], Awaitable[Judged]]


async def grade(decider: Decider, question: Question, outcome: Outcome) -> Judged:
    """Grade an answer from 1 to 5 (VQA planning agent); an abstention is graded by its text."""
    asked = JudgeInputs(question=question.question, gold=list(question.answers), answer=outcome.answer)
    decided = await decider.decide(JUDGE_ANSWER, asked)
    return {"score": decided.output.score, "why": decided.output.why}, [decided.charge]


async def claims(decider: Decider, question: Question, outcome: Outcome) -> Judged:
    """Count claims of the answer that the gold answer supports, and the reverse (CogPlanner)."""
    gold = "\n".join(question.answers[:1])
    charges: list[Charge] = []

    async def extract(text: str) -> list[str]:
        decided = await decider.decide(EXTRACT_CLAIMS, ClaimsInputs(question=question.question, text=text))
        charges.append(decided.charge)
        return decided.output.claims

    async def count_supported(statements: list[str], reference: str) -> int:
        if not statements:
            return 0
        asked = CheckInputs(question=question.question, claims=statements, reference=reference)
        decided = await decider.decide(CHECK_CLAIMS, asked)
        charges.append(decided.charge)
        return sum(decided.output.supported)

    own = [] if outcome.abstained else await extract(outcome.answer)
    wanted = await extract(gold)
    counts = {
        "stated": len(own), "right": await count_supported(own, gold),
        "wanted": len(wanted), "found": await count_supported(wanted, outcome.answer) if own else 0,
    }  # fmt: skip
    return counts, charges


async def points(decider: Decider, question: Question, outcome: Outcome) -> Judged:
    """Count the question's key points that the answer supports (ours)."""
    wanted = len(question.points)
    if outcome.abstained:
        return {"wanted": wanted, "found": 0}, []
    asked = CheckInputs(question=question.question, claims=list(question.points), reference=outcome.answer)
    decided = await decider.decide(CHECK_CLAIMS, asked)
    return {"wanted": wanted, "found": sum(decided.output.supported)}, [decided.charge]


async def errors(decider: Decider, question: Question, outcome: Outcome) -> Judged:
    """Classify an answer that equals no gold answer (MMAPG, error analysis); "" for one that does."""
    if any(normalise(outcome.said) == normalise(gold) for gold in question.answers):
        return {"kind": ""}, []
    asked = JudgeInputs(question=question.question, gold=list(question.answers), answer=outcome.said)
    decided = await decider.decide(CLASSIFY_ERROR, asked)
    return {"kind": decided.output.kind, "why": decided.output.why}, [decided.charge]


async def short(decider: Decider, question: Question, outcome: Outcome) -> Judged:
    """Shorten the answer for the scorers of answers (MMAPG)."""
    if outcome.abstained:
        return {"answer": outcome.answer}, []
    asked = ShortenInputs(question=question.question, answer=outcome.answer)
    decided = await decider.decide(SHORTEN_ANSWER, asked)
    return {"answer": decided.output.short}, [decided.charge]


async def citations(decider: Decider, question: Question, outcome: Outcome) -> Judged:
    """Count claims of the answer that its citations support, and useful citations (ALCE)."""
    charges: list[Charge] = []

    async def check(statements: list[str], text: str) -> list[bool]:
        asked = CheckInputs(question=question.question, claims=statements, reference=text)
        decided = await decider.decide(CHECK_CLAIMS, asked)
        charges.append(decided.charge)
        return decided.output.supported

    if outcome.abstained:
        return {"abstained": True}, []
    decided = await decider.decide(EXTRACT_CLAIMS, ClaimsInputs(question=question.question, text=outcome.answer))
    charges.append(decided.charge)
    return (await standing(decided.output.claims, outcome.quoted, check))._asdict(), charges


JUDGINGS: Mapping[str, Judging] = {
    "short": short, "grade": grade, "claims": claims, "points": points, "errors": errors, "citations": citations,
}  # fmt: skip


def find_judgings(names: list[str]) -> tuple[str, ...]:
    """Return the names without duplicates.

    Raises:
        JudgingUnknown: one does not exist; lists those that do.
    """
    for name in names:
        if name not in JUDGINGS:
            raise JudgingUnknown(name, JUDGINGS)
    return tuple(dict.fromkeys(names))


def missing_judgings(question: Question, outcome: Outcome, names: tuple[str, ...]) -> list[str]:
    """Return judgings that are missing or failed; none for failed questions, or without the gold that they need."""
    if outcome.error is not None:
        return []
    return [
        name
        for name in names
        if (question.points if name == "points" else question.answers) and not _done(outcome.judged.get(name, {}))
    ]


async def with_judgings(decider: Decider, question: Question, outcome: Outcome, names: tuple[str, ...]) -> Outcome:
    """Return the outcome with its missing judgings; failed ones are stored and repeated next time."""
    found = dict(outcome.judged)
    charges: list[Charge] = [outcome.judge_usage] if outcome.judge_usage else []
    for name in missing_judgings(question, outcome, names):
        try:
            found[name], spent = await JUDGINGS[name](decider, question, outcome)
            charges += spent
        except (DecisionFailed, ModelError) as error:
            found[name] = {"error": f"{type(error).__name__}: {error}"[:500]}
            charges += [error.charge] if error.charge else []
    return outcome.model_copy(update={"judged": found, "judge_usage": add_charges(charges) if charges else None})


def _done(held: Mapping[str, Any]) -> bool:
    return bool(held) and "error" not in held
