"""Visual7W telling (Zhu et al., CVPR 2016): what, where, when, who, why, how about COCO pictures.

File ``dataset_v7w_telling.json`` (or ``dataset.json``) and the pictures below ``images/``. One picture:

    {"image_id": 2, "filename": "v7w_2.jpg", "split": "train",
     "qa_pairs": [{"qa_id": 200, "image_id": 2, "type": "where", "question": "Where are the people?",
                   "answer": "Sidewalk.", "multiple_choices": ["Hotel.", "Restaurant.", "Office."]}]}

Questions are open, as in the VQA planning agent; the options are kept in the tag ``offered``.
"""

from __future__ import annotations

from pathlib import Path

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json
from backtrail.evals.formats.pictures import QuestionPictures, texts


def write_visual7w(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the questions of a split (train, val, test).

    Raises:
        FormatError: the file or a field is missing, or no picture belongs to the split.
    """
    split = "val" if split == "dev" else split
    file = found(source, "dataset_v7w_telling.json", "dataset.json", "visual7w-telling/dataset.json")
    pictures = QuestionPictures(source, ("images",), [], download=False)
    entries = [entry for entry in field(read_json(file), "images", file, None) if entry.get("split") == split]
    if not entries:
        raise FormatError(file, None, f"has no picture of the split {split!r}; there are train, val, test")
    for entry in entries:
        for pair in entry.get("qa_pairs", []):
            id_ = str(field(pair, "qa_id", file, None))
            image, held = pictures.place(writer, id_, str(field(entry, "filename", file, None)))
            answer = str(field(pair, "answer", file, None)).strip()
            writer.question(
                {
                    "id": id_,
                    "question": str(field(pair, "question", file, None)),
                    "image": image,
                    "answers": texts([answer.removesuffix("."), answer]),
                    "gold": [],
                    "hops": 0,
                    "tags": {
                        "type": str(pair.get("type", "")),
                        "offered": texts(pair.get("multiple_choices") or []),
                        "official": answer,
                        "picture": held,
                    },
                }
            )
