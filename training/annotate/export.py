"""Export annotated questions as conversations for trainers, with picture paths and a letter as reply.

A folder holds ``train.jsonl``, ``validation.jsonl``, ``pictures/`` and ``export.json``. One row:

{"id": "infoseek:q17", "class": "c2", "letters": ["A", "B", "C", "D"], "decision": "vqa_choose_path", "prompt": "…",
 "messages": [{"role": "system", "content": [{"type": "text", "text": "…"}]},
              {"role": "user", "content": [{"type": "text", "text": "…"}, {"type": "image", "path": "pictures/….jpg"}]},
              {"role": "assistant", "content": [{"type": "text", "text": "C"}]}]}
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import convert_to_openai_messages

from backtrail.training.annotate.annotation import Annotation
from backtrail.training.annotate.balance import balanced, place_of
from backtrail.training.annotate.classes import LETTERS, PATH_CLASSES, PathClass
from backtrail.training.annotate.journal import read_annotations
from backtrail.training.annotate.pictures import QuestionUnusable, usable_picture
from backtrail.training.errors import SampleError
from backtrail.training.json_lines import write_lines
from backtrail.training.planner_prompt import DECISION, planner_prompt
from backtrail.training.planner_prompt import LETTERS as ALL_LETTERS

TRAIN = "train.jsonl"
VALIDATION = "validation.jsonl"
_SUFFIXES = {"image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp", "image/tiff": "tiff"}


@dataclass(frozen=True)
class Example:
    """An annotated question with the file of its picture; ``id`` is unique over all sets."""

    id: str
    label: PathClass
    question: str
    folder: Path
    image: str
    entity: str = ""


@dataclass(frozen=True)
class Placed:
    """An example whose picture was copied into the export, named by its hash."""

    example: Example
    picture: str
    sha256: str


@dataclass(frozen=True)
class Exported:
    """Counts of rows by class in either file, and the examples left out, with the reason."""

    folder: Path
    train: dict[str, int]
    validation: dict[str, int]
    left_out: list[str]


def export(
    annotated: Sequence[Path], folder: Path, *, counts: Mapping[PathClass, int], seed: int, validation: float
) -> Exported:
    """Draw a balanced sample from folders of annotations and write it.

    Args:
        validation: share of rows for validation. All rows of a picture, and of pictures with the same subject, go to
            one side.

    Raises:
        AnnotationsError: a folder holds no annotations.
        SampleError: a class is empty, two folders have the same name, or the export's folder holds something else.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "export.json").is_file():
        raise SampleError(f"{folder} is not empty and holds no export. Name a new folder.")
    drawn = balanced(_examples(annotated), counts, seed)
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    placed: list[Placed] = []
    left_out: list[str] = []
    for example in drawn:
        try:
            placed.append(_place(example, folder))
        except QuestionUnusable as error:
            left_out.append(f"{example.id}: {error}")
    placed, repeated = distinct(placed)
    left_out += repeated
    held_back = _held_back(placed, validation, seed)
    rows = {
        TRAIN: [one for one in placed if one.example.id not in held_back],
        VALIDATION: [one for one in placed if one.example.id in held_back],
    }
    if not rows[TRAIN]:
        raise SampleError(
            f"None of the {len(drawn)} drawn questions is left to train on: {len(left_out)} have no usable picture or "
            f"repeat another, {len(rows[VALIDATION])} are kept for validation. Annotate more, or lower --validation."
        )
    for name, chosen in rows.items():
        write_lines(folder / name, (json.dumps(_row(one), ensure_ascii=False) for one in chosen))
    sizes = {name: _by_class(chosen) for name, chosen in rows.items()}
    about = {"counts": dict(counts), "seed": seed, "validation": validation, "rows": sizes, "left_out": left_out}
    write_lines(folder / "export.json", [json.dumps(about, indent=2, ensure_ascii=False)])
    return Exported(folder, sizes[TRAIN], sizes[VALIDATION], left_out)


