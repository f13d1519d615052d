"""Trajectories from CogBench's records (CogPlanner, section 5); layout: ``evals.formats.cogbench``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backtrail.evals.formats.cogbench import ACTIONS
from backtrail.evals.formats.lines import field, read_json_lines
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.images import check_picture
from backtrail.state.cogplanner.memory import Round
from backtrail.state.component import Component, Picture
from backtrail.state.search import SearchKind, SearchRecord
from backtrail.training.errors import RowsError
from backtrail.training.planning.trajectory import Found, Trajectory

TRAIN = "CogBench_train.jsonl"


def cogbench_file(source: Path) -> Path | None:
    """Return the file of records, given it or its folder; None where there is none."""
    file = source / TRAIN if source.is_dir() else source
    return file if file.is_file() else None


def read_courses(file: Path, left_out: dict[str, str]) -> Iterator[Trajectory]:
    """Yield the trajectories of a file; those with an unusable picture go into ``left_out`` by id.

    Raises:
        FormatError: the file cannot be read, or a line lacks a field.
        RowsError: a line has an unknown action, names an unknown document, or has no rounds.
    """
    folder = file.resolve().parent
    for number, line in read_json_lines(file):
        id_ = f"{file.stem}:{field(line, 'id', file, number)}"
        picture = None
        if line.get("image"):
            picture = _picture(folder, str(line["image"]))
            if picture is None:
                left_out[id_] = f"the picture {line['image']!r} cannot be used"
                continue
        contents, ids = _contents(folder, line, file, number)
        rounds, searches = _rounds(line, ids, picture is not None, file, number)
        entity = str(line.get("entity") or "")
        yield Trajectory(
            id_, str(field(line, "question", file, number)), picture, tuple(rounds), tuple(searches), contents, entity
        )


def _contents(folder: Path, line: dict[str, Any], file: Path, number: int) -> tuple[Found, dict[str, list[str]]]:
    """Return the documents as components, and the component ids of each document."""
    components: dict[str, Component] = {}
    titles: dict[str, str] = {}
    pictures: dict[str, bytes] = {}
    ids: dict[str, list[str]] = {}
    for document in line.get("documents", []):
        own = str(field(document, "id", file, number))
        key = str(document.get("url") or own)
        titles[key] = title = str(document.get("title") or "")
        made: list[Component] = []
        if document.get("text"):
            made.append(Component(id=f"{key}#text", document=key, position=0, modality="text", text=document["text"]))
        if document.get("image"):
            content = _picture(folder, str(document["image"]))
            blob = hashlib.sha256(content).hexdigest() if content else None
            if blob and content:
                pictures[blob] = content
            shown = Picture(blob=blob, title=title, caption=str(document.get("caption") or ""))
            made.append(Component(id=f"{key}#image", document=key, position=1, modality="image", image=shown))
        components |= {one.id: one for one in made}
        ids[own] = [one.id for one in made]
    return Found(components, titles, pictures), ids


def _rounds(
    line: dict[str, Any], ids: dict[str, list[str]], pictured: bool, file: Path, number: int
) -> tuple[list[Round], list[SearchRecord]]:
    """Return the rounds, and one search of each, as records do not say which query found which document."""
    rounds: list[Round] = []
    searches: list[SearchRecord] = []
    by_picture = pictured  # the first image search uses the question's picture
    for index, one in enumerate(line.get("rounds", []), start=1):
        action, queries = one.get("action"), [str(query) for query in one.get("queries", []) if str(query).strip()]
        if action not in ACTIONS:
            raise RowsError(file, number, f"has the action {action!r}; actions are {', '.join(ACTIONS)}")
        if strangers := [name for name in one.get("documents", []) if name not in ids]:
            raise RowsError(file, number, f"names the document {strangers[0]!r}, which it does not hold")
        found = [id_ for name in one.get("documents", []) for id_ in ids[name]]
        rounds.append(Round(index=index, queries=queries, action=action, found=found, why=str(one.get("why") or "")))
        if action == "no search":
            continue
        kind: SearchKind = "text" if action == "text search" else "image-by-picture" if by_picture else "image-by-text"
        by_picture = by_picture and action != "image search"
        searches.append(
            SearchRecord(
                id=f"{index}", round=index, kind=kind, query="; ".join(queries), found=found, requests=0, seconds=0.0,
                outcome="found" if found else "empty", reason="" if found else "nothing was found",
            )
        )  # fmt: skip
    if not rounds:
        raise RowsError(file, number, "has no rounds")
    return rounds, searches


def _picture(folder: Path, name: str) -> bytes | None:
    """Return a picture of the release; None for an unusable one or a path that leaves it."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        return None
    try:
        check_picture(path)
        return path.read_bytes()
    except (UnreadableSource, OSError):
        return None
