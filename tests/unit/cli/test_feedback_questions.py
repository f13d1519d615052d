"""Rated answers become questions that an evaluation reads."""

from typing import Any

import pytest

from backtrail.cli.show.feedback_questions import question_of
from backtrail.cli.show.titles import Titles
from backtrail.cli.show.trace_record import Trace
from backtrail.evals.questions import Question
from backtrail.state.settings import Settings
from backtrail.tools.access.records.feedback import Feedback, Verdict

ANSWER = {"short": "1998", "text": "In 1998.", "abstained": False, "citations": [{"component": "a#1"}] * 2}
ABSTENTION = {"text": "Nothing says so.", "abstained": True, "citations": []}


def asked(answer: Any, **values: Any) -> Trace:
    values = {"question": "When?", "answer": answer, **values}
    return Trace("t", "fif", Settings(corpus="c"), values, (), Titles(lambda: pytest.fail("no corpus is read")))


def rated(verdict: Verdict, expected: str = "", comment: str = "") -> Feedback:
    return {"thread": "t", "turn": 2, "owner": "", "verdict": verdict, "comment": comment, "expected": expected,
            "since": 0.0}  # fmt: skip


@pytest.mark.parametrize(
    ("feedback", "answer", "answers", "gold"),
    [
        (rated("up"), ANSWER, ("1998",), (("a#1",),)),
        (rated("up"), {**ANSWER, "short": ""}, ("In 1998.",), (("a#1",),)),
        (rated("up"), ABSTENTION, (), ()),
        (rated("down", expected="1999"), ANSWER, ("1999",), ()),
        (rated("down", expected="1999"), ABSTENTION, ("1999",), ()),
    ],
)
def test_a_right_answer_or_the_given_one_is_what_is_expected(
    feedback: Feedback, answer: Any, answers: Any, gold: Any
) -> None:
    question = Question.model_validate(question_of(feedback, asked(answer)))
    assert (question.answers, question.gold, question.corpus) == (answers, gold, "c")
    assert (question.id, question.question) == ("t-2", "When?")


@pytest.mark.parametrize(
    ("feedback", "trace"),
    [(rated("down"), asked(ANSWER)), (rated("up"), asked(ANSWER, image="f" * 64)), (rated("up"), asked(None))],
    ids=["wrong without the right answer", "a question with a picture", "no answer"],
)
def test_what_cannot_be_a_question_is_left_out(feedback: Feedback, trace: Trace) -> None:
    assert question_of(feedback, trace) is None