def _examples(annotated: Sequence[Path]) -> list[Example]:
    examples: list[Example] = []
    names = [folder.resolve().name for folder in annotated]
    if len(set(names)) != len(names):
        raise SampleError(f"The folders of annotations must have different names, which go into the ids: {names}.")
    for name, folder in zip(names, annotated, strict=True):
        run, annotations = read_annotations(folder)
        pictures = Path(run["questions"]).parent
        examples += [_example(name, pictures, one) for one in annotations if one.label and one.image]
    return examples


def _example(name: str, pictures: Path, annotation: Annotation) -> Example:
    assert annotation.label is not None
    assert annotation.image is not None
    entity = annotation.image_entity.casefold().strip()
    return Example(f"{name}:{annotation.id}", annotation.label, annotation.question, pictures, annotation.image, entity)


def distinct(placed: Sequence[Placed]) -> tuple[list[Placed], list[str]]:
    """Return distinct questions per picture, without those of two classes, and reasons for omissions."""
    found: dict[tuple[str, str], list[Placed]] = {}
    for one in placed:
        words = " ".join(re.findall(r"\w+", one.example.question.casefold()))
        found.setdefault((one.sha256, words), []).append(one)
    kept: list[Placed] = []
    left_out: list[str] = []
    for same in found.values():
        labels = sorted({one.example.label for one in same})
        if len(labels) > 1:
            left_out += [f"{one.example.id}: asked more than once, as {' and '.join(labels)}" for one in same]
            continue
        kept.append(same[0])
        left_out += [f"{one.example.id}: asks the same of the same picture as {same[0].example.id}" for one in same[1:]]
    return kept, left_out


def _place(example: Example, folder: Path) -> Placed:
    """Put the picture into the export under its hash, as a hard link if possible, else as a copy."""
    source, facts = usable_picture(example.folder.resolve(), example.image)
    name = f"pictures/{facts.sha256}.{_SUFFIXES.get(facts.mime, 'jpg')}"
    target = folder / name
    if not target.exists():
        beside = target.with_suffix(".new")
        beside.unlink(missing_ok=True)
        try:
            os.link(source, beside)
        except OSError:
            shutil.copyfile(source, beside)
        beside.replace(target)
    return Placed(example, name, facts.sha256)


def _held_back(placed: Sequence[Placed], share: float, seed: int) -> set[str]:
    """Return the ids of a random share of rows, drawn in families that share a picture or its subject."""
    family = _families(placed)
    rows: dict[str, list[str]] = {}
    for one in placed:
        rows.setdefault(family[one.sha256], []).append(one.example.id)
    drawn: set[str] = set()
    for name in sorted(rows, key=lambda one: place_of(f"validation:{one}", seed)):
        if len(drawn) >= share * len(placed):
            break
        drawn.update(rows[name])
    return drawn


def _families(placed: Sequence[Placed]) -> dict[str, str]:
    """Return the family of each picture: the smallest hash among those with the same subject, transitively."""
    leader = {one.sha256: one.sha256 for one in placed}

    def first(picture: str) -> str:
        while leader[picture] != picture:
            picture = leader[picture]
        return picture

    shown: dict[str, str] = {}
    for one in placed:
        if one.example.entity:
            pair = sorted((first(shown.setdefault(one.example.entity, one.sha256)), first(one.sha256)))
            leader[pair[1]] = pair[0]
    return {picture: first(picture) for picture in leader}


def _row(one: Placed) -> dict[str, Any]:
    prompt = planner_prompt(one.example.question)
    messages: list[dict[str, Any]] = []
    for message in convert_to_openai_messages(prompt.messages, text_format="block"):
        content = [_part(part, one.picture) for part in message["content"]]
        messages.append({"role": message["role"], "content": content})
    reply = [{"type": "text", "text": LETTERS[one.example.label]}]
    return {
        "id": one.example.id,
        "class": one.example.label,
        "letters": list(ALL_LETTERS),
        "decision": DECISION,
        "prompt": prompt.hash,
        "messages": [*messages, {"role": "assistant", "content": reply}],
    }


def _part(part: dict[str, Any], picture: str) -> dict[str, str]:
    return {"type": "text", "text": part["text"]} if part["type"] == "text" else {"type": "image", "path": picture}


def _by_class(placed: Iterable[Placed]) -> dict[str, int]:
    labels = [one.example.label for one in placed]
    return {label: labels.count(label) for label in PATH_CLASSES}
