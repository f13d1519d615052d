"""Mix of the VQA planning agent (4.1.3): 100 questions drawn from each of its benchmarks.

Which were drawn is not published, and one part is internal to the authors. This draws its own from what
``backtrail bundle`` made of the others: RELEASE is the folder that holds their bundles (``$BACKTRAIL_DATA``), those of
``lifevqa``, ``dynvqa`` (100 of each language), ``visual7w`` and ``nocaps``; one that is missing is left out, and its
absence told by the counts. The same questions give the same draw. Each keeps its tags; ``part`` says where it is from.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import read_json_lines

EACH, SEED = 100, 20_260_101
PARTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("lifevqa", {}), ("dynvqa", {"language": "zh"}), ("dynvqa", {"language": "en"}), ("visual7w", {}), ("nocaps", {}),
)  # fmt: skip


def write_vqamix(source: Path, writer: BundleWriter, split: str) -> None:
    """The draw; there is one split.

    Raises:
        FormatError: none of the bundles is there.
    """
    drawn = 0
    for name, tags in PARTS:
        file = source / name / "questions.jsonl"
        if not file.is_file():
            continue
        held = [line for _, line in read_json_lines(file) if tags.items() <= line.get("tags", {}).items()]
        part = "-".join([name, *tags.values()])
        for line in _drawn(held, part):
            drawn += 1
            writer.question(_taken(line, part, file.parent, writer))
    if not drawn:
        named = ", ".join(dict.fromkeys(name for name, _ in PARTS))
        raise FormatError(source, None, f"holds none of the bundles {named}; make them with backtrail bundle first")


def _drawn(lines: list[dict[str, Any]], part: str) -> list[dict[str, Any]]:
    by_id = sorted(lines, key=lambda line: json.dumps(line["id"]))
    return random.Random(f"{SEED} {part}").sample(by_id, min(EACH, len(by_id)))


def _taken(line: dict[str, Any], part: str, folder: Path, writer: BundleWriter) -> dict[str, Any]:
    picture = (folder / str(line["image"])).resolve() if line.get("image") else None
    inside = picture if picture is not None and picture.is_relative_to(folder.resolve()) else None
    image = writer.question_picture(inside) if line.get("image") else None
    return {**line, "id": f"{part}/{line['id']}", "image": image, "tags": {**line.get("tags", {}), "part": part}}
