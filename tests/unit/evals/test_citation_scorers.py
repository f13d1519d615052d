"""Citations by rules and by a judge, what a judge says of an outcome, and quotes in place of an answer."""

from typing import Any

import pytest
from fixtures.outcomes import asked

from backtrail.evals.citation_support import Standing, standing
from backtrail.evals.judging import missing_judgings, with_judgings
from backtrail.evals.outcome import Outcome, failed_outcome
from backtrail.evals.questions import Evidence, Question
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.citations import citation_scorers, judged_citation_scorers
from backtrail.evals.scorers.judged import claim_precision, claim_recall, error_class, judge_score, judged_scorers
from backtrail.evals.scorers.quotes import hold_answer, quotes_hold, quotes_only
from backtrail.state.judge_decisions import Claims
from backtrail.state.usage import charge
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider

QUESTION = Question(id="q", question="When did the club of Orvane move?", answers=["1998"])
MOVED = "Orvane. Orvane moved to the Ondra Ground in 1998."
OTHER = "Palverin. Palverin lies on the river Velm."


def outcome(answer: str, *quoted: str, **known: Any) -> Outcome:
    return Outcome(id="q", fingerprint="", answer=answer, quoted=quoted, seconds=0.1, **known)


def measured(made: Outcome) -> list[float | None]:
    return [scorer(QUESTION, made) for scorer in citation_scorers()]


@pytest.mark.parametrize(
    ("answer", "quoted", "expected"),
    [
        ("Orvane moved in 1998.", (MOVED,), [1, 1]),
        ("Orvane moved in 1998. Mira Tessel built the ground.", (MOVED,), [0.5, 1]),
        ("Orvane moved in 1998.", (MOVED, OTHER), [1, 0.5]),
        ("Orvane moved in 1998.", (), [0, None]),
    ],
)
def test_by_rules(answer: str, quoted: tuple[str, ...], expected: list[float | None]) -> None:
    assert measured(outcome(answer, *quoted)) == expected


def test_abstentions_and_failures_say_nothing() -> None:
    assert measured(outcome("I found nothing.", abstained=True)) == [None, None]
    assert measured(outcome("", error="Broken")) == [None, None]


async def test_two_citations_that_only_together_bear_a_statement_out_are_both_of_use() -> None:
    async def both(statements: list[str], text: str) -> list[bool]:
        return ["a" in text and "b" in text for _ in statements]

    assert await standing(["x"], ["a", "b"], both) == Standing(1, 1, 2, 2)


async def test_by_a_judge() -> None:
    script: Any = {
        "extract_claims": lambda inputs: {"claims": ["It moved in 1998.", "It was glad."]},
        "check_claims": lambda inputs: {
            "supported": [MOVED in inputs.reference and "1998" in c for c in inputs.claims]
        },
    }
    made = await with_judgings(ScriptedDecider(script), QUESTION, outcome("…", MOVED, OTHER), ("citations",))
    assert [scorer(QUESTION, made) for scorer in judged_citation_scorers()] == [0.5, 0.5]
    assert made.judge_usage["calls"] == 5


def replied(*quotes: str, **fields: Any) -> Outcome:
    return Outcome(
        id="q", fingerprint="", answer="…", abstained=True, level="low", quotes=quotes, seconds=1.0, **fields
    )


def test_every_part_must_be_said_by_some_quote() -> None:
    question = asked(answers=("3 and 2",), parts=(("3", "three"), ("2",)))
    assert hold_answer(question, ["There are three servers.", "Two of them: 2"])
    assert not hold_answer(question, ["There are three servers."])


def test_an_answer_that_no_document_words_so_is_held_by_its_evidence() -> None:
    row = Evidence(document="d", quote="Kentucky | 295,891 | total")
    text = Evidence(document="d", quote="It gets traffic only if no other viable workers are available in the set.")
    question = asked(answers=("never otherwise",), evidence=(row, text))
    shown = "State: Kentucky; Checks: 295,891; Kind: total"
    part = "only if no other viable workers are available"
    assert hold_answer(question, [shown, part])
    assert not hold_answer(question, [shown])
    assert not hold_answer(question, [shown, "It gets"])


def test_scorers_leave_out_what_does_not_apply() -> None:
    known = asked(answers=("4",))
    assert quotes_hold()(known, replied("It is 4.")) == 1.0
    assert quotes_hold()(known, replied("It is 14.")) == 0.0
    assert quotes_hold()(asked(), replied("It is 4.")) is None
    assert quotes_hold()(known, Outcome(id="q", fingerprint="", answer="4", seconds=1.0)) is None
    assert quotes_only()(known, replied("It is 4.")) == 1.0
    assert quotes_only()(known, replied()) == 0.0


JUDGED = Question(id="q", question="Who wrote it?", answers=("Ada Lovelace", "Lovelace"))
ALL = ("grade", "claims", "errors")


def judged_reply(answer: str = "Ada Byron", **fields: Any) -> Outcome:
    return Outcome(id="q", fingerprint=JUDGED.fingerprint, answer=answer, seconds=1.0, **fields)


