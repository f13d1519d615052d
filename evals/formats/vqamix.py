"""Mix of the VQA planning agent (4.1.3): a sample of 100 questions of each of its benchmarks.

The authors' sample is not published, and one part is internal. This one is ours, from the bundles of the others:
RELEASE is the folder of the bundles (``$BACKTRAIL_DATA``) of ``lifevqa``, ``dynvqa`` (100 of each language),
``visual7w`` and ``nocaps``; a missing one is left out, as the counts show. The sample is deterministic. Questions keep
their tags; ``part`` names the benchmark.
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
    """Write the sample; there is one split.

    Raises:
        FormatError: there is none of the bundles.
    """
    drawn = 0
    for name, tags in PARTS:
        file = source / name / "questions.jsonl"
        if not file.is_file():
            continue
        lines = [line for _, line in read_json_lines(file) if tags.items() <= line.get("tags", {}).items()]
        part = "-".join([name, *tags.values()])
        for line in _drawn(lines, part):
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
