"""Training the router: what it reads, that it learns and repeats itself, and what it reports."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from backtrail.rules.vqa_planner.router import NEEDS, load_router, shipped_router
from backtrail.rules.vqa_planner.surface_features import need_by_marks
from backtrail.training import route_classifier
from backtrail.training.route_classifier import Measured, by_source, classifier_of, main, measure, train
from backtrail.training.route_questions import Labelled, held_out, read_corpora, read_questions

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
    told = classifier_of(load_router(first))
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


def test_a_source_is_measured_by_a_router_that_did_not_read_it() -> None:
    told = [
        Labelled(f"{source}-{place}", f"{words} {place}?", need, source)
        for source, words, need in (
            ("signs", "What colour is the roof of", "image"), ("books", "Who founded the town of", "text"),
            ("exams", "Which law explains", "none"), ("riddles", "Who founded the town of nobody in riddle", "none"),
        )
        for place in range(30)
    ]  # fmt: skip
    lines = {line.split()[0]: line for line in by_source(told, 1e-3).splitlines()}
    assert "100.0%" in lines["riddles"].split("of")[0]  # read among others of its kind
    assert "  none 0" in lines["riddles"]  # not read, and written as what needs a text


def test_a_large_source_does_not_drown_a_small_one_of_its_need() -> None:
    many = [Labelled(f"m{one}", f"Which law explains pressure {one}?", "none", "exams") for one in range(400)]
    few = [Labelled(f"f{one}", f"Which word rhymes with stone {one}?", "none", "school") for one in range(4)]
    asked = [Labelled(f"t{one}", f"Who wrote the word of stone {one}?", "text", "web") for one in range(40)]
    router = train([*many, *few, *asked], 1e-2)
    alike = train([Labelled(one.id, one.question, one.need) for one in (*many, *few, *asked)], 1e-2)
    rhyme = "Which word rhymes with stone?"
    assert router.probabilities(rhyme)["none"] > alike.probabilities(rhyme)["none"]


@pytest.mark.corpora
def test_the_shipped_router_beats_the_rules_on_questions_it_never_saw() -> None:
    folder = os.environ.get("BACKTRAIL_DATA")
    if not folder or not (Path(folder) / "routing").is_dir():
        pytest.skip("the questions are not in $BACKTRAIL_DATA")
    outside = [one for one in read_corpora(Path(folder)) if held_out(one)]
    router, marks = measure(outside, classifier_of(shipped_router())), measure(outside, need_by_marks)
    majority = max(sum(one.need == need for one in outside) for need in NEEDS) / len(outside)
    assert router.accuracy > marks.accuracy > majority
    assert router.balanced > marks.balanced
