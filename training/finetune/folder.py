"""Folder of a training: its run, checkpoints to resume from, and the finished planner.

``run.json`` holds checkpoint, data and settings, ``checkpoints/`` the states to resume from, ``evaluations.json``
each evaluation, ``too_long.jsonl`` the rows that were left out, ``planner/`` the finished adapter or checkpoint,
``merged/`` the merged checkpoint if requested, ``result.json`` steps and measures of a finished training.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from backtrail.tools.atomic_file import write_atomically
from backtrail.training.errors import FinetuneError
from backtrail.training.finetune import processes

PLANNER = "planner"
CHECKPOINTS = "checkpoints"
MERGED = "merged"
CURVES = "curves"
RESULT = "result.json"
EVALUATIONS = "evaluations.json"
TOO_LONG = "too_long.jsonl"
_RUN = "run.json"
_STATE = "trainer_state.json"  # the last file that is written into a checkpoint


@contextmanager
def training_folder(folder: Path, run: dict[str, Any], *, fresh: bool = False) -> Iterator[Path]:
    """Lock the folder of a training; ``fresh`` removes an earlier training in it.

    Raises:
        FinetuneError: another process trains there, or the folder holds a training with other options.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "writer.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise FinetuneError(f"Another training is writing to {folder}. Wait until it ends, or stop it.") from None
    try:
        if fresh:
            _clear(folder)
        _check(folder, run)
        yield folder
    finally:
        lock.release()


def last_checkpoint(folder: Path) -> Path | None:
    """Return the last complete checkpoint; the first process removes incomplete ones, left by a kill."""
    whole: list[tuple[int, Path]] = []
    for checkpoint in (folder / CHECKPOINTS).glob("checkpoint-*"):
        number = checkpoint.name.rpartition("-")[2]
        if number.isdecimal() and _is_whole(checkpoint):
            whole.append((int(number), checkpoint))
        elif processes.is_first():
            shutil.rmtree(checkpoint)
    return max(whole)[1] if whole else None


def note_too_long(file: Path, row: str, tokens: int) -> None:
    """Record a row that exceeds the model's context and is left out; several processes may write."""
    line = json.dumps({"row": row, "tokens": tokens}, ensure_ascii=False) + "\n"
    with file.open("a", encoding="utf-8") as noted:
        noted.write(line)


def read_too_long(folder: Path) -> dict[str, int]:
    """Return the token counts of rows that were left out, by id. Each epoch records them again."""
    try:
        lines = (folder / TOO_LONG).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    noted = [json.loads(line) for line in lines if line.endswith("}")]  # a kill may cut the last line
    return {one["row"]: one["tokens"] for one in noted}


def write_json(file: Path, value: Any) -> None:
    """Write a JSON file atomically."""
    write_atomically(file, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _is_whole(checkpoint: Path) -> bool:
    try:
        json.loads((checkpoint / _STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True


def _check(folder: Path, run: dict[str, Any]) -> None:
    file = folder / _RUN
    if not file.exists():
        if any(one.name != "writer.lock" for one in folder.iterdir()):
            raise FinetuneError(f"{folder} is not empty and holds no training. Name a new folder.")
        write_json(file, run)
        return
    was = json.loads(file.read_text(encoding="utf-8"))
    changed = sorted(key for key in {*was, *run} if was.get(key) != run.get(key))
    if changed:
        changes = "; ".join(f"{key} was {was.get(key)!r}, is {run.get(key)!r}" for key in changed)
        raise FinetuneError(
            f"{folder} holds a training with other options ({changes}). Name another --out, or start over with --fresh."
        )


def _clear(folder: Path) -> None:
    """Remove only what trainings write."""
    if not (folder / _RUN).is_file():
        return
    for name in (CHECKPOINTS, PLANNER, f"{PLANNER}.new", MERGED, f"{MERGED}.new", CURVES):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in (RESULT, TOO_LONG, EVALUATIONS, _RUN):
        (folder / name).unlink(missing_ok=True)