async def test_the_rules_judge_without_a_model_and_for_nothing() -> None:
    outcome = await with_judgings(OfflineDecider(), JUDGED, judged_reply("Ada Lovelace"), ALL)
    assert judge_score()(JUDGED, outcome) == 1.0
    assert claim_precision()(JUDGED, outcome) == 1.0
    assert claim_recall()(JUDGED, outcome) == 1.0
    assert outcome.judged["errors"] == {"kind": ""}, "an exact answer has no error"
    assert outcome.judge_usage == charge()


async def test_a_model_is_asked_for_what_is_lacking_and_charged_apart() -> None:
    cost = charge(calls=1, input_tokens=50, output_tokens=5, cost_usd=0.01)
    judge = ScriptedDecider({"judge_answer": [{"score": 4.5, "why": "a small slip"}]}, costs=cost)
    once = await with_judgings(judge, JUDGED, judged_reply(calls=2, cost_usd=0.5), ("grade",))
    again = await with_judgings(judge, JUDGED, once, ("grade",))
    assert again == once
    assert len(judge.history) == 1
    assert once.judge_usage["calls"] == 1
    assert (once.calls, once.cost_usd) == (2, 0.5), "the run's own cost is untouched"
    assert judge_score()(JUDGED, once) == 0.875, "grades have decimals"
    assert judge.history[0].inputs.model_dump() == {
        "question": "Who wrote it?", "gold": ["Ada Lovelace", "Lovelace"], "answer": "Ada Byron",
    }  # fmt: skip


async def test_claims_of_both_sides_are_held_against_the_other() -> None:
    def claims(inputs: Any) -> Claims:
        return Claims(claims=["a", "b", "c"] if inputs.text == "Ada Byron" else ["x", "y"])

    def checked(inputs: Any) -> dict[str, Any]:
        return {"supported": [True, False, False] if len(inputs.claims) == 3 else [True, False]}

    judge = ScriptedDecider({"extract_claims": claims, "check_claims": checked})
    outcome = await with_judgings(judge, JUDGED, judged_reply(), ("claims",))
    assert outcome.judged["claims"] == {"stated": 3, "right": 1, "wanted": 2, "found": 1}
    assert claim_precision()(JUDGED, outcome) == pytest.approx(1 / 3)
    assert claim_recall()(JUDGED, outcome) == 0.5
    references = [asked.inputs.reference for asked in judge.history if asked.decision == "check_claims"]  # type: ignore[attr-defined]
    assert references == ["Ada Lovelace", "Ada Byron"], "the first gold answer is the reference"
    assert outcome.judge_usage["calls"] == 4
    silent = await with_judgings(judge, JUDGED, judged_reply("I found nothing.", abstained=True), ("claims",))
    assert silent.judged["claims"] == {"stated": 0, "right": 0, "wanted": 2, "found": 0}
    assert (claim_precision()(JUDGED, silent), claim_recall()(JUDGED, silent)) == (0.0, 0.0)


async def test_a_judging_that_failed_is_kept_as_failed_and_made_again() -> None:
    failure = DecisionFailed("judge_answer", "m", "no number", charge(calls=2))
    judge = ScriptedDecider(
        {"judge_answer": [failure, {"score": 1}], "classify_error": [{"kind": "overlap"}]}, costs=charge(calls=1)
    )
    first = await with_judgings(judge, JUDGED, judged_reply(), ("grade", "errors"))
    assert first.judged["grade"]["error"].startswith("DecisionFailed")
    assert judge_score()(JUDGED, first) is None
    assert error_class("overlap")(JUDGED, first) == 1.0
    assert error_class("incorrect")(JUDGED, first) == 0.0
    assert missing_judgings(JUDGED, first, ("grade", "errors")) == ["grade"]
    second = await with_judgings(judge, JUDGED, first, ("grade", "errors"))
    assert judge_score()(JUDGED, second) == 0.0
    assert second.judge_usage["calls"] == 4, "what the failed attempt took stays on the bill"


def test_nothing_is_judged_of_failed_and_unanswerable_questions() -> None:
    failed = failed_outcome("q", "", RuntimeError("boom"), 1.0)
    assert missing_judgings(JUDGED, failed, ALL) == []
    assert missing_judgings(Question(id="q", question="?"), judged_reply(), ALL) == []
    assert all(scorer(JUDGED, one) is None for scorer in judged_scorers() for one in (failed, judged_reply()))


async def test_a_shortened_answer_is_what_the_scorers_of_answers_take() -> None:
    question = Question(id="q", question="Who wrote the notes?", answers=("Ada Lovelace",))
    outcome = judged_reply("The notes were written by Ada Lovelace, who translated a paper in 1843.")
    assert exact_match()(question, outcome) == 0.0
    shortened = await with_judgings(OfflineDecider(), question, outcome, ("short",))
    assert shortened.judged["short"] == {"answer": "Ada Lovelace"}
    assert exact_match()(question, shortened) == 1.0
    assert shortened.answer == outcome.answer, "what the method said is kept"
