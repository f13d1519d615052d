"""Dyn-VQA, the official release (Li et al., ICLR 2025, OmniSearch): dynamic questions about pictures.

Files ``DynVQA_en.jsonl`` and ``DynVQA_zh.jsonl``, in ``dataset/`` or beside it. One row (its typing error too):

    {"image_url": "https://…/image_1.jpeg", "question": "What is the name of his third child?", "question_id": "en1",
     "answer": ["莱昂纳多·迪卡普里奥没有任何孩子。", "Leonardo DiCaprio does not have any children."],
     "gloden_query": "What is the name of Leonardo DiCaprio's third child?"}

Pictures are named by URL; a path in the release does too. Files under ``images/`` go before any download. There is
no corpus: the web is searched, or any corpus that stands for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.pictures import QuestionPictures, texts

LANGUAGES = {"en": ("en",), "zh": ("zh",), "ch": ("zh",), "dev": ("en", "zh"), "test": ("en", "zh")}
"""The release has languages for splits; a split asked for by another name means both."""


def write_dynvqa(source: Path, writer: BundleWriter, split: str) -> None:
    """The questions of a language (en, zh), or of both (test).

    Raises:
        FormatError: there is no such split, a file is missing, or a line lacks what it needs.
    """
    if split not in LANGUAGES:
        raise FormatError(source, None, f"has no split {split!r}; there are en, zh, and test for both")
    for language in LANGUAGES[split]:
        file = found(source, f"dataset/DynVQA_{language}.jsonl", f"DynVQA_{language}.jsonl")
        lines = list(read_json_lines(file))
        named = [_named(line, file, number) for number, line in lines]
        pictures = QuestionPictures(source, ("images", "dataset"), named, download=writer.download)
        for (number, line), name in zip(lines, named, strict=True):
            writer.question(_question(line, name, pictures, writer, language, file, number))


def _named(line: dict[str, Any], file: Path, number: int) -> str:
    name = line["image"] if "image" in line else field(line, "image_url", file, number)
    return str(name or "")


def _question(
    line: dict[str, Any],
    picture: str,
    pictures: QuestionPictures,
    writer: BundleWriter,
    language: str,
    file: Path,
    number: int,
) -> dict[str, Any]:
    id_ = str(field(line, "question_id", file, number))
    image, held = pictures.place(writer, id_, picture)
    written = line.get("gloden_query") or line.get("golden_query")
    return {
        "id": id_ if id_.startswith(language) else f"{language}{id_}",  # earlier versions number both from 1
        "question": str(field(line, "question", file, number)),
        "image": image,
        "answers": texts(field(line, "answer", file, number)),
        "gold": [],
        "hops": 0,
        "tags": {
            "language": language,
            "picture": held,
            "queries": texts(written) if written else [],
            **({"domain": str(line["type"])} if line.get("type") else {}),
        },
    }
