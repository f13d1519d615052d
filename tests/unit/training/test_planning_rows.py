"""Rounds of planning as rows: what a run showed its planner, as it is trained on; own evaluations as annotations."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fixtures.annotated import towers
from fixtures.scripted_cogplanner import QUESTION, scripted_toolbox, settings_for
from fixtures.scripted_searches import stored_picture
from fixtures.tiny_planner import drawn
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.evals.outcome import Outcome, outcome_of
from backtrail.evals.pictures import with_kept_picture
from backtrail.evals.planning_record import Planned
from backtrail.evals.questions import Question, read_questions
from backtrail.evals.results import open_results
from backtrail.graphs.cogplanner import build
from backtrail.graphs.methods import METHODS
from backtrail.prompts.render import render
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.cogplanner.settings import Paradigm
from backtrail.state.settings import Settings
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.deciders.protocol import Decided, PictureAttachment
from backtrail.tools.deciders.requests.reply_schema import reply_form
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox
from backtrail.training.annotate.export import export as export_annotations
from backtrail.training.annotate.from_evaluations import gather
from backtrail.training.annotate.journal import read_annotations
from backtrail.training.errors import AnnotationsError, RowsError, SampleError
from backtrail.training.finetune.rows import read_rows
from backtrail.training.planning.cogbench import read_courses
from backtrail.training.planning.export import Exported, Terms, export
from backtrail.training.planning.from_evaluations import Judged, own_courses
from backtrail.training.planning.rows import rows_of


class Listening:
    """A decider that keeps what it was asked: the decision, the two messages, and how many pictures came."""

    name = "scripted"

    def __init__(self, decider: Any) -> None:
        self._decider = decider
        self.asked: list[tuple[str, str, str, int]] = []

    async def decide(
        self, decision: Any, inputs: Any, pictures: Sequence[PictureAttachment] = (), *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[Any]:  # fmt: skip
        rendered = render(decision.name, inputs)
        note = reply_form(decision, inputs, reasons=True).reasoning_note
        self.asked.append((decision.name, rendered.system + note, rendered.user, len(pictures)))
        return await self._decider.decide(decision, inputs, pictures, allowance=allowance)


@pytest.mark.parametrize("paradigm", ["sequential", "parallel"])
def test_rows_of_a_run_are_what_its_planner_was_shown(paradigm: Paradigm, tmp_path: Path) -> None:
    _, scripted, searches = scripted_toolbox()
    listening = Listening(scripted)
    toolbox = Toolbox(open_decider=lambda model, settings: listening, open_searches=lambda settings: searches)
    settings = settings_for(paradigm)
    (tmp_path / "picture.png").write_bytes(BlobStore(home()).read(stored_picture(7)))
    asked = {"id": "q1", "question": QUESTION, "image": "picture.png", "answers": ["1931"]}
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps(asked))
    question = with_kept_picture(read_questions(file)[0], file)
    given = {"question": QUESTION, "image": question.image}
    state = asyncio.run(build(toolbox).compile().ainvoke(given, context=settings))  # type: ignore[call-overload]
    outcome = outcome_of("q1", question.fingerprint, METHODS["cogplanner"], dict(state), 1.0)
    with open_results(tmp_path / "results") as results:
        results.append(outcome.model_copy(update={"scores": {"Accuracy": 1.0}}))
    (tmp_path / "results" / "run.json").write_text(json.dumps({"method": "cogplanner"}))

    left_out: dict[str, str] = {}
    contents = toolbox.contents(settings)
    (course,) = own_courses(tmp_path / "results", file, contents, Judged(), left_out)
    rows = list(rows_of(course, settings, paradigm))
    shown = [(row.decision, row.system, row.parts[0], len(row.pictures)) for row in rows]
    planned = [one for one in listening.asked if one[0].startswith("cogplanner")]
    assert sorted(shown) == sorted(planned)
    assert [json.loads(row.reply).get("action") for row in rows if row.kind == "route"] == [
        "image search", "text search", "no search",
    ]  # fmt: skip
    assert list(own_courses(tmp_path / "results", file, contents, Judged(threshold=2.0), left_out)) == []
    assert left_out == {"results:q1": "answered wrongly"}
    with pytest.raises(AnnotationsError, match="has no score 'F1' for 'q1'"):
        list(own_courses(tmp_path / "results", file, contents, Judged("F1"), left_out))


def record(number: int, **changes: Any) -> dict[str, Any]:
    """One question of CogBench that is looked at, looked up, and answered."""
    return {
        "id": f"cb{number}", "question": f"Who built tower {number}?", "image": f"images/{number}.png",
        "answer": f"Mason {number}",
        "rounds": [
            {"queries": [f"Which tower is this, {number}?"], "action": "image search", "documents": ["d1"]},
            {"queries": [f"Tower {number} builder"], "action": "text search",
             "documents": [f"p{page}" for page in range(24)]},
            {"queries": [f"Who built Tower {number}?"], "action": "no search", "documents": []},
        ],
        "documents": [
            {"id": "d1", "title": f"Tower {number}", "image": f"images/{number + 4}.png", "caption": "seen from afar"},
            *({"id": f"p{page}", "title": f"Page {page}", "text": f"It was built, says {page}."} for page in range(24)),
        ],
        **changes,
    }  # fmt: skip


def cogbench(folder: Path, records: list[dict[str, Any]]) -> Path:
    (folder / "images").mkdir(parents=True)
    for number in range(12):
        (folder / "images" / f"{number}.png").write_bytes(drawn(number)[0])
    (folder / "CogBench_train.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in records))
    return folder / "CogBench_train.jsonl"


def exported(file: Path, folder: Path, **terms: Any) -> Exported:
    return export(read_courses(file, {}), folder, Settings(), Terms(**terms))


def test_records_become_rows_that_can_be_trained_on(tmp_path: Path) -> None:
    file = cogbench(tmp_path / "set", [record(0)])
    written = exported(file, tmp_path / "rows", validation=0)
    assert written.train == {"text search": 1, "image search": 1, "no search": 1, "queries": 3}
    rows = {one.row.id: one.row for one in read_rows(tmp_path / "rows" / "train.jsonl")}
    last = rows["CogBench_train:cb0/3/route"]
    assert json.loads(last.reply) == {"reasoning": "", "action": "no search", "why": ""}
    user = last.messages[1].text
    assert '"round": 1, "modality": "image", "title": "Tower 0"' in user  # 24 later pages do not push it out
    pictures = [part for part in last.messages[1].content if not isinstance(part, str) and part.type == "image"]
    assert len(pictures) == 2  # the question's, and the one that was found
    text = (tmp_path / "rows" / "train.jsonl").read_text()
    (tmp_path / "rows" / "train.jsonl").write_text(text.replace('"prompt": "', '"prompt": "0'))
    with pytest.raises(RowsError, match="Export it again: backtrail annotate rounds"):
        read_rows(tmp_path / "rows" / "train.jsonl")


def test_each_is_taught_once_and_nothing_is_on_both_sides(tmp_path: Path) -> None:
    records = [record(number) for number in range(4)]
    records.append(record(1, id="again"))
    turned = record(2, id="otherwise")
    turned["rounds"][0] |= {"action": "text search", "documents": ["p1"]}
    records.append(turned)
    records.append(record(7, id="same-picture", image="images/3.png"))
    written = exported(cogbench(tmp_path / "set", records), tmp_path / "rows", validation=0.3, counts={"no search": 3})
    # "again" whole, and the first queries of "otherwise"
    assert written.left_out["same request and reply as another"] == 7
    assert written.left_out["same request as another, with another reply"] >= 2
    assert written.left_out["above the count of 'no search'"] >= 1
    files = [tmp_path / "rows" / name for name in ("train.jsonl", "validation.jsonl")]
    sides = [{one.row.id.split("/")[0] for one in read_rows(file)} for file in files]
    assert all(sides)
    assert not sides[0] & sides[1]
    together = {"CogBench_train:cb3", "CogBench_train:same-picture"}
    assert together <= sides[0] or together <= sides[1]
    again = exported(tmp_path / "set" / "CogBench_train.jsonl", tmp_path / "rows2", validation=0.3,
                     counts={"no search": 3})  # fmt: skip
    assert (tmp_path / "rows2/train.jsonl").read_text() == (tmp_path / "rows/train.jsonl").read_text()
    assert again.train == written.train
    with pytest.raises(SampleError, match="holds no export"):
        exported(tmp_path / "set" / "CogBench_train.jsonl", tmp_path / "set")


def test_records_that_cannot_be_used(tmp_path: Path) -> None:
    left_out: dict[str, str] = {}
    unshown = record(0, image="../secret.png")
    assert list(read_courses(cogbench(tmp_path / "a", [unshown]), left_out)) == []
    assert left_out == {"CogBench_train:cb0": "the picture '../secret.png' cannot be used"}
    unknown = record(0, rounds=[{"queries": ["x"], "action": "guess"}])
    with pytest.raises(RowsError, match=":1: has the action 'guess'"):
        list(read_courses(cogbench(tmp_path / "b", [unknown]), left_out))


def test_from_the_command_line(tmp_path: Path) -> None:
    file = cogbench(tmp_path / "set", [record(number) for number in range(3)])
    asked = ["annotate", "rounds", str(file.parent), "--out", str(tmp_path / "rows"), "--count", "text search=1"]
    done = CliRunner().invoke(app, [*asked, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["left_out"] == {"above the count of 'text search'": 2}
    nowhere = CliRunner().invoke(app, ["annotate", "rounds", str(tmp_path / "rows"), "--out", str(tmp_path / "x")])
    assert "is neither a folder of results nor a folder with CogBench_train.jsonl" in nowhere.output


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
    exported = export_annotations(
        [tmp_path / "out"], tmp_path / "rows", counts={"c1": 9, "c2": 9, "c4": 9}, seed=1, validation=0
    )
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
