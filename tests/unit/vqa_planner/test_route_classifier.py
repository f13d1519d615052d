"""Training the router: what it reads, that it learns and repeats itself, and what it reports."""

import json
import os
from pathlib import Path

import pytest

from backtrail.rules.vqa_planner.router import NEEDS, load_router, shipped_router
from backtrail.rules.vqa_planner.surface_features import need_by_marks
from backtrail.training import route_classifier
from backtrail.training.route_classifier import classifier_of, main, measure
from backtrail.training.route_questions import held_out, read_corpora

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
    classifier = classifier_of(load_router(first))
    assert all(classifier(template.format(999)) == label for label, template in TEMPLATES.items())
    said = capsys.readouterr().out
    assert "router: accuracy 100.0%" in said
    assert "rules by surface marks" in said
    assert "always " in said


@pytest.mark.parametrize("line", ['{"id": "a", "question": "?", "label": "both"}', '{"id": "a"}', "no json", "[1]"])
def test_a_bad_line_is_named(tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "questions.jsonl", each=2)
    file.write_text(file.read_text() + line + "\n")
    with pytest.raises(SystemExit) as stopped:
        main(["--questions", str(file), "--out", str(tmp_path / "out.npz")])
    assert stopped.value.code == 2
    assert "line " in capsys.readouterr().err
    assert not (tmp_path / "out.npz").exists()


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
