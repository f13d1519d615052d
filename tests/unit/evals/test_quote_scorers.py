"""Quotes in place of an answer: whether they hold it, by wordings or by the evidence that they show."""

from __future__ import annotations

from typing import Any

from fixtures.outcomes import asked

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Evidence
from backtrail.evals.scorers.quotes import hold_answer, quotes_hold, quotes_only


def replied(*quotes: str, **fields: Any) -> Outcome:
    return Outcome(id="q", asked="", answer="…", abstained=True, level="low", quotes=quotes, seconds=1.0, **fields)


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


def test_a_picture_as_evidence_is_not_held_by_words() -> None:
    assert not hold_answer(asked(answers=("x y",), evidence=(Evidence(document="d", picture="p.png"),)), ["something"])


def test_scorers_leave_out_what_does_not_apply() -> None:
    known = asked(answers=("4",))
    assert quotes_hold()(known, replied("It is 4.")) == 1.0
    assert quotes_hold()(known, replied("It is 14.")) == 0.0
    assert quotes_hold()(asked(), replied("It is 4.")) is None
    assert quotes_hold()(known, Outcome(id="q", asked="", answer="4", seconds=1.0)) is None
    assert quotes_only()(known, replied("It is 4.")) == 1.0
    assert quotes_only()(known, replied()) == 0.0
