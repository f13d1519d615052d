"""Own evaluations as annotations: the least search that was right, and why others are left out."""

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.annotated import towers

from backtrail.evals.outcome import Outcome
from backtrail.evals.pictures import with_kept_picture
from backtrail.evals.planning_record import Planned
from backtrail.evals.questions import Question
from backtrail.training.annotate.export import export
from backtrail.training.annotate.from_evaluations import gather
from backtrail.training.annotate.journal import read_annotations

Said = dict[str, tuple[str, float]]


def evaluation(folder: Path, questions: list[Question], said: Said, method: str = "vqa_planner", **more: Any) -> Path:
    """Results: by question the class that ran and the score it got."""
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"method": method}))
    file = folder.parent / "set" / "questions.jsonl"
    lines = [
        Outcome(
            id=one.id,
            fingerprint=with_kept_picture(one, file).fingerprint,  # as a method is asked it
            seconds=1,
            planned=Planned(path=said[one.id][0]),
            scores={"Accuracy": said[one.id][1]},
            **more,
        ).model_dump_json()
        for one in questions
        if one.id in said
    ]
    (folder / "results.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder


def test_the_least_search_that_was_right_is_the_class(tmp_path: Path) -> None:
    file, questions = towers(tmp_path / "set", 5)
    alone = evaluation(tmp_path / "a", questions, {"q0": ("c1", 1), "q1": ("c1", 0), "q2": ("c1", 0), "q3": ("c1", 0)})
    text = evaluation(tmp_path / "b", questions, {"q0": ("c2", 1), "q1": ("c2", 1), "q2": ("c2", 0), "q3": ("c2", 0)})
    both = evaluation(tmp_path / "c", questions, {"q1": ("c4", 1), "q2": ("c4", 1), "q3": ("c4", 0)})
    gathered = gather([both, text, alone], file, tmp_path / "out", metric="Accuracy")
    assert gathered.classes == {"c1": 1, "c2": 1, "c3": 0, "c4": 1}
    assert gathered.left_out == {
        "answered wrongly": 1,
        "not evaluated, or with other words or another picture": 1,
    }
    before = (tmp_path / "out" / "annotations.jsonl").read_bytes()
    gather([both, text, alone], file, tmp_path / "out", metric="Accuracy")
    assert (tmp_path / "out" / "annotations.jsonl").read_bytes() == before, "nothing is written twice"
    labels = {one.id: one.label for one in read_annotations(tmp_path / "out")[1]}
    assert labels == {"q0": "c1", "q1": "c2", "q2": "c4", "q3": None, "q4": None}
    exported = export([tmp_path / "out"], tmp_path / "rows", counts={"c1": 9, "c2": 9, "c4": 9}, seed=1, validation=0)
    assert sum(exported.train.values()) == 3


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"error": "boom"}, "the run failed"),
        ({"failures": ({"id": "search@0"},)}, "the run survived failures"),
        ({"abstained": True}, "answered wrongly"),
    ],
)
def test_runs_that_did_not_succeed_teach_nothing(more: dict[str, Any], why: str, tmp_path: Path) -> None:
    file, questions = towers(tmp_path / "set", 1)
    run = evaluation(tmp_path / "a", questions, {"q0": ("c1", 1)}, **more)
    assert gather([run], file, tmp_path / "out", metric="Accuracy").left_out == {why: 1}
