"""Life VQA: 149 everyday questions ("Detecting Knowledge Boundary of …", Chen et al., 2025).

The layout of its release is not available; this one is ours: ``lifevqa.jsonl`` with one record per line, the picture
as a path in the release or a URL:

    {"id": "7", "image": "images/7.jpg", "question": "Which plant is this?", "answer": ["Monstera", "…"]}
"""

from __future__ import annotations

from pathlib import Path

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.pictures import QuestionPictures, texts


def write_lifevqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write all questions; there is one split, whatever its name.

    Raises:
        FormatError: the file is missing, or a line lacks a field.
    """
    del split
    file = found(source, "lifevqa.jsonl")
    lines = list(read_json_lines(file))
    named = [str(line.get("image") or "") for _, line in lines]
    pictures = QuestionPictures(source, ("images",), named, download=writer.download)
    for (number, line), name in zip(lines, named, strict=True):
        id_ = str(field(line, "id", file, number))
        image, held = pictures.place(writer, id_, name)
        writer.question(
            {
                "id": id_,
                "question": str(field(line, "question", file, number)),
                "image": image,
                "answers": texts(field(line, "answer", file, number)),
                "gold": [],
                "hops": 0,
                "tags": {"picture": held},
            }
        )
