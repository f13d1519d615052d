"""Rows as other trainers read them: every picture at its mark, and nothing in a text that they would take for one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.tiny_vlm import picture

from backtrail.training.errors import RowsError
from backtrail.training.formats.convert import FORMS, convert

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
