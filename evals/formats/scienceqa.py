"""ScienceQA (Lu et al., NeurIPS 2022): multiple choice from science lessons, half with a picture.

Files of the official release: ``problems.json``, ``pid_splits.json`` (by default beside it), and pictures as
``images/SPLIT/ID/image.png`` or ``SPLIT/ID/image.png``. One problem:

    "1": {"question": "Which of these states is farthest north?", "choices": ["West Virginia", "Louisiana"],
          "answer": 0, "hint": "", "image": "image.png", "grade": "grade2", "subject": "social science",
          "topic": "geography", "lecture": "Maps have four cardinal directions …", "split": "train"}

Or a folder with ``SPLIT.jsonl`` (a minitest), whose lines have the same fields, ``id`` and the picture's path. The
corpus is the lectures of the training split with the pictures of its problems, each once; those of the questions asked
would reveal answers. ``captions.json`` of the release describes the pictures, where it exists (HM-RAG writes captions
with BLIP-2: T_v); else ingestion does (``--vlm``, ``--pixels``).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.choices import choice_tags, qcm
from backtrail.evals.formats.lines import field, found, read_json, read_json_lines

SUBJECTS = {"natural science": "NAT", "social science": "SOC", "language science": "LAN"}
LOWER_GRADES = 6
_CONTEXT = "Context:"


def write_scienceqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the lectures of the training split, and the questions of a split.

    Raises:
        FormatError: there is no such split, a file is missing, or a problem lacks a field.
    """
    lines = source / f"{split}.jsonl"
    if lines.is_file() or lines.with_name(f"{split}.jsonl.gz").is_file():
        file = found(source, f"{split}.jsonl")
        for number, problem in read_json_lines(file):
            key = str(field(problem, "id", file, number))
            writer.question(_question(key, problem, file, number, writer, source / str(problem.get("image") or "")))
        return
    file = found(source, "problems.json", "data/scienceqa/problems.json", "scienceqa/problems.json")
    problems: dict[str, dict[str, Any]] = read_json(file)
    ids = _ids(file, problems, "val" if split == "dev" else split)
    _write_lectures(problems, writer)
    _write_pictures(file.parent, problems, writer)
    for key in ids:
        picture = _picture(file.parent, key, problems[key])
        writer.question(_question(key, problems[key], file, None, writer, picture))


def _ids(file: Path, problems: dict[str, dict[str, Any]], split: str) -> list[str]:
    splits = file.with_name("pid_splits.json")
    if splits.is_file():
        named = read_json(splits)
        if split not in named:
            raise FormatError(splits, None, f"has no split {split!r}; there are {', '.join(named)}")
        ids = [str(key) for key in named[split]]
        if missing := [key for key in ids if key not in problems]:
            raise FormatError(file, None, f"lacks the problem {missing[0]!r}, which the split {split!r} names")
        return ids
    ids = [key for key, problem in problems.items() if problem.get("split") == split]
    if not ids:
        raise FormatError(file, None, f"has no problem of the split {split!r}, and there is no pid_splits.json")
    return ids


def _write_lectures(problems: dict[str, dict[str, Any]], writer: BundleWriter) -> None:
    """Write each lecture once; its document is named after the skill that it teaches."""
    for problem in problems.values():
        lecture = str(problem.get("lecture") or "").strip()
        if problem.get("split") != "train" or not lecture:
            continue
        key = _lecture_id(lecture)
        if writer.has(f"{key}#0"):
            continue
        writer.document(key, str(problem.get("skill") or problem.get("topic") or "Lecture"))
        for position, text in enumerate(part for part in lecture.split("\n\n") if part.strip()):
            writer.text(f"{key}#{position}", key, text.strip(), position=position)


def _write_pictures(folder: Path, problems: dict[str, dict[str, Any]], writer: BundleWriter) -> None:
    """Write pictures of the training split, each once, under the lecture of its problem."""
    captions = _captions(folder)
    for key, problem in problems.items():
        train = problem.get("split") == "train"
        picture = _inside(_picture(folder, key, problem), folder / "problems.json") if train else None
        if picture is None or not picture.is_file():
            continue
        id_ = "picture:" + hashlib.sha256(picture.read_bytes()).hexdigest()[:16]
        if writer.has(id_):
            continue
        lecture = str(problem.get("lecture") or "").strip()
        skill = str(problem.get("skill") or problem.get("topic") or "Lecture")
        document = _lecture_id(lecture) if lecture else f"skill:{skill}"
        writer.document(document, skill)
        words = {"title": str(problem.get("category") or skill), "caption": captions.get(key, "")}
        writer.image(id_, document, words, picture, position=len(lecture.split("\n\n")))


def _captions(folder: Path) -> dict[str, str]:
    file = folder / "captions.json"
    if not file.is_file():
        return {}
    content = read_json(file)
    captions = content.get("captions", content) if isinstance(content, dict) else {}
    return {str(key): str(caption) for key, caption in captions.items()}


def _lecture_id(lecture: str) -> str:
    return "lecture:" + hashlib.sha256(lecture.encode()).hexdigest()[:16]


def _picture(folder: Path, key: str, problem: dict[str, Any]) -> Path | None:
    name = problem.get("image")
    if not name:
        return None
    split = str(problem.get("split", ""))
    places = [folder / "images" / split / key / str(name), folder / split / key / str(name)]
    return next((place for place in places if place.is_file()), places[0])


def _question(
    key: str, problem: dict[str, Any], file: Path, number: int | None, writer: BundleWriter, picture: Path | None
) -> dict[str, Any]:
    options = [str(choice) for choice in field(problem, "choices", file, number)]
    right = field(problem, "answer", file, number)
    if not isinstance(right, int) or not 0 <= right < len(options):
        raise FormatError(file, number, f"problem {key!r} has the answer {right!r} among {len(options)} choices")
    asked, context = _asked(str(field(problem, "question", file, number)), str(problem.get("hint") or ""))
    has_picture = bool(problem.get("image"))
    image = writer.question_picture(_inside(picture, file)) if has_picture else None
    return {
        "id": key,
        "question": qcm(asked, context, options),
        "image": image,
        "answers": [options[right]],
        "gold": [],
        "hops": 0,
        "tags": {**choice_tags(options, right), **_tags(problem, context, has_picture)},
    }


def _asked(question: str, hint: str) -> tuple[str, str]:
    """Return question and context; in the minitest the context precedes the question."""
    if not question.startswith(_CONTEXT):
        return question, hint
    context, _, asked = question.removeprefix(_CONTEXT).rpartition("\n")
    return asked.strip(), context.strip()


def _inside(picture: Path | None, file: Path) -> Path | None:
    """Return a picture of the release; None for a path that leaves it."""
    if picture is None or not picture.resolve().is_relative_to(file.parent.resolve()):
        return None
    return picture


def _tags(problem: dict[str, Any], context: str, has_picture: bool) -> dict[str, Any]:
    """Return the groups of the paper's table for which the release has labels; TXT and IMG may both apply."""
    labels = {**problem, **problem.get("tags", {})}
    modalities = [name for name, applies in (("TXT", bool(context)), ("IMG", has_picture)) if applies]
    grade = "".join(filter(str.isdigit, str(labels.get("grade", ""))))
    tags: dict[str, Any] = {"context": modalities or ["NO"], "topic": labels.get("topic", "")}
    if labels.get("subject") in SUBJECTS:
        tags["subject"] = SUBJECTS[labels["subject"]]
    if grade:
        tags["grade"] = "G1-6" if int(grade) <= LOWER_GRADES else "G7-12"
    return tags
