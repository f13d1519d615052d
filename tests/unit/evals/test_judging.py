"""What a judge says of an outcome: made once, kept, paid for apart, made again only where it failed."""

from typing import Any

import pytest

from backtrail.evals.judging import missing_judgings, with_judgings
from backtrail.evals.outcome import Outcome, failed_outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.judged import claim_precision, claim_recall, error_class, judge_score, judged_scorers
from backtrail.state.judge_decisions import Claims
from backtrail.state.usage import charge
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider

QUESTION = Question(id="q", question="Who wrote it?", answers=("Ada Lovelace", "Lovelace"))
ALL = ("grade", "claims", "errors")


def replied(answer: str = "Ada Byron", **fields: Any) -> Outcome:
    return Outcome(id="q", fingerprint=QUESTION.fingerprint, answer=answer, seconds=1.0, **fields)


async def test_the_rules_judge_without_a_model_and_for_nothing() -> None:
    outcome = await with_judgings(OfflineDecider(), QUESTION, replied("Ada Lovelace"), ALL)
    assert judge_score()(QUESTION, outcome) == 1.0
    assert claim_precision()(QUESTION, outcome) == 1.0
    assert claim_recall()(QUESTION, outcome) == 1.0
    assert outcome.judged["errors"] == {"kind": ""}, "an exact answer has no error"
    assert outcome.judge_usage == charge()


async def test_a_model_is_asked_for_what_is_lacking_and_charged_apart() -> None:
    cost = charge(calls=1, input_tokens=50, output_tokens=5, cost_usd=0.01)
    judge = ScriptedDecider({"judge_answer": [{"score": 4.5, "why": "a small slip"}]}, costs=cost)
    once = await with_judgings(judge, QUESTION, replied(calls=2, cost_usd=0.5), ("grade",))
    again = await with_judgings(judge, QUESTION, once, ("grade",))
    assert again == once
    assert len(judge.history) == 1
    assert once.judge_usage["calls"] == 1
    assert (once.calls, once.cost_usd) == (2, 0.5), "the run's own cost is untouched"
    assert judge_score()(QUESTION, once) == 0.875, "grades have decimals"
    assert judge.history[0].inputs.model_dump() == {
        "question": "Who wrote it?", "gold": ["Ada Lovelace", "Lovelace"], "answer": "Ada Byron",
    }  # fmt: skip


async def test_claims_of_both_sides_are_held_against_the_other() -> None:
    def claims(inputs: Any) -> Claims:
        return Claims(claims=["a", "b", "c"] if inputs.text == "Ada Byron" else ["x", "y"])

    def checked(inputs: Any) -> dict[str, Any]:
        return {"supported": [True, False, False] if len(inputs.claims) == 3 else [True, False]}

    judge = ScriptedDecider({"extract_claims": claims, "check_claims": checked})
    outcome = await with_judgings(judge, QUESTION, replied(), ("claims",))
    assert outcome.judged["claims"] == {"stated": 3, "right": 1, "wanted": 2, "found": 1}
    assert claim_precision()(QUESTION, outcome) == pytest.approx(1 / 3)
    assert claim_recall()(QUESTION, outcome) == 0.5
    references = [asked.inputs.reference for asked in judge.history if asked.decision == "check_claims"]  # type: ignore[attr-defined]
    assert references == ["Ada Lovelace", "Ada Byron"], "the first gold answer is the reference"
    assert outcome.judge_usage["calls"] == 4
    silent = await with_judgings(judge, QUESTION, replied("I found nothing.", abstained=True), ("claims",))
    assert silent.judged["claims"] == {"stated": 0, "right": 0, "wanted": 2, "found": 0}
    assert (claim_precision()(QUESTION, silent), claim_recall()(QUESTION, silent)) == (0.0, 0.0)


async def test_a_judging_that_failed_is_kept_as_failed_and_made_again() -> None:
    failure = DecisionFailed("judge_answer", "m", "no number", charge(calls=2))
    judge = ScriptedDecider(
        {"judge_answer": [failure, {"score": 1}], "classify_error": [{"kind": "overlap"}]}, costs=charge(calls=1)
    )
    first = await with_judgings(judge, QUESTION, replied(), ("grade", "errors"))
    assert first.judged["grade"]["error"].startswith("DecisionFailed")
    assert judge_score()(QUESTION, first) is None
    assert error_class("overlap")(QUESTION, first) == 1.0
    assert error_class("incorrect")(QUESTION, first) == 0.0
    assert missing_judgings(QUESTION, first, ("grade", "errors")) == ["grade"]
    second = await with_judgings(judge, QUESTION, first, ("grade", "errors"))
    assert judge_score()(QUESTION, second) == 0.0
    assert second.judge_usage["calls"] == 4, "what the failed attempt took stays on the bill"


def test_nothing_is_judged_of_failed_and_unanswerable_questions() -> None:
    failed = failed_outcome("q", "", RuntimeError("boom"), 1.0)
    assert missing_judgings(QUESTION, failed, ALL) == []
    assert missing_judgings(Question(id="q", question="?"), replied(), ALL) == []
    assert all(scorer(QUESTION, one) is None for scorer in judged_scorers() for one in (failed, replied()))


async def test_a_shortened_answer_is_what_the_scorers_of_answers_take() -> None:
    question = Question(id="q", question="Who wrote the notes?", answers=("Ada Lovelace",))
    outcome = replied("The notes were written by Ada Lovelace, who translated a paper in 1843.")
    assert exact_match()(question, outcome) == 0.0
    shortened = await with_judgings(OfflineDecider(), question, outcome, ("short",))
    assert shortened.judged["short"] == {"answer": "Ada Lovelace"}
    assert exact_match()(question, shortened) == 1.0
    assert shortened.answer == outcome.answer, "what the method said is kept"
