"""InfoSeek (Chen et al., EMNLP 2023): questions about pictures that need an encyclopedia.

Files ``infoseek_SPLIT.jsonl``, ``infoseek_val_qtype.jsonl`` for the type of each question, and the pictures of OVEN
below ``oven_images/`` (or anywhere in the release, by the name ``IMAGE_ID.jpg``). One row, and its type:

    {"data_id": "infoseek_val_00000000", "image_id": "oven_04925662", "question": "In which city is this building?",
     "answer": ["Cologne", "Köln"], "answer_eval": ["Cologne", "Köln", "Cologne, Germany"],
     "data_split": "val_unseen_question"}
    {"data_id": "infoseek_val_00000000", "question_type": "String"}

Numerical answers are ``[{"wikidata": 1.0, "range": [0.9, 1.1]}]``. There is no corpus: the paper searches Wikipedia.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.pictures import QuestionPictures, texts

_SUFFIXES = (".jpg", ".JPEG", ".png")


def write_infoseek(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the questions of a split (train, val; test has no answers).

    Raises:
        FormatError: a file is missing, or a line lacks a field.
    """
    split = "val" if split == "dev" else split
    file = found(source, f"infoseek_{split}.jsonl", f"infoseek_data/infoseek_{split}.jsonl")
    kinds = _kinds(file.parent, split)
    pictures = QuestionPictures(source, ("oven_images", "images"), [], download=False)
    for number, line in read_json_lines(file):
        id_ = str(field(line, "data_id", file, number))
        name = str(field(line, "image_id", file, number))
        image, held = pictures.place(writer, id_, *(f"{name}{suffix}" for suffix in _SUFFIXES))
        writer.question(_question(line, id_, image, held, kinds.get(id_, "String"), file, number))


def _kinds(folder: Path, split: str) -> dict[str, str]:
    file = folder / f"infoseek_{split}_qtype.jsonl"
    if not file.is_file():
        return {}
    return {str(line.get("data_id")): str(line.get("question_type", "String")) for _, line in read_json_lines(file)}


def _question(
    line: dict[str, Any], id_: str, image: str | None, held: str, kind: str, file: Path, number: int
) -> dict[str, Any]:
    evaluated = line.get("answer_eval") or []
    first = evaluated[0] if isinstance(evaluated, list) and evaluated else evaluated
    ends: list[float] = [float(end) for end in first.get("range", ())][:2] if isinstance(first, dict) else []
    numeric = len(ends) == 2
    answers = texts(line.get("answer") or []) + ([] if numeric else texts(evaluated))
    return {
        "id": id_,
        "question": str(field(line, "question", file, number)),
        "image": image,
        "answers": list(dict.fromkeys(answers)),
        "gold": [],
        "hops": 0,
        "tags": {
            "type": "Numerical" if numeric else kind,
            "seen": str(line.get("data_split", "")).rpartition("unseen_")[2],
            "picture": held,
            **({"range": ends} if numeric else {}),
            **({"wordings": texts(evaluated)} if evaluated and not numeric else {}),
        },
    }
