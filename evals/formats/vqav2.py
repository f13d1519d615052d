"""VQA v2.0 (Goyal et al., CVPR 2017): open questions about COCO pictures, each answered by ten people.

Files ``v2_OpenEnded_mscoco_SPLIT2014_questions.json`` and ``v2_mscoco_SPLIT2014_annotations.json``, and the pictures
as ``SPLIT2014/COCO_SPLIT2014_000000000042.jpg``. One question and one annotation:

    {"image_id": 42, "question": "Is it raining?", "question_id": 42000}
    {"question_id": 42000, "image_id": 42, "question_type": "is it", "answer_type": "yes/no",
     "multiple_choice_answer": "no", "answers": [{"answer": "no", "answer_confidence": "yes", "answer_id": 1}, …]}
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json
from backtrail.evals.formats.pictures import QuestionPictures


def write_vqav2(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the questions of a split (train, val; test-dev and test have no answers).

    Raises:
        FormatError: a file is missing, or a question lacks a field.
    """
    split = "val" if split == "dev" else split
    year = "2015" if split.startswith("test") else "2014"
    file = found(source, f"v2_OpenEnded_mscoco_{split}{year}_questions.json")
    annotations = _annotations(source, split + year)
    folder = "test2015" if split.startswith("test") else f"{split}{year}"
    pictures = QuestionPictures(source, (folder, "images"), [], download=False)
    for entry in field(read_json(file), "questions", file, None):
        id_ = str(field(entry, "question_id", file, None))
        name = f"COCO_{folder}_{int(field(entry, 'image_id', file, None)):012d}.jpg"
        image, held = pictures.place(writer, id_, name)
        writer.question(_question(entry, id_, image, held, annotations.get(id_, {}), file))


def _annotations(source: Path, split: str) -> dict[str, dict[str, Any]]:
    try:
        file = found(source, f"v2_mscoco_{split}_annotations.json")
    except FormatError:
        if split.startswith("test"):
            return {}
        raise
    return {str(entry["question_id"]): entry for entry in field(read_json(file), "annotations", file, None)}


def _question(
    entry: dict[str, Any], id_: str, image: str | None, held: str, annotation: dict[str, Any], file: Path
) -> dict[str, Any]:
    people = [str(answer["answer"]) for answer in annotation.get("answers", [])]
    return {
        "id": id_,
        "question": str(field(entry, "question", file, None)),
        "image": image,
        "answers": list(dict.fromkeys([str(annotation["multiple_choice_answer"]), *people])) if annotation else [],
        "gold": [],
        "hops": 0,
        "tags": {"people": people, "type": str(annotation.get("answer_type", "")), "picture": held},
    }
