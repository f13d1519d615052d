"""Files of questions: what is read, what is named as wrong, pictures, and conversations before a question."""

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.releases import write_lines
from PIL import Image

from backtrail.evals.ask_question import graph_input
from backtrail.evals.errors import QuestionsError, TaskDataMissing, TaskUnknown
from backtrail.evals.pictures import with_kept_picture
from backtrail.evals.questions import Exchange, Question, read_questions, selected
from backtrail.evals.tasks.custom import custom_task
from backtrail.evals.tasks.table import TASKS, find_task, find_tasks
from backtrail.tools.toolbox import Toolbox


def line(**fields: Any) -> str:
    return json.dumps({"id": "q1", "question": "Who?", "answers": ["Ada"], "gold": [["c1", "c2"]], "hops": 1, **fields})


def written(folder: Path, *lines: str) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_questions_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, line(id="b"), "", line(id="a", image=None, tags={"kind": "text"}))
    questions = read_questions(file)
    assert [question.id for question in questions] == ["b", "a"]
    assert questions[1].gold == (("c1", "c2"),)
    assert [question.id for question in selected(questions, 1, 5)] == ["a"]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("{not json", "JSON"),
        (line(id="q2", question="  "), "question"),
        (line(id="q2", answer="Ada"), "answer"),
        (line(id="q2", gold=[[]]), "group"),
        (line(), "line 1"),
        (line(id="q2", evidence=[{"document": "a.md", "quote": "x"}]), "one of the two"),
        (line(id="q2", gold=[], evidence=[{"document": "a.md"}]), "either a quote, a picture or a page"),
        (line(id="q2", parts=[["Ada"], []]), "parts"),
        (line(id="q2", question="x" * 10_001), "The question is 10,001 characters long; at most 10,000"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, bad: str, problem: str) -> None:
    file = written(tmp_path, line(), bad)
    with pytest.raises(QuestionsError) as caught:
        read_questions(file)
    assert str(caught.value).startswith(f"{file}:2: ")
    assert problem in str(caught.value)


def test_only_a_question_without_answers_and_gold_is_unanswerable(tmp_path: Path) -> None:
    file = written(tmp_path, line(id="a"), line(id="b", answers=[]), line(id="c", answers=[], gold=[]))
    assert [question.answerable for question in read_questions(file)] == [True, True, False]
    with pytest.raises(QuestionsError, match="holds no questions"):
        read_questions(written(tmp_path, ""))


def test_missing_data_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BACKTRAIL_DATA", raising=False)
    with pytest.raises(TaskDataMissing, match=r"Set BACKTRAIL_DATA .* backtrail ingest \$BACKTRAIL_DATA/ottqa"):
        find_task("ottqa").read()
    monkeypatch.setenv("BACKTRAIL_DATA", str(tmp_path))
    with pytest.raises(TaskDataMissing, match=str(tmp_path / "ottqa")):
        find_task("ottqa").read()
    with pytest.raises(TaskDataMissing, match="--questions"):
        custom_task(tmp_path / "none.jsonl", "mine").read()
    with pytest.raises(TaskUnknown, match=r"No task 'otqa'\. Existing: .*custom, .*examples, .*ottqa"):
        find_task("otqa")


def test_a_suite_gives_each_corpus_its_own_questions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wild").mkdir()
    parts = ("web", "office", "docs-site")
    written(tmp_path / "wild", *(line(id=f"{part}-{number}", corpus=part) for number in (1, 2) for part in parts))
    monkeypatch.setenv("BACKTRAIL_DATA", str(tmp_path))
    asked = {task.corpus: [question.id for question in task.read()] for task in find_tasks("wild")}
    assert asked == {f"wild-{part}": [f"{part}-1", f"{part}-2"] for part in parts}
    assert [task.name for task in find_tasks("wild-web")] == ["wild-web"]
    written(tmp_path / "wild", line(corpus="web"))
    with pytest.raises(QuestionsError, match="no question whose corpus is 'office'"):
        find_task("wild-office").read()


@pytest.mark.parametrize("name", sorted(TASKS))
def test_scorers_of_a_task_have_distinct_names(name: str) -> None:
    names = [scorer.name for scorer in TASKS[name].scorers]
    assert len(names) == len(set(names))


def _asking(image: str | None) -> Question:
    return Question(id="q", question="What is it?", image=image)


def test_a_run_can_read_the_picture_by_what_the_question_says(tmp_path: Path) -> None:
    Image.new("RGB", (40, 40), "red").save(tmp_path / "red.png")
    kept = with_kept_picture(_asking("red.png"), tmp_path / "questions.jsonl")
    assert kept.image is not None
    assert Toolbox().question_picture(kept.image) == (tmp_path / "red.png").read_bytes()


@pytest.mark.parametrize("image", ["../outside.png", "/etc/hostname", "missing.png", "text.png"])
def test_an_unusable_picture_names_the_question(tmp_path: Path, image: str) -> None:
    folder = tmp_path / "task"
    folder.mkdir()
    Image.new("RGB", (40, 40)).save(tmp_path / "outside.png")
    (folder / "text.png").write_text("no picture")
    with pytest.raises(QuestionsError, match="'q'"):
        with_kept_picture(_asking(image), folder / "questions.jsonl")


HISTORY = (Exchange(question="Who played Phil?", answer="Bill Murray"), Exchange(question="Since when?"))
FOLLOW_UP = Question(id="q", question="What did he win?", history=HISTORY, image="abc")


def test_a_follow_up_is_the_last_message_of_its_conversation() -> None:
    given = graph_input(FOLLOW_UP)
    assert given["image"] == "abc"
    assert "question" not in given
    assert [(message.type, message.content) for message in given["messages"]] == [
        ("human", "Who played Phil?"), ("ai", "Bill Murray"), ("human", "Since when?"), ("ai", ""),
        ("human", "What did he win?"),
    ]  # fmt: skip


def test_results_belong_to_a_question_with_its_conversation() -> None:
    alone = FOLLOW_UP.model_copy(update={"history": ()})
    other = FOLLOW_UP.model_copy(update={"history": HISTORY[:1]})
    assert len({FOLLOW_UP.fingerprint, alone.fingerprint, other.fingerprint}) == 3


def test_a_history_is_read_and_a_bad_turn_is_named(tmp_path: Path) -> None:
    line = {"id": "q", "question": "And he?", "history": [{"question": "Who?", "answer": "Ada"}, {"question": "When?"}]}
    [question] = read_questions(write_lines(tmp_path / "questions.jsonl", [line]))
    assert [turn.answer for turn in question.history] == ["Ada", ""]
    bad = {"id": "q2", "question": "And he?", "history": [{"asked": "Who?"}]}
    with pytest.raises(QuestionsError, match=r":2: history\.0\."):
        read_questions(write_lines(tmp_path / "bad.jsonl", [line, bad]))
