"""CrisisMMD (Alam, Ofli and Imran, ICWSM 2018): classification of posts with pictures about disasters.

Files of the official split of agreed labels: ``task_informative_text_img_agreed_lab_SPLIT.tsv`` and
``task_humanitarian_text_img_agreed_lab_SPLIT.tsv`` (those of all labels, without ``_agreed_lab``, do too), with
the columns event_name, tweet_id, image_id, tweet_text, image, label, label_text, label_image, label_text_image;
pictures are named below ``CrisisMMD_v2.0``. One row:

    hurricane_irma  905274232590004225  905274232590004225_0  RT @x: Damage in …  data_image/…jpg
    infrastructure_and_utility_damage  …

Three tasks: informative or not; humanitarian categories; the same with rare categories merged into similar ones
(Ofli, Alam and Imran, 2020). The corpus is the posts of the training split, texts and pictures without labels;
ingestion describes the pictures (``--vlm``, ``--pixels``).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.choices import choice_tags, qcm

TaskName = Literal["informative", "humanitarian", "merged"]

INFORMATIVE = ("informative", "not_informative")
MERGED = (
    "affected_individuals", "rescue_volunteering_or_donation_effort", "infrastructure_and_utility_damage",
    "other_relevant_information", "not_humanitarian",
)  # fmt: skip
MERGED_INTO = {
    "injured_or_dead_people": "affected_individuals",
    "missing_or_found_people": "affected_individuals",
    "vehicle_damage": "infrastructure_and_utility_damage",
}
HUMANITARIAN = (*MERGED, *MERGED_INTO)
CLASSES: dict[TaskName, tuple[str, ...]] = {"informative": INFORMATIVE, "humanitarian": HUMANITARIAN, "merged": MERGED}
QUESTIONS: dict[TaskName, str] = {
    "informative": "Is the following social media post informative for humanitarian aid?",
    "humanitarian": "Which humanitarian category does the following social media post belong to?",
    "merged": "Which humanitarian category does the following social media post belong to?",
}
_COLUMNS = ("event_name", "image_id", "tweet_text", "image", "label")
_FOLDERS = ("", "crisismmd_datasplit_agreed_label", "crisismmd_datasplit_all")


def write_crisismmd(source: Path, writer: BundleWriter, split: str, *, task: TaskName) -> None:
    """Write the posts of the training split, and the questions of a split (train, dev, test).

    Raises:
        FormatError: a file or column is missing, or a label is none of the task's.
    """
    split = "dev" if split == "val" else split
    for number, row, _ in _rows(source, "train", task, optional=True):
        _write_post(source, writer, row, number)
    for number, row, file in _rows(source, split, task):
        _write_question(source, writer, row, number, file, task)


def _rows(
    source: Path, split: str, task: TaskName, *, optional: bool = False
) -> Iterator[tuple[int, dict[str, str], Path]]:
    kind = "informative" if task == "informative" else "humanitarian"
    names = [f"task_{kind}_text_img_agreed_lab_{split}.tsv", f"task_{kind}_text_img_{split}.tsv"]
    places = [source / folder / name for folder in _FOLDERS for name in names]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        if optional:
            return
        raise FormatError(source, None, f"has none of the files {' and '.join(names)}")
    with file.open(encoding="utf-8", newline="") as text:
        # Posts contain unbalanced quotation marks.
        reader = csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE)
        if lacking := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
            raise FormatError(file, 1, f"lacks the column {lacking[0]!r}")
        for number, row in enumerate(reader, start=2):
            if any(row[name] is None for name in _COLUMNS):
                raise FormatError(file, number, f"has fewer than {len(reader.fieldnames or ())} columns")
            yield number, row, file


def _write_post(source: Path, writer: BundleWriter, row: dict[str, str], number: int) -> None:
    event = _words(row["event_name"])
    writer.document(f"event:{row['event_name']}", event.capitalize())
    if row["tweet_text"].strip():
        writer.text(
            f"post:{row['image_id']}", f"event:{row['event_name']}", row["tweet_text"].strip(), position=2 * number
        )
    if picture := _picture(source, row["image"]):
        # The post is the picture's caption, and its neighbor in the document.
        words = {"title": event.capitalize(), "caption": row["tweet_text"].strip()}
        writer.image(
            f"picture:{row['image_id']}", f"event:{row['event_name']}", words, picture, position=2 * number + 1
        )


def _write_question(
    source: Path, writer: BundleWriter, row: dict[str, str], number: int, file: Path, task: TaskName
) -> None:
    classes = CLASSES[task]
    label = MERGED_INTO.get(row["label"], row["label"]) if task == "merged" else row["label"]
    if label not in classes:
        raise FormatError(file, number, f"has the label {row['label']!r}; labels are {', '.join(classes)}")
    options = [_words(name) for name in classes]
    writer.question(
        {
            "id": row["image_id"],
            "question": qcm(QUESTIONS[task], f"{_words(row['event_name'])}: {row['tweet_text']}", options),
            "image": writer.question_picture(_picture(source, row["image"])),
            "answers": [_words(label)],
            "gold": [],
            "hops": 0,
            "tags": {**choice_tags(options, classes.index(label)), "event": row["event_name"]},
        }
    )


def _picture(source: Path, name: str) -> Path | None:
    """Return a picture of the release; None for a path that leaves it."""
    for place in (source / name, source / "CrisisMMD_v2.0" / name, source.parent / "CrisisMMD_v2.0" / name):
        if place.is_file() and place.resolve().is_relative_to(source.parent.resolve()):
            return place
    return None


def _words(label: str) -> str:
    return label.replace("_", " ")
