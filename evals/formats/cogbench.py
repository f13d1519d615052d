"""CogBench (Yu et al., SIGIR-AP 2025, CogPlanner 5): questions with all rounds of their planning.

The data is not public. The layout is ours, after the paper's description of a record (5.2): files
``CogBench_train.jsonl`` and ``CogBench_test.jsonl``, pictures anywhere in the folder. One row:

    {"id": "cb-17", "question": "Which sold more, this game or its predecessor?", "image": "images/17.jpg",
     "domain": "games", "steps": 3, "open_ended": false, "answer": "Astro Bot sold …",
     "rounds": [{"queries": ["Which game is this?"], "action": "image search", "documents": ["d1"]},
                {"queries": ["How many copies …", "…"], "action": "text search", "documents": ["d2", "d3"]},
                {"queries": ["…"], "action": "no search", "documents": []}],
     "documents": [{"id": "d1", "title": "Astro Bot", "url": "https://…", "image": "images/d1.png",
                    "caption": "…"}, {"id": "d2", "title": "…", "url": "https://…", "text": "…"}]}

The documents that the annotators' searches retrieved are the corpus, in place of the web. They are not gold: the paper
defines none. Runs are compared with the queries of the last round.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines
from backtrail.evals.formats.pictures import QuestionPictures, texts
from backtrail.state.planned_search import SearchAction

ACTIONS: tuple[str, ...] = get_args(SearchAction)


def write_cogbench(source: Path, writer: BundleWriter, split: str) -> None:
    """Write the documents and questions of a split (train, test).

    Raises:
        FormatError: the file is missing, or a line lacks a field or names an unknown action or document.
    """
    file = found(source, f"CogBench_{'test' if split == 'dev' else split}.jsonl")
    lines = list(read_json_lines(file))
    named = [str(line["image"]) for _, line in lines if line.get("image")]
    pictures = QuestionPictures(source, ("images",), named, download=writer.download)
    for number, line in lines:
        id_ = str(field(line, "id", file, number))
        own = [_write_document(id_, document, source, writer, file, number) for document in line.get("documents", [])]
        image, kept = pictures.place(writer, id_, str(line.get("image") or ""))
        writer.question(_question(id_, line, set(own), image, kept, file, number))


def _write_document(
    question: str, document: dict[str, Any], source: Path, writer: BundleWriter, file: Path, number: int
) -> str:
    """Write a page or picture, identified by its URL, as each record numbers its own documents; return its number."""
    own = str(field(document, "id", file, number))
    key = str(document.get("url") or f"{question}/{own}")
    title = str(document.get("title") or "")
    writer.document(key, title, str(document.get("url") or ""))
    if document.get("text"):
        writer.text(f"{key}#text", key, str(document["text"]))
    if document.get("image") and not writer.has(f"{key}#image"):
        words = {"title": title, "caption": str(document.get("caption") or "")}
        writer.image(f"{key}#image", key, words, _inside(source, str(document["image"])), position=1)
    if not document.get("text") and not document.get("image"):
        raise FormatError(file, number, f"has a document {own!r} with neither text nor image")
    return own


def _question(
    id_: str, line: dict[str, Any], documents: set[str], image: str | None, kept: str, file: Path, number: int
) -> dict[str, Any]:
    rounds = line.get("rounds", [])
    for one in rounds:
        if one.get("action") not in ACTIONS:
            raise FormatError(file, number, f"has the action {one.get('action')!r}; actions are {', '.join(ACTIONS)}")
        if strangers := [document for document in one.get("documents", []) if document not in documents]:
            raise FormatError(file, number, f"names the document {strangers[0]!r}, which it does not hold")
    steps = line.get("steps", 0)
    if not isinstance(steps, int) or steps < 0:
        raise FormatError(file, number, f"has {steps!r} steps; a whole number is expected")
    return {
        "id": id_,
        "question": str(field(line, "question", file, number)),
        "image": image,
        "answers": texts(field(line, "answer", file, number)),
        "gold": [],
        "hops": steps,
        "tags": {
            "domain": str(line.get("domain") or ""),
            "steps": "" if not steps else str(steps) if steps <= 2 else ">2",
            "form": "open" if line.get("open_ended") else "closed",
            "picture": kept,
            "actions": [one["action"] for one in rounds],
            "queries": texts(rounds[-1].get("queries", [])) if rounds else [],
        },
    }


def _inside(source: Path, name: str) -> Path | None:
    """Return a picture of the release; None for a path that leaves it."""
    file = (source / name).resolve()
    return file if file.is_relative_to(source.resolve()) else None
