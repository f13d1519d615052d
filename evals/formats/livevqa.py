"""LiveVQA, official release (Fu et al., 2025): two questions per picture of news, videos and papers.

Files ``News/benchmark.json``, ``Video/benchmark.json``, ``Paper/benchmark.json``, at the top or in
``liveVQA_benchmarks/``, with pictures in ``News_imgs/``, ``Video_images/``, ``Paper_images/`` beside them. One entry:

    {"id": "0_2025…", "img_path": "bbc_9cae….png", "source": "BBC Health", "time": "2025-04-29T05:19:56.004Z",
     "level1_qa": {"question": "… who is performing on stage?", "question_type": "person",
                   "options": ["A. Dave Smith", "B. John Williams", …], "Ground_Truth": "A",
                   "Ground_Truth_List": ["Dave Smith", "Mr Smith"], "img_path": "…", "img_url": "https://…"},
     "level2_qa": {…}}

Level 1 asks what the picture shows, level 2 is a follow-up. As in the official evaluation the questions are open,
without their options, which are kept in the tags. There is no corpus: methods search the web.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json
from backtrail.evals.formats.pictures import QuestionPictures, texts

PARTS = {"news": ("News", "News_imgs"), "video": ("Video", "Video_images"), "paper": ("Paper", "Paper_images")}
LEVELS = {1: "level1_qa", 2: "level2_qa"}


def write_livevqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the questions of a part (news, video, paper), or of all (test).

    Raises:
        FormatError: there is no such split, a file is missing, or an entry lacks a field.
    """
    parts = tuple(PARTS) if split in ("dev", "test") else (split,)
    for part in parts:
        if part not in PARTS:
            raise FormatError(source, None, f"has no split {split!r}; there are {', '.join(PARTS)}, and test for all")
        _write_part(source, writer, part)


def _write_part(source: Path, writer: BundleWriter, part: str) -> None:
    folder, images = PARTS[part]
    file = found(source, f"{folder}/benchmark.json", f"liveVQA_benchmarks/{folder}/benchmark.json")
    entries = read_json(file)
    if not isinstance(entries, list):
        raise FormatError(file, None, "is not a list of entries")
    named = [name for entry in entries for qa in _asked(entry).values() for name in _names(entry, qa)]
    pictures = QuestionPictures(file.parent, (images,), named, download=writer.download)
    repeated: Counter[str] = Counter()
    for entry in entries:
        name = f"{part}/{field(entry, 'id', file, None)}"
        repeated[name] += 1
        base = name if repeated[name] == 1 else f"{name}~{repeated[name]}"  # papers have several pictures
        for level, qa in _asked(entry).items():
            id_ = f"{base}/{level}"
            image, held = pictures.place(writer, id_, *_names(entry, qa))
            writer.question(_question(id_, entry, qa, level, part, image, held, file))


def _asked(entry: dict[str, Any]) -> dict[int, dict[str, Any]]:
    return {level: entry[key] for level, key in LEVELS.items() if entry.get(key)}


def _names(entry: dict[str, Any], qa: dict[str, Any]) -> list[str]:
    return [str(name) for name in (qa.get("img_path") or entry.get("img_path"), qa.get("img_url")) if name]


def _question(
    id_: str,
    entry: dict[str, Any],
    qa: dict[str, Any],
    level: int,
    part: str,
    image: str | None,
    held: str,
    file: Path,
) -> dict[str, Any]:
    options = [str(option).partition(". ")[2] or str(option) for option in qa.get("options", [])]
    return {
        "id": id_,
        "question": str(field(qa, "question", file, None)),
        "image": image,
        "answers": texts(field(qa, "Ground_Truth_List", file, None)),
        "gold": [],
        "hops": level,
        "tags": {
            "part": part,
            "level": level,
            "type": str(qa.get("question_type") or ""),
            "source": str(entry.get("source") or ""),
            "time": str(entry.get("time") or ""),
            "picture": held,
            "offered": options,
        },
    }
