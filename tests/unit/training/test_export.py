"""The export: the planner's own prompt, the letter, the picture by path; rows as other trainers read them."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.annotated import annotated, question_file, towers
from fixtures.tiny_vlm import picture

from backtrail.evals.questions import read_questions
from backtrail.prompts.render import render
from backtrail.state.vqa_planner.decisions import CHOOSE_PATH, ChoosePathInputs
from backtrail.training.annotate.annotation import Annotation, fingerprint
from backtrail.training.annotate.classes import PATH_CLASSES, PathClass
from backtrail.training.annotate.export import export
from backtrail.training.annotate.journal import open_journal
from backtrail.training.errors import AnnotationsError, RowsError, SampleError
from backtrail.training.formats.convert import FORMS, convert

ALL: dict[PathClass, int] = dict.fromkeys(PATH_CLASSES, 100)


def made(folder: Path, labels: list[PathClass | None]) -> Path:
    file, questions = towers(folder / "set", len(labels))
    return annotated(folder / "annotations", file, questions, labels)


def rows_of(folder: Path, name: str = "train.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def write(annotations: Path, out: Path, counts: dict[PathClass, int] = ALL, validation: float = 0.0) -> Any:
    return export([annotations], out, counts=counts, seed=1, validation=validation)


def test_a_row_is_what_the_planner_sees_and_the_letter(tmp_path: Path) -> None:
    folder = made(tmp_path, ["c1", "c2", "c3", "c4", None])
    exported = write(folder, tmp_path / "out")
    assert exported.train == {"c1": 1, "c2": 1, "c3": 1, "c4": 1}
    rows = {row["id"]: row for row in rows_of(tmp_path / "out")}
    letters = {name: row["messages"][-1] for name, row in rows.items()}
    assert {name: one["content"][0]["text"] for name, one in letters.items()} == {
        "annotations:q0": "A", "annotations:q1": "C", "annotations:q2": "B", "annotations:q3": "D",
    }  # fmt: skip
    row = rows["annotations:q2"]
    asked = ChoosePathInputs(question="When was this tower built, case 2?", has_picture=True)
    rendered = render(CHOOSE_PATH.name, asked)
    system, user, assistant = row["messages"]
    assert [system["role"], user["role"], assistant["role"]] == ["system", "user", "assistant"]
    assert system["content"] == [{"type": "text", "text": rendered.system}]
    assert user["content"][0] == {"type": "text", "text": rendered.user}
    assert [part["type"] for part in user["content"]] == ["text", "text", "image"]
    content = picture("blue", (42, 30))
    assert user["content"][2]["path"] == f"pictures/{hashlib.sha256(content).hexdigest()}.png"
    assert (tmp_path / "out" / user["content"][2]["path"]).read_bytes() == content
    assert (row["letters"], row["prompt"]) == (["A", "B", "C", "D"], rendered.hash)


def test_no_picture_is_on_both_sides(tmp_path: Path) -> None:
    rows = [
        {"id": f"q{n}", "question": f"What is this, {n}?", "image": f"{n % 4}.png", "answers": ["x"]} for n in range(12)
    ]
    pictures = {f"{n}.png": picture("red", (30 + n, 30)) for n in range(4)}
    file = question_file(tmp_path / "set", rows, pictures)
    folder = annotated(tmp_path / "annotations", file, read_questions(file), ["c1"] * 12)
    write(folder, tmp_path / "out", {"c1": 12}, validation=0.2)
    both = [rows_of(tmp_path / "out", name) for name in ("train.jsonl", "validation.jsonl")]
    train, validation = ({row["messages"][1]["content"][2]["path"] for row in rows} for rows in both)
    assert not train & validation
    assert (len(train), len(validation)) == (3, 1)


def test_where_not_to_write_and_what_not_to_read(tmp_path: Path) -> None:
    folder = made(tmp_path, ["c1"])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("dear")
    with pytest.raises(SampleError, match="not empty"):
        write(folder, tmp_path / "mine", {"c1": 1})
    with pytest.raises(AnnotationsError, match="no annotations"):
        write(tmp_path / "nowhere", tmp_path / "out")
    with pytest.raises(SampleError, match="annotated with class c2"):
        write(folder, tmp_path / "out")


def test_a_question_is_not_taught_twice_and_not_with_two_classes(tmp_path: Path) -> None:
    asked = ["What is this?", "what is this", "Who made it?", "Who made it", "Where is it?"]
    rows = [{"id": f"q{n}", "question": one, "image": "p.png", "answers": ["x"]} for n, one in enumerate(asked)]
    file = question_file(tmp_path / "set", rows, {"p.png": picture("red", (30, 30))})
    labels: list[PathClass | None] = ["c1", "c1", "c2", "c4", "c3"]
    exported = write(annotated(tmp_path / "annotations", file, read_questions(file), labels), tmp_path / "out")
    assert exported.train == {"c1": 1, "c2": 0, "c3": 1, "c4": 0}
    reasons = sorted(line.partition(": ")[2].partition(" as ")[0] for line in exported.left_out)
    assert reasons == ["asked more than once,", "asked more than once,", "asks the same of the same picture"]


def test_what_pictures_are_known_to_show_is_on_one_side(tmp_path: Path) -> None:
    file, questions = towers(tmp_path / "set", 12)
    folder = tmp_path / "annotations"
    with open_journal(folder, {"questions": str(file)}) as journal:
        for number, one in enumerate(questions):
            journal.keep(
                Annotation(
                    id=one.id, fingerprint=fingerprint(one), question=one.question, image=one.image,
                    outcome="annotated",
                    label=PATH_CLASSES[number % 4], image_entity=f"Tower {number % 3}",
                )
            )  # fmt: skip
    exported = write(folder, tmp_path / "out", validation=0.3)
    sides = {
        name: {int(row["id"].partition(":q")[2]) % 3 for row in rows_of(tmp_path / "out", f"{name}.jsonl")}
        for name in ("train", "validation")
    }
    assert sides["train"] | sides["validation"] == {0, 1, 2}
    assert sides["train"] & sides["validation"] == set()
    assert sum(exported.validation.values()) == 4


ASKED = [
    {"type": "text", "text": "Is <image> a mark?"},
    {"type": "image", "path": "pictures/one.png"},
    {"type": "image", "path": "pictures/two.png"},
]
ROW = {
    "id": "q1",
    "messages": [
        {"role": "system", "content": "Choose."},
        {"role": "user", "content": ASKED},
        {"role": "assistant", "content": [{"type": "text", "text": "C"}]},
    ],
}
WORDS = {"messages": [{"role": "user", "content": "Name a colour."}, {"role": "assistant", "content": "Blue."}]}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    folder = tmp_path / "rows"
    (folder / "pictures").mkdir(parents=True)
    for name in ("one", "two"):
        (folder / "pictures" / f"{name}.png").write_bytes(picture())
    (folder / "train.jsonl").write_text("\n".join(map(json.dumps, (ROW, WORDS))))
    (folder / "validation.jsonl").write_text("")
    return folder


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]


def test_llama_factory_finds_its_files_and_as_many_pictures_as_marks(rows: Path, tmp_path: Path) -> None:
    assert convert(rows, "llama-factory", tmp_path / "out") == {"train.jsonl": 2}
    index = json.loads((tmp_path / "out" / "dataset_info.json").read_text())
    assert list(index) == ["backtrail_train"]
    assert (tmp_path / "out" / index["backtrail_train"]["file_name"]).is_file()
    seen, said = read(tmp_path / "out")
    assert seen["messages"][1]["content"] == "Is < image> a mark?\n<image>\n<image>"
    assert seen["messages"][2] == {"role": "assistant", "content": "C"}
    assert [Path(one).read_bytes() for one in seen["images"]] == [picture()] * 2
    assert said["images"] == []


def test_trl_learns_the_reply_alone(rows: Path, tmp_path: Path) -> None:
    convert(rows, "trl", tmp_path / "out")
    seen, said = read(tmp_path / "out")
    assert [one["role"] for one in seen["prompt"]] == ["system", "user"]
    assert [part["type"] for part in seen["prompt"][1]["content"]] == ["text", "image", "image"]
    assert seen["completion"] == [{"role": "assistant", "content": [{"type": "text", "text": "C"}]}]
    assert len(seen["images"]) == 2
    assert said["prompt"][0]["content"] == [{"type": "text", "text": "Name a colour."}]


def test_openai_takes_the_rows_by_the_types_of_its_own_library(rows: Path, tmp_path: Path) -> None:
    from openai.types.chat import ChatCompletionMessageParam
    from pydantic import ConfigDict, TypeAdapter, with_config
    from typing_extensions import TypedDict

    @with_config(ConfigDict(extra="forbid"))
    class Taken(TypedDict):
        messages: list[ChatCompletionMessageParam]

    convert(rows, "openai", tmp_path / "out")
    for row in read(tmp_path / "out"):
        TypeAdapter(Taken).validate_python(row)
    seen, said = read(tmp_path / "out")
    shown = [part["image_url"]["url"] for part in seen["messages"][1]["content"] if part["type"] == "image_url"]
    assert [url.partition("/")[0] for url in shown] == ["data:image"] * 2, "as a hosted planner is shown them"
    assert (seen["messages"][2], said) == ({"role": "assistant", "content": "C"}, WORDS)
    many = {**ROW, "messages": [{"role": "user", "content": ASKED[1:] * 33}, ROW["messages"][2]]}  # type: ignore[index]
    (rows / "train.jsonl").write_text(json.dumps(many))
    with pytest.raises(RowsError, match="the row 'q1' shows 66 pictures; OpenAI takes 64 at most"):
        convert(rows, "openai", tmp_path / "many")


@pytest.mark.parametrize("form", FORMS)
def test_the_rows_are_never_written_over(form: Any, rows: Path) -> None:
    with pytest.raises(RowsError, match="Name another --out"):
        convert(rows, form, rows)
    assert json.loads((rows / "train.jsonl").read_text().splitlines()[0]) == ROW
