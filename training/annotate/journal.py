"""The folder of an annotation: every decision that was paid for, and every finished question.

``run.json`` says what was asked of which models, ``calls.jsonl`` holds the decisions, ``annotations.jsonl`` the
finished questions (of several lines for one, the last counts). Killed at any point, the next run repeats no
decision that was taken.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from backtrail.evals.questions import Question
from backtrail.state.usage import Charge, add_charges, charge
from backtrail.tools.atomic_file import write_atomically
from backtrail.training.annotate.annotation import Annotation, asked_of
from backtrail.training.errors import AnnotationsError
from backtrail.training.json_lines import JsonLines

L = TypeVar("L", bound=BaseModel)

RUN = "run.json"
CALLS = "calls.jsonl"
ANNOTATIONS = "annotations.jsonl"


class Call(BaseModel):
    """One decision: ``inputs`` is the hash of what it was given. Without an output it failed, and was paid for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    decision: str
    inputs: str
    output: dict[str, Any] | None
    charge: Charge
    decider: str = ""
    error: str = ""


class Journal:
    """The lines of one folder. Made by ``open_journal``, which holds the folder's lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._calls = JsonLines(folder / CALLS)
        self._annotations = JsonLines(folder / ANNOTATIONS)
        self._calls.mend()
        self._annotations.mend()
        self.spent: Charge = charge()
        self._taken: dict[tuple[str, str, str], dict[str, Any]] = {}
        for call in _read(self._calls, Call):
            self._book(call)
        self._held = {(one.id, one.asked): one for one in _read(self._annotations, Annotation)}

    def of(self, question: Question) -> Annotation | None:
        """The annotation of a question, when it was finished and the question still asks the same."""
        return self._held.get((question.id, asked_of(question)))

    def taken(self, question: Question, decision: str, inputs: str) -> dict[str, Any] | None:
        """The output of a decision that was taken before on the same inputs."""
        return self._taken.get((question.id, decision, inputs))

    def keep_call(self, call: Call) -> None:
        """Keep a decision, or what a failed one cost."""
        self._calls.append(call.model_dump_json())
        self._book(call)

    def keep(self, annotation: Annotation) -> None:
        """Keep a finished question."""
        self._annotations.append(annotation.model_dump_json())
        self._held[annotation.id, annotation.asked] = annotation

    def _book(self, call: Call) -> None:
        self.spent = add_charges([self.spent, {key: call.charge[key] for key in charge()}])  # type: ignore[misc]
        if call.output is not None:
            self._taken[call.id, call.decision, call.inputs] = call.output


def hash_of(inputs: BaseModel, shown: bool) -> str:
    """What stands for the inputs of a decision, and for whether the picture went with them."""
    return hashlib.sha256(f"{shown}:{inputs.model_dump_json()}".encode()).hexdigest()[:16]


@contextmanager
def open_journal(folder: Path, run: dict[str, Any], *, fresh: bool = False) -> Iterator[Journal]:
    """The journal in a folder, which is made if need be; ``fresh`` puts an earlier one aside.

    Args:
        run: models, threshold and prompts; what is in the folder must have been made with the same.

    Raises:
        AnnotationsError: another process writes there, a line cannot be read, or the run is another.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "writer.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise AnnotationsError(f"Another annotation is writing to {folder}. Wait until it ends, or stop it.") from None
    try:
        if fresh:
            _put_aside(folder)
        _check_run(folder / RUN, run)
        yield Journal(folder)
    finally:
        lock.release()


def read_annotations(folder: Path) -> tuple[dict[str, Any], list[Annotation]]:
    """What was run in a folder, and its annotations, the last of each question, in the order of finishing.

    Raises:
        AnnotationsError: the folder holds none, or a line cannot be read.
    """
    if not (folder / RUN).is_file():
        raise AnnotationsError(f"{folder} holds no annotations. Make some: backtrail annotate run QUESTIONS --out DIR.")
    run = json.loads((folder / RUN).read_text(encoding="utf-8"))
    held: dict[str, Annotation] = {}
    for annotation in _read(JsonLines(folder / ANNOTATIONS), Annotation):
        held.pop(annotation.id, None)
        held[annotation.id] = annotation
    return run, list(held.values())


def _check_run(file: Path, run: dict[str, Any]) -> None:
    if not file.exists():
        write_atomically(file, json.dumps(run, indent=2, ensure_ascii=False) + "\n")
        return
    was = json.loads(file.read_text(encoding="utf-8"))
    changed = sorted(key for key in {*was, *run} if was.get(key) != run.get(key))
    if changed:
        told = "; ".join(f"{key} was {was.get(key)!r}, is {run.get(key)!r}" for key in changed)
        raise AnnotationsError(
            f"{file.parent} holds annotations that were made otherwise ({told}). Classes of different models do not "
            "mix: name another --out, or start over with --fresh."
        )


def _read(lines: JsonLines, kind: type[L]) -> Iterator[L]:
    for number, text in lines.read():
        try:
            yield kind.model_validate_json(text)
        except ValidationError as error:
            raise AnnotationsError(
                f"{lines.file}:{number}: not a line of annotations ({error.errors()[0]['msg']}). Delete that line to "
                "do its question again, or start over with --fresh."
            ) from error


def _put_aside(folder: Path) -> None:
    held = [file for name in (RUN, CALLS, ANNOTATIONS) if (file := folder / name).exists()]
    if not held:
        return
    number = 1 + sum(1 for _ in folder.glob("before-*"))
    aside = folder / f"before-{number}"
    aside.mkdir()
    for file in held:
        file.rename(aside / file.name)
