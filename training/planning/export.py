"""Export the rows of trajectories: deduplicated, balanced by action, split by families."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from backtrail.nodes.reading.pictures import mime_of
from backtrail.state.cogplanner.settings import Paradigm
from backtrail.state.planned_search import SearchAction
from backtrail.state.settings import Settings
from backtrail.tools.atomic_file import write_atomically
from backtrail.training.annotate.balance import place_of
from backtrail.training.annotate.export import TRAIN, VALIDATION
from backtrail.training.errors import SampleError
from backtrail.training.json_lines import write_lines
from backtrail.training.planning.rows import PlanningRow, rows_of
from backtrail.training.planning.trajectory import Trajectory

ACTIONS: tuple[str, ...] = get_args(SearchAction)
_SUFFIX = {"image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/jpeg": "jpg"}


@dataclass(frozen=True)
class Terms:
    """Options of the sample.

    Args:
        counts: maximum number of choices of an action; all where it is not named.
        validation: share of rows for validation.
    """

    paradigm: Paradigm = "sequential"
    counts: Mapping[str, int] | None = None
    seed: int = 42
    validation: float = 0.02


@dataclass(frozen=True)
class Exported:
    """Counts of choices by action and of queries in either file, and of rows left out by reason."""

    folder: Path
    train: dict[str, int]
    validation: dict[str, int]
    left_out: dict[str, int]


@dataclass(frozen=True)
class _Kept:
    id: str
    kind: str
    action: str
    family: str
    question: str
    row: dict[str, Any]

    @property
    def reply(self) -> str:
        return str(self.row["messages"][-1]["content"][0]["text"])


def export(courses: Iterable[Trajectory], folder: Path, settings: Settings, terms: Terms) -> Exported:
    """Write ``train.jsonl``, ``validation.jsonl``, ``pictures/`` and ``export.json``.

    Raises:
        SampleError: the folder holds something else, or nothing is left to train on.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "export.json").is_file():
        raise SampleError(f"{folder} is not empty and holds no export. Name a new folder.")
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    families, rows = _Families(), list[_Kept]()
    for course in courses:
        family = families.of(course)
        rows += [_kept(row, family, folder) for row in rows_of(course, settings, terms.paradigm)]
    left_out: Counter[str] = Counter()
    drawn = _balanced(_distinct(rows, left_out), terms, left_out)
    held_back = _held_back(drawn, families, terms)
    sides = {
        TRAIN: [one for one in drawn if one.id not in held_back],
        VALIDATION: [one for one in drawn if one.id in held_back],
    }
    if not sides[TRAIN]:
        raise SampleError(f"None of {len(rows)} rows is left to train on. Add more sources, or lower --validation.")
    for name, chosen in sides.items():
        write_lines(folder / name, (json.dumps(one.row, ensure_ascii=False) for one in chosen))
    sizes = {name: _counted(chosen) for name, chosen in sides.items()}
    about = {"paradigm": terms.paradigm, "counts": dict(terms.counts or {}), "seed": terms.seed,
             "validation": terms.validation, "rows": sizes, "left_out": dict(left_out)}  # fmt: skip
    write_lines(folder / "export.json", [json.dumps(about, indent=2, ensure_ascii=False)])
    return Exported(folder, sizes[TRAIN], sizes[VALIDATION], dict(left_out))


def _kept(row: PlanningRow, family: str, folder: Path) -> _Kept:
    written = row.written([_placed(content, folder) for content in row.pictures])
    asked = json.dumps(written["messages"][:-1], ensure_ascii=False)
    return _Kept(row.id, row.kind, row.action, family, hashlib.sha256(asked.encode()).hexdigest(), written)


def _placed(content: bytes, folder: Path) -> str:
    """Put a picture into the export under its hash."""
    name = f"pictures/{hashlib.sha256(content).hexdigest()}.{_SUFFIX[mime_of(content)]}"
    target = folder / name
    if not target.exists():
        write_atomically(target, content)
    return name


def _distinct(rows: Sequence[_Kept], left_out: Counter[str]) -> list[_Kept]:
    """Return each request once, without those with different replies."""
    found: dict[str, list[_Kept]] = {}
    for one in rows:
        found.setdefault(one.question, []).append(one)
    kept: list[_Kept] = []
    for same in found.values():
        if len({one.reply for one in same}) > 1:
            left_out["same request as another, with another reply"] += len(same)
            continue
        kept.append(same[0])
        left_out["same request and reply as another"] += len(same) - 1
    return kept


def _balanced(rows: Sequence[_Kept], terms: Terms, left_out: Counter[str]) -> list[_Kept]:
    """Draw at most ``terms.counts`` choices of each action, and all queries, shuffled."""
    drawn = [one for one in rows if one.kind != "route"]
    for action in ACTIONS:
        own = sorted((one for one in rows if one.kind == "route" and one.action == action), key=_by_lot(terms.seed))
        most = (terms.counts or {}).get(action, len(own))
        left_out[f"above the count of {action!r}"] += max(0, len(own) - most)
        drawn += own[:most]
    for reason in [reason for reason, count in left_out.items() if not count]:
        del left_out[reason]
    return sorted(drawn, key=lambda one: place_of(f"mixed:{one.id}", terms.seed))


def _by_lot(seed: int) -> Any:
    return lambda one: place_of(one.id, seed)


class _Families:
    """Families of related trajectories: with the same picture, subject, words or queries, transitively."""

    def __init__(self) -> None:
        self._leader: dict[str, str] = {}

    def of(self, course: Trajectory) -> str:
        """Add a trajectory; return its id, from which ``first`` gives the family once all are added."""
        self._leader.setdefault(course.id, course.id)
        for mark in _marks(course):
            first, second = sorted((self.first(self._leader.setdefault(mark, mark)), self.first(course.id)))
            self._leader[second] = first
        return course.id

    def first(self, name: str) -> str:
        """Return the family of a trajectory."""
        while self._leader[name] != name:
            self._leader[name] = self._leader[self._leader[name]]
            name = self._leader[name]
        return name


def _marks(course: Trajectory) -> Iterable[str]:
    if course.picture is not None:
        yield f"picture:{hashlib.sha256(course.picture).hexdigest()}"
    else:
        yield f"words:{_words(course.question)}"
    if course.entity.strip():
        yield f"entity:{_words(course.entity)}"
    for one in course.rounds:
        for query in one["queries"]:
            yield f"query:{_words(query)}"


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _held_back(rows: Sequence[_Kept], families: _Families, terms: Terms) -> set[str]:
    """Return the ids of a random share of rows, drawn in whole families."""
    members: dict[str, list[str]] = {}
    for one in rows:
        members.setdefault(families.first(one.family), []).append(one.id)
    drawn: set[str] = set()
    for name in sorted(members, key=lambda one: place_of(f"validation:{one}", terms.seed)):
        if len(drawn) >= terms.validation * len(rows):
            break
        drawn.update(members[name])
    return drawn


def _counted(rows: Sequence[_Kept]) -> dict[str, int]:
    counts = {action: sum(1 for one in rows if one.kind == "route" and one.action == action) for action in ACTIONS}
    return {**counts, "queries": sum(1 for one in rows if one.kind == "reformulate")}
