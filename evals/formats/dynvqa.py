"""Dyn-VQA, the official release (Li et al., ICLR 2025, OmniSearch): dynamic questions about pictures.

Files such as ``DynVQA_en.202412.jsonl``, one per version, in ``dataset/DynVQA_en/`` and ``dataset/DynVQA_zh/``; in
earlier releases ``DynVQA_en.jsonl`` and ``DynVQA_zh.jsonl``, in ``dataset/`` or beside it. Versions differ in answers:
202406 to 202412 have 715 and 737 questions, 202502 has 706 and 720. One row (202502 corrected the misspelt key):

    {"image_url": "https://…/image_1.jpeg", "question": "What is the name of his third child?", "question_id": "en1",
     "answer": ["莱昂纳多·迪卡普里奥没有任何孩子。", "Leonardo DiCaprio does not have any children."],
     "gloden_query": "What is the name of Leonardo DiCaprio's third child?"}

Pictures are named by URL or by a path in the release. Files under ``images/`` take precedence over downloads. There is
no corpus: methods search the web, or a corpus in its place.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.pictures import QuestionPictures, texts

LANGUAGES = {"en": ("en",), "zh": ("zh",), "ch": ("zh",), "dev": ("en", "zh"), "test": ("en", "zh")}
"""Languages by split: the release has languages as splits; dev and test mean both."""
_VERSION = re.compile(r"DynVQA_[a-z]+\.(\d+)\.jsonl(?:\.gz)?")


def write_dynvqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the questions of a language (en, zh) or both (test), newest version or one: ``en.202412``.

    Raises:
        FormatError: there is no such split or version, a file is missing, or a line lacks a field.
    """
    name, _, version = split.partition(".")
    if name not in LANGUAGES:
        raise FormatError(source, None, f"has no split {split!r}; there are en, zh, and test for both")
    for language in LANGUAGES[name]:
        file = _file(source, language, version)
        lines = list(read_json_lines(file))
        named = [_named(line, file, number) for number, line in lines]
        pictures = QuestionPictures(source, ("images", "dataset"), named, download=writer.download)
        for (number, line), name in zip(lines, named, strict=True):
            writer.question(_question(line, name, pictures, writer, language, file, number))


def _file(source: Path, language: str, version: str) -> Path:
    """Return the file of a language: of the given version, else the newest, else the one without a version."""
    own = f"DynVQA_{language}"
    versions = {
        dated[1]: file
        for folder in (source / "dataset" / own, source / own, source)
        for file in sorted(folder.glob(f"{own}.*.jsonl*"))
        if (dated := _VERSION.fullmatch(file.name))
    }
    if version and version not in versions:
        raise FormatError(source, None, f"has no version {version!r} of {own}; there are {', '.join(sorted(versions))}")
    if versions:
        return versions[version or max(versions)]
    return found(source, f"dataset/{own}.jsonl", f"{own}.jsonl", f"dataset/{own}/{own}.202412.jsonl")


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
