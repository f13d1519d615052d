"""Training the router: what it reads, that it learns and repeats itself, and what it reports."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from backtrail.rules.vqa_planner.marks import need_by_marks
from backtrail.rules.vqa_planner.router import NEEDS, load_router, shipped_router
from backtrail.training import route_classifier
from backtrail.training.route_classifier import Measured, held_out, main, measure, read_questions, told_by, train

TEMPLATES = {
    "image": "What color is the roof of house number {}?",
    "text": "Who founded the town of Varn {} in the north?",
    "none": "Which of the following laws explains pressure {}?",
}


def write(file: Path, each: int = 40) -> Path:
    lines = [
        json.dumps({"id": f"{label}-{place}", "question": template.format(place), "label": label})
        for label, template in TEMPLATES.items()
        for place in range(each)
    ]
    file.write_text("\n".join(lines) + "\n\n")
    return file


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_classifier, "STRENGTHS", (1e-3,))
    monkeypatch.setattr(route_classifier, "STEPS", 40)


def test_it_learns_what_plain_words_tell_and_twice_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions, first, second = write(tmp_path / "questions.jsonl"), tmp_path / "1.npz", tmp_path / "2.npz"
    main(["--questions", str(questions), "--out", str(first)])
    main(["--questions", str(questions), "--out", str(second)])
    assert first.read_bytes() == second.read_bytes()
    told = told_by(load_router(first))
    assert all(told(template.format(999)) == label for label, template in TEMPLATES.items())
    said = capsys.readouterr().out
    assert "router: accuracy 100.0%" in said
    assert "rules by surface marks" in said
    assert "always " in said


def test_the_held_out_fifth_does_not_train(tmp_path: Path) -> None:
    questions = read_questions(write(tmp_path / "questions.jsonl", each=200))
    share = sum(map(held_out, questions)) / len(questions)
    assert 0.15 < share < 0.25
    inside = [one for one in questions if not held_out(one)]
    only_inside, shuffled = train(inside, 1e-3), train(list(reversed(inside)), 1e-3)
    assert np.allclose(only_inside.weights, shuffled.weights, atol=1e-3)


@pytest.mark.parametrize("line", ['{"id": "a", "question": "?", "label": "both"}', '{"id": "a"}', "no json", "[1]"])
def test_a_bad_line_is_named(tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "questions.jsonl", each=2)
    file.write_text(file.read_text() + line + "\n")
    with pytest.raises(SystemExit) as stopped:
        main(["--questions", str(file), "--out", str(tmp_path / "out.npz")])
    assert stopped.value.code == 2
    assert "line " in capsys.readouterr().err
    assert not (tmp_path / "out.npz").exists()


def test_too_few_questions_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"id": "a", "question": "Who?", "label": "text"}\n')
    with pytest.raises(SystemExit):
        main(["--questions", str(file), "--out", str(tmp_path / "out.npz")])


def test_measures() -> None:
    measured = Measured(np.array([[1, 1, 0], [0, 8, 0], [0, 0, 0]]))
    assert measured.accuracy == 0.9
    assert measured.balanced == 0.75


@pytest.mark.corpora
def test_the_shipped_router_beats_the_rules_on_questions_it_never_saw() -> None:
    folder = os.environ.get("BACKTRAIL_DATA")
    file = Path(folder or "/nowhere") / "routing" / "questions.jsonl"
    if not file.exists():
        pytest.skip("the routing questions are not in $BACKTRAIL_DATA")
    outside = [one for one in read_questions(file) if held_out(one)]
    router, marks = measure(outside, told_by(shipped_router())), measure(outside, need_by_marks)
    majority = max(sum(one.need == need for one in outside) for need in NEEDS) / len(outside)
    assert router.accuracy > marks.accuracy > majority
    assert router.balanced > marks.balanced
