"""Read the labelled questions that train and measure the router of the VQA planner."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.rules.vqa_planner.router import NEEDS, Need

HELD_OUT = 5
_WORD = re.compile(r"\w+")
_FAMILY_WORDS = 200
_EXERCISES = ("Review Questions", "Thought Questions", "Figuring for Yourself")
_EXERCISE_CHARACTERS = 400
"""Longer exercises describe projects, which are no questions for an assistant (ours)."""


@dataclass(frozen=True)
class Labelled:
    """A question with its need.

    Args:
        source: data set; questions of one source are written alike.
        has_picture: whether it has a picture.
    """

    id: str
    question: str
    need: Need
    source: str = ""
    has_picture: bool = False

    @property
    def family(self) -> str:
        """Words without names and numbers, the same for questions of one template."""
        return " ".join(word for word in _WORD.findall(self.question)[:_FAMILY_WORDS] if word.islower())


def read_questions(file: Path) -> list[Labelled]:
    """Read the labelled questions of a file, each id once. ``source`` defaults to the label.

    Raises:
        ValueError: a line is not a labelled question; names it.
    """
    read: dict[str, Labelled] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            key, question, label = str(entry["id"]), str(entry["question"]), entry["label"]
            source = str(entry.get("source") or label)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{file}, line {number}: expected id, question and label, got {line[:80]!r}") from error
        if label not in NEEDS:
            raise ValueError(f"{file}, line {number}: the label is {label!r}; it must be one of {list(NEEDS)}")
        read.setdefault(key, Labelled(key, question, label, source))
    return list(read.values())


def read_corpora(folder: Path) -> list[Labelled]:
    """Read the questions of WebQA, MMLU (routing), OTT-QA, ScienceQA and OpenStax from their bundles.

    OTT-QA's need a text. ScienceQA's need nothing, as they contain their context. The exercises of OpenStax, which its
    pages answer, need a text.

    Raises:
        OSError: a bundle is missing.
        ValueError: a bundle has another layout.
    """
    named = {"none": "MMLU", "image": "WebQA image", "text": "WebQA text"}
    routing = read_questions(folder / "routing" / "questions.jsonl")
    found = [Labelled(one.id, one.question, one.need, named[one.need]) for one in routing]
    for entry in _lines(folder / "ottqa" / "questions.jsonl"):
        found.append(Labelled(f"ottqa:{entry['id']}", entry["question"], "text", "OTT-QA"))
    for entry in _lines(folder / "scienceqa" / "minitest.jsonl"):
        picture = entry["image"] is not None
        found.append(Labelled(f"scienceqa:{entry['id']}", entry["question"], "none", "ScienceQA", picture))
    for entry in _lines(folder / "openstax" / "components.jsonl.gz"):
        text = entry.get("text") or ""
        if entry["section"] in _EXERCISES and "?" in text and len(text) <= _EXERCISE_CHARACTERS:
            found.append(Labelled(f"openstax:{entry['id']}", text, "text", "OpenStax"))
    return found


def held_out(question: Labelled) -> bool:
    """Return whether it belongs to the fifth that is only used for measuring."""
    return draw(question.id, "held out") % HELD_OUT == 0


def draw(key: str, purpose: str) -> int:
    """Return a deterministic pseudo-random number."""
    return int.from_bytes(hashlib.sha256(f"{purpose}:{key}".encode()).digest()[:4], "big")


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    opener = gzip.open if file.suffix == ".gz" else open
    with opener(file, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ValueError(f"{file}, line {number}: {error}") from error
