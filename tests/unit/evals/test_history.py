"""A follow-up reaches the method as a conversation, and is another question when the conversation was another."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.releases import write_lines

from backtrail.evals.asking import asked_input
from backtrail.evals.errors import QuestionsError
from backtrail.evals.questions import Exchange, Question, read_questions

HISTORY = (Exchange(question="Who played Phil?", answer="Bill Murray"), Exchange(question="Since when?"))
FOLLOW_UP = Question(id="q", question="What did he win?", history=HISTORY, image="abc")


def test_a_follow_up_is_the_last_message_of_its_conversation() -> None:
    given = asked_input(FOLLOW_UP)
    assert given["image"] == "abc"
    assert "question" not in given
    assert [(message.type, message.content) for message in given["messages"]] == [
        ("human", "Who played Phil?"), ("ai", "Bill Murray"), ("human", "Since when?"), ("ai", ""),
        ("human", "What did he win?"),
    ]  # fmt: skip


def test_results_belong_to_a_question_with_its_conversation() -> None:
    alone = FOLLOW_UP.model_copy(update={"history": ()})
    other = FOLLOW_UP.model_copy(update={"history": HISTORY[:1]})
    assert len({FOLLOW_UP.asked, alone.asked, other.asked}) == 3


def test_a_history_is_read_and_a_bad_turn_is_named(tmp_path: Path) -> None:
    line = {"id": "q", "question": "And he?", "history": [{"question": "Who?", "answer": "Ada"}, {"question": "When?"}]}
    [question] = read_questions(write_lines(tmp_path / "questions.jsonl", [line]))
    assert [turn.answer for turn in question.history] == ["Ada", ""]
    bad = {"id": "q2", "question": "And he?", "history": [{"asked": "Who?"}]}
    with pytest.raises(QuestionsError, match=r":2: history\.0\."):
        read_questions(write_lines(tmp_path / "bad.jsonl", [line, bad]))
