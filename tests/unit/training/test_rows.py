"""Rows and settings of a training: read strictly, mixed by ratio, balanced, what is wrong with them named by line."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fixtures.tiny_vlm import picture
from hypothesis import given
from hypothesis import strategies as st

from backtrail.tools.errors import SettingsError
from backtrail.training.annotate.balance import PAPER_COUNTS, balanced
from backtrail.training.annotate.classes import PATH_CLASSES, PathClass
from backtrail.training.errors import FinetuneError, RowsError, SampleError
from backtrail.training.finetune.folder import last_checkpoint, training_folder
from backtrail.training.finetune.measures import measures
from backtrail.training.finetune.rows import mixed, read_rows
from backtrail.training.finetune.settings import FinetuneSettings, finetune_settings
from backtrail.training.planner_prompt import DECISION, current_hash

LETTERS = ["A", "B", "C", "D"]


def row(reply: str = "A", **more: Any) -> dict[str, Any]:
    asked = [{"type": "text", "text": "Which?"}, {"type": "image", "path": "one.png"}]
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]
    return {"letters": LETTERS, "messages": messages, **more}


def file_of(folder: Path, *rows: Any) -> Path:
    (folder / "one.png").write_bytes(picture())
    file = folder / "train.jsonl"
    file.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in rows), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (row("E"), "'E' is none of the letters A, B, C, D"),
        (row("A "), None),
        (row(""), "the assistant's"),
        ({"messages": row()["messages"][:1]}, "messages"),
        ({"messages": [*row()["messages"], {"role": "user", "content": "?"}]}, "the assistant's"),
        (row(messages=[{"role": "user", "content": [{"type": "image", "path": "two.png"}]}, row()["messages"][1]]),
         r"'two\.png' is no file"),
        (row(messages=[{"role": "user", "content": [{"type": "image", "path": "../x"}]}, row()["messages"][1]]),
         r"'\.\./x' is no file"),
        (row(decision=DECISION, prompt="0" * 64), "another version of the prompt"),
        (row(decision=DECISION, prompt=current_hash(DECISION)), None),
        ("{", "JSON"),
    ],
)  # fmt: skip
def test_a_bad_row_is_named_by_its_line(bad: Any, problem: str | None, tmp_path: Path) -> None:
    file = file_of(tmp_path, row(), "", bad)
    if problem is None:
        assert len(read_rows(file)) == 2
        return
    with pytest.raises(RowsError, match=rf"train\.jsonl:3: .*{problem}"):
        read_rows(file)


def test_one_general_instruction_for_each_row_none_twice(tmp_path: Path) -> None:
    rows = read_rows(file_of(tmp_path, row(), row("B")))
    (tmp_path / "general").mkdir()
    told = [
        {"messages": [{"role": "user", "content": f"{n}?"}, {"role": "assistant", "content": "Yes."}]} for n in range(5)
    ]
    general = read_rows(file_of(tmp_path / "general", *told))
    both = mixed(rows, general, 1.0, seed=3)
    assert both[:2] == rows
    assert len({one.row.messages[0].text for one in both[2:]}) == 2
    assert mixed(rows, general, 1.0, seed=3) == both
    assert len(mixed(rows, general, 2.5, seed=3)) == 7
    with pytest.raises(RowsError, match="6 general instructions are needed for 2 rows, there are 5"):
        mixed(rows, general, 3.0, seed=3)


def test_accuracy_and_confusion_count_letters_alone(tmp_path: Path) -> None:
    worded = {"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "A tower."}]}
    rows = [one.row for one in read_rows(file_of(tmp_path, row("A"), row("A"), worded, row("D")))]
    found = measures(rows, [[3, 1, 1, 1], [0, -1, 2, 0], [9, 0, 0, 0], [-4, -3, -2, -1]])
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert found["confusion"]["A"] == {"A": 1, "B": 0, "C": 1, "D": 0}
    assert found["confusion"]["D"]["D"] == 1
    assert measures(rows[2:3], [[0.0] * 4]) == {}


@pytest.mark.parametrize("given", ["rank=0", "rank", "ranks=3", "method=half", "learning_rate=fast"])
def test_settings_out_of_bounds(given: str) -> None:
    with pytest.raises(SettingsError):
        finetune_settings("lora", [given])
    with pytest.raises(SettingsError, match="Existing: lora, qlora, full, cogplanner"):
        finetune_settings("best")


def test_a_folder_belongs_to_one_training(tmp_path: Path) -> None:
    settings = FinetuneSettings().model_dump()
    with (
        training_folder(tmp_path / "out", {"settings": settings}),
        pytest.raises(FinetuneError, match="Another training"),
        training_folder(tmp_path / "out", {"settings": settings}),
    ):
        pass
    with pytest.raises(FinetuneError, match="other options"), training_folder(tmp_path / "out", {"settings": 2}):
        pass
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("dear")
    with pytest.raises(FinetuneError, match="not empty"), training_folder(tmp_path / "mine", {}, fresh=True):
        pass
    assert (tmp_path / "mine" / "thesis.txt").is_file()


def test_the_last_whole_checkpoint_counts(tmp_path: Path) -> None:
    held = tmp_path / "checkpoints"
    for number, state in ((9, "{}"), (10, "{}"), (20, None), (30, '{"')):
        (held / f"checkpoint-{number}").mkdir(parents=True)
        if state is not None:
            (held / f"checkpoint-{number}" / "trainer_state.json").write_text(state)
    found = last_checkpoint(tmp_path)
    assert found.name == "checkpoint-10"
    assert sorted(one.name for one in held.iterdir()) == ["checkpoint-10", "checkpoint-9"]
    assert last_checkpoint(tmp_path / "nowhere") is None


@dataclass(frozen=True)
class Found:
    id: str
    label: PathClass | None


FOUND = st.lists(
    st.builds(Found, st.text(max_size=6), st.sampled_from([*PATH_CLASSES, None])), unique_by=lambda one: one.id
)
COUNTS = st.fixed_dictionaries({label: st.integers(0, 4) for label in PATH_CLASSES})


def draw(found: list[Found], counts: dict[PathClass, int], seed: int) -> list[Found]:
    """What is drawn; nothing where a class is empty."""
    try:
        return balanced(found, counts, seed)
    except SampleError:
        held = {one.label for one in found}
        assert not any(counts.values()) or any(counts[label] and label not in held for label in PATH_CLASSES)
        return []


@given(FOUND, COUNTS, COUNTS, st.integers(0, 9), st.data())
def test_as_many_of_each_class_as_there_are(found: list[Found], counts: Any, more: Any, seed: int, data: Any) -> None:
    drawn = draw(found, counts, seed)
    assert len({one.id for one in drawn}) == len(drawn)
    assert set(drawn) <= {one for one in found if one.label}
    for label in PATH_CLASSES if drawn else ():
        held = sum(one.label == label for one in found)
        assert sum(one.label == label for one in drawn) == min(held, counts[label])
    assert draw(data.draw(st.permutations(found)), counts, seed) == drawn
    most = draw(found, {label: counts[label] + more[label] for label in PATH_CLASSES}, seed)
    assert not most or set(drawn) <= set(most)


def test_an_empty_class_is_named() -> None:
    with pytest.raises(SampleError, match=r"class c2 .*c1: 1, c2: 0.*--count c2=0"):
        balanced([Found("a", "c1")], PAPER_COUNTS, 1)
    with pytest.raises(SampleError, match="nothing to export"):
        balanced([Found("a", "c1")], dict.fromkeys(PATH_CLASSES, 0), 1)
