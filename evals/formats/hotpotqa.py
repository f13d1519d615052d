"""HotpotQA (Yang et al., EMNLP 2018; CC BY-SA 4.0), and 2WikiMultihopQA (Ho et al., COLING 2020).

Files ``hotpot_dev_distractor_v1.json``, ``hotpot_dev_fullwiki_v1.json`` or ``hotpot_train_v1.1.json``; of 2Wiki
``dev.json``, ``train.json``, ``test.json``. One row:

    {"_id": "5a8b57f2…", "question": "Were A and B of the same nationality?", "answer": "yes", "type": "comparison",
     "level": "hard", "supporting_facts": [["A", 0], ["B", 0]],
     "context": [["A", ["A was an American director.", " He …"]], ["B", ["…"]]]}

The corpus is the paragraphs of all questions, each once. Gold is the paragraphs with supporting facts.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json

_HOTPOT = {
    "dev": ("hotpot_dev_distractor_v1.json", "hotpot_dev_fullwiki_v1.json"),
    "fullwiki": ("hotpot_dev_fullwiki_v1.json",),
    "train": ("hotpot_train_v1.1.json",),
    "test": ("hotpot_test_fullwiki_v1.json",),
}


def write_hotpotqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write paragraphs and questions of a split (dev with distractors, fullwiki, train, test).

    Raises:
        FormatError: there is no such split, the file is missing, or a row lacks a field.
    """
    split = "dev" if split == "val" else split
    if split not in _HOTPOT:
        raise FormatError(source, None, f"has no split {split!r}; there are {', '.join(_HOTPOT)}")
    _write(found(source, *_HOTPOT[split]), writer)


def write_2wiki(source: Path, writer: BundleWriter, split: str) -> None:
    """Write paragraphs and questions of a split (dev, train, test).

    Raises:
        FormatError: the file is missing, or a row lacks a field.
    """
    split = "dev" if split == "val" else split
    _write(found(source, f"{split}.json", f"data/{split}.json", f"data_ids/{split}.json"), writer)


def _write(file: Path, writer: BundleWriter) -> None:
    for row in read_json(file):
        places: dict[str, str] = {}
        for title, sentences in field(row, "context", file, None):
            places.setdefault(str(title), paragraph(writer, str(title), "".join(_spaced(sentences))))
        facts = [str(title) for title, *_ in row.get("supporting_facts") or []]
        gold = [places[title] for title in dict.fromkeys(facts) if title in places]
        answer = str(row.get("answer") or "")
        writer.question(
            {
                "id": str(field(row, "_id", file, None)),
                "question": str(field(row, "question", file, None)),
                "image": None,
                "answers": [answer] if answer else [],
                "gold": [[component] for component in gold],
                "hops": len(gold),
                "tags": _tags(row, len(dict.fromkeys(facts)) - len(gold)),
            }
        )


def _tags(row: dict[str, Any], lost: int) -> dict[str, Any]:
    """Return the tags; ``lost`` counts gold paragraphs that the row does not contain, as in the full-wiki setting."""
    named = {name: str(row[name]) for name in ("type", "level") if row.get(name)}
    return {**named, **({"gold_lost": lost} if lost else {})}


def paragraph(writer: BundleWriter, title: str, text: str) -> str:
    """Write a paragraph under the document of its title, once; return its component id."""
    digest = hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()
    id_ = f"text:{digest[:16]}"
    if not writer.has(id_):
        writer.document(title, title)
        writer.text(id_, title, text)
    return id_


def _spaced(sentences: list[str]) -> list[str]:
    """Add the missing spaces between sentences: those of HotpotQA begin with one, those of 2Wiki not always."""
    return [
        sentence if place == 0 or sentence[:1].isspace() else f" {sentence}" for place, sentence in enumerate(sentences)
    ]
