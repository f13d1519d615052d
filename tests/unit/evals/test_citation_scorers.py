"""Citations by rules and by a judge, and quotes in place of an answer."""

from typing import Any

import pytest
from fixtures.outcomes import asked

from backtrail.evals.citation_support import Standing, standing
from backtrail.evals.judging import with_judgings
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Evidence, Question
from backtrail.evals.scorers.citations import citation_scorers, judged_citation_scorers
from backtrail.evals.scorers.quotes import hold_answer, quotes_hold, quotes_only
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
