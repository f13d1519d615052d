"""Multiple choice: scores, macro-F1, and the official layouts of ScienceQA and CrisisMMD."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.choices import choice_tags
from backtrail.evals.formats.table import convert
from backtrail.evals.outcome import Outcome, failed_outcome
from backtrail.evals.questions import Question, read_questions
from backtrail.evals.scorers.choice import accuracy, accuracy_when_answered, macro_f1, pooled_macro_f1, unclear
from backtrail.evals.summary import summarise
from backtrail.evals.tasks.crisismmd import CRISISMMD
from backtrail.evals.tasks.scienceqa import SCIENCEQA

COLOURS = ["red", "green", "blue"]


def asked(right: int, number: int = 0) -> Question:
    return Question(id=f"q{number}", question="Which?", answers=("x",), tags=choice_tags(COLOURS, right))


def replied(answer: str, **more: Any) -> Outcome:
    return Outcome(id="q", asked="", answer=answer, seconds=1.0, **more)


@pytest.mark.parametrize(
    ("answer", "right", "vague"),
    [("(B) green", 1.0, 0.0), ("Green.", 1.0, 0.0), ("A", 0.0, 0.0), ("red or green", 0.0, 1.0), ("mauve", 0.0, 1.0)],
)
def test_an_answer_counts_for_the_option_that_it_means(answer: str, right: float, vague: float) -> None:
    assert accuracy()(asked(1), replied(answer)) == right
    assert unclear()(asked(1), replied(answer)) == vague


def test_an_abstention_is_wrong_and_told_apart() -> None:
    outcome = replied("I do not know; red?", abstained=True)
    assert accuracy()(asked(0), outcome) == 0.0
    assert accuracy_when_answered()(asked(0), outcome) is None
    assert unclear()(asked(0), outcome) == 0.0


def test_other_questions_and_failures() -> None:
    assert accuracy()(Question(id="q", question="Who?"), replied("x")) is None
    assert accuracy()(asked(0), failed_outcome("q", "", ValueError("no"), 1.0)) == 0.0


def test_macro_f1_by_hand() -> None:
    said = [(0, "red"), (0, "red"), (0, "green"), (1, "green"), (2, "mauve")]
    pairs = [(asked(right, number), replied(answer)) for number, (right, answer) in enumerate(said)]
    # red: 2·2/(3+2), green: 2·1/(1+2), blue was never said
    assert pooled_macro_f1(pairs) == pytest.approx((4 / 5 + 2 / 3 + 0) / 3)
    summary = summarise("m", (accuracy(), macro_f1()), pairs)
    score = summary.scores["Macro-F1"]
    assert score.mean == pytest.approx((4 / 5 + 2 / 3) / 3)
    assert 0.0 <= score.low <= score.high <= 1.0
    assert score.count == 5


@given(drawn=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12), data=st.data())
def test_macro_f1_is_bounded_and_ignores_order(drawn: list[tuple[int, int]], data: st.DataObject) -> None:
    pairs = [(asked(right), replied(COLOURS[said])) for right, said in drawn]
    score = pooled_macro_f1(pairs)
    assert 0.0 <= score <= 1.0
    assert (score == 1.0) == all(right == said for right, said in drawn)
    assert pooled_macro_f1(data.draw(st.permutations(pairs))) == pytest.approx(score)


# --- ScienceQA -----------------------------------------------------------------------------------
PROBLEMS = {
    "1": {
        "question": "Which is colder?", "choices": ["ice", "steam"], "answer": 0, "hint": "Both are water.",
        "image": "image.png", "grade": "grade2", "subject": "natural science", "topic": "physics", "split": "test",
        "lecture": "Given away here.",
    },
    "2": {
        "question": "Which rhymes?", "choices": ["wife", "hide", "life"], "answer": 2, "hint": "", "image": None,
        "grade": "grade11", "subject": "language science", "topic": "phonology", "split": "test", "lecture": "",
    },
    "3": {
        "question": "Old?", "choices": ["yes", "no"], "answer": 1, "hint": "", "image": None, "grade": "grade7",
        "subject": "social science", "topic": "history", "split": "train", "lecture": "A lesson.\n\nIts second part.",
    },
}  # fmt: skip


def science(folder: Path, **changes: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    problems = {key: {**problem, **(changes if key == "1" else {})} for key, problem in PROBLEMS.items()}
    (folder / "problems.json").write_text(json.dumps(problems))
    (folder / "pid_splits.json").write_text(json.dumps({"test": ["1", "2"], "train": ["3"]}))
    picture = folder / "images" / "test" / "1" / "image.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 8), "blue").save(picture)
    return folder


def test_scienceqa_in_the_qcm_form_with_its_groups(tmp_path: Path) -> None:
    counts = convert("scienceqa", science(tmp_path / "release"), tmp_path / "out", "test")
    assert counts["questions"] == 2
    first, second = read_questions(tmp_path / "out" / "questions.jsonl")
    assert first.question == "Question: Which is colder?\nContext: Both are water.\nOptions: (A) ice (B) steam"
    assert second.question.endswith("Context: N/A\nOptions: (A) wife (B) hide (C) life")
    assert first.image is not None
    assert (tmp_path / "out" / first.image).read_bytes().startswith(b"\x89PNG")
    assert {key: first.tags[key] for key in ("label", "subject", "context", "grade")} == {
        "label": "A", "subject": "NAT", "context": ["TXT", "IMG"], "grade": "G1-6",
    }  # fmt: skip
    assert (second.tags["label"], second.tags["context"], second.tags["grade"]) == ("C", ["NO"], "G7-12")
    assert set(SCIENCEQA.by) <= set(first.tags)


def test_only_lectures_of_the_training_split_make_the_corpus(tmp_path: Path) -> None:
    convert("scienceqa", science(tmp_path / "release"), tmp_path / "out", "test")
    texts = [json.loads(line)["text"] for line in (tmp_path / "out" / "components.jsonl").read_text().splitlines()]
    assert texts == ["A lesson.", "Its second part."]


def test_a_minitest_is_a_file_of_lines(tmp_path: Path) -> None:
    line = {
        "id": "7", "question": "Context: Both are water.\nWhich is colder?", "choices": ["ice", "steam"], "answer": 0,
        "image": None, "caption": "", "tags": {"subject": "natural science", "grade": "grade3"},
    }  # fmt: skip
    (tmp_path / "mini").mkdir()
    (tmp_path / "mini" / "minitest.jsonl").write_text(json.dumps(line) + "\n")
    convert("scienceqa", tmp_path / "mini", tmp_path / "out", "minitest")
    [question] = read_questions(tmp_path / "out" / "questions.jsonl")
    assert question.question.startswith("Question: Which is colder?\nContext: Both are water.\n")
    assert (question.tags["subject"], question.tags["context"]) == ("NAT", ["TXT"])


@pytest.mark.parametrize(("changes", "problem"), [({"answer": 5}, "answer 5"), ({"answer": "A"}, "answer 'A'")])
def test_a_wrong_problem_is_named(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        convert("scienceqa", science(tmp_path / "release", **changes), tmp_path / "out", "test")
    assert not (tmp_path / "out").exists()


def test_a_picture_outside_the_release_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"\x89PNG")
    convert("scienceqa", science(tmp_path / "release", image="../../../../secret.png"), tmp_path / "out", "test")
    assert read_questions(tmp_path / "out" / "questions.jsonl")[0].image is None


# --- CrisisMMD -----------------------------------------------------------------------------------
HEADER = "event_name\ttweet_id\timage_id\ttweet_text\timage\tlabel\tlabel_text\tlabel_image\tlabel_text_image"


def crisis(folder: Path, *labels: str, kind: str = "humanitarian") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        f'hurricane_irma\t{n}\t{n}_0\tA "post" number {n}\tdata_image/{n}.jpg\t{label}\t{label}\t{label}\tPositive'
        for n, label in enumerate(labels)
    ]
    for split in ("train", "test"):
        file = folder / f"task_{kind}_text_img_agreed_lab_{split}.tsv"
        file.write_text("\n".join([HEADER, *rows]) + "\n")
    return folder


@pytest.mark.parametrize(
    ("name", "label", "options"),
    [("crisismmd2", "vehicle damage", 8), ("crisismmd2merged", "infrastructure and utility damage", 5)],
)
def test_rare_classes_are_merged_only_where_that_is_asked(tmp_path: Path, name: str, label: str, options: int) -> None:
    convert(name, crisis(tmp_path / "release", "vehicle_damage"), tmp_path / "out", "test")
    [question] = read_questions(tmp_path / "out" / "questions.jsonl")
    assert question.answers == (label,)
    assert len(question.tags["options"]) == options
    assert 'Context: hurricane irma: A "post" number 0' in question.question


def test_informative_or_not(tmp_path: Path) -> None:
    source = crisis(tmp_path / "release", "informative", "not_informative", kind="informative")
    convert("crisismmd1", source, tmp_path / "out", "test")
    questions = read_questions(tmp_path / "out" / "questions.jsonl")
    assert [question.tags["label"] for question in questions] == ["A", "B"]
    posts = (tmp_path / "out" / "components.jsonl").read_text()
    assert "informative" not in posts  # the corpus does not give labels away


def test_an_unknown_label_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"tsv:2: has the label 'nonsense'"):
        convert("crisismmd2", crisis(tmp_path / "release", "nonsense"), tmp_path / "out", "test")


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    source = crisis(tmp_path / "release", "informative", kind="informative")
    file = source / "task_informative_text_img_agreed_lab_test.tsv"
    file.write_text(file.read_text().replace("tweet_text", "text"))
    with pytest.raises(FormatError, match="lacks the column 'tweet_text'"):
        convert("crisismmd1", source, tmp_path / "out", "test")


def test_the_tasks_say_how_to_get_their_questions() -> None:
    for task in (SCIENCEQA, *CRISISMMD):
        assert f"backtrail bundle {task.name} RELEASE" in task.setup
