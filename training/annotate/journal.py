"""Journal of an annotation: its decisions and finished questions.

``run.json`` holds models, prompts and terms, ``calls.jsonl`` the decisions, ``annotations.jsonl`` the finished
questions (of several lines for one, the last counts). After a kill, the next run repeats no decision.
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
from backtrail.training.annotate.annotation import Annotation, fingerprint
from backtrail.training.errors import AnnotationsError
from backtrail.training.json_lines import JsonLines

L = TypeVar("L", bound=BaseModel)

RUN = "run.json"
CALLS = "calls.jsonl"
ANNOTATIONS = "annotations.jsonl"


class Call(BaseModel):
    """One decision; ``inputs`` is a hash. Without an output it failed, at a cost."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    decision: str
    inputs: str
    output: dict[str, Any] | None
    charge: Charge
    decider: str = ""
    error: str = ""


class Journal:
    """Journal of one folder. Created by ``open_journal``, which holds the folder's lock."""

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
        self._finished = {(one.id, one.fingerprint): one for one in _read(self._annotations, Annotation)}

    def of(self, question: Question) -> Annotation | None:
        """Return the annotation of a question; None when it is not finished or was changed."""
        return self._finished.get((question.id, fingerprint(question)))

    def taken(self, question: Question, decision: str, inputs: str) -> dict[str, Any] | None:
        """Return the output of an earlier decision on the same inputs."""
        return self._taken.get((question.id, decision, inputs))

    def keep_call(self, call: Call) -> None:
        """Store a decision, or the cost of a failed one."""
        self._calls.append(call.model_dump_json())
        self._book(call)

    def keep(self, annotation: Annotation) -> None:
        """Store a finished question."""
        self._annotations.append(annotation.model_dump_json())
        self._finished[annotation.id, annotation.fingerprint] = annotation

    def _book(self, call: Call) -> None:
        self.spent = add_charges([self.spent, {key: call.charge[key] for key in charge()}])  # type: ignore[misc]
        if call.output is not None:
            self._taken[call.id, call.decision, call.inputs] = call.output


def hash_of(inputs: BaseModel, shown: bool) -> str:
    """Return a hash of the inputs of a decision and of whether the picture was shown."""
    return hashlib.sha256(f"{shown}:{inputs.model_dump_json()}".encode()).hexdigest()[:16]


@contextmanager
def open_journal(folder: Path, run: dict[str, Any], *, fresh: bool = False) -> Iterator[Journal]:
    """Open the journal of a folder, creating it if needed; ``fresh`` sets an earlier one aside.

    Args:
        run: models, threshold and prompts; an existing journal must have the same.

    Raises:
        AnnotationsError: another process writes there, a line cannot be read, or the run differs.
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
    """Return the run of a folder, and its last annotation of each question, in the order of finishing.

    Raises:
        AnnotationsError: the folder holds no annotations, or a line cannot be read.
    """
    if not (folder / RUN).is_file():
        raise AnnotationsError(f"{folder} holds no annotations. Make some: backtrail annotate run QUESTIONS --out DIR.")
    run = json.loads((folder / RUN).read_text(encoding="utf-8"))
    last: dict[str, Annotation] = {}
    for annotation in _read(JsonLines(folder / ANNOTATIONS), Annotation):
        last.pop(annotation.id, None)
        last[annotation.id] = annotation
    return run, list(last.values())


def _check_run(file: Path, run: dict[str, Any]) -> None:
    if not file.exists():
        write_atomically(file, json.dumps(run, indent=2, ensure_ascii=False) + "\n")
        return
    was = json.loads(file.read_text(encoding="utf-8"))
    changed = sorted(key for key in {*was, *run} if was.get(key) != run.get(key))
    if changed:
        changes = "; ".join(f"{key} was {was.get(key)!r}, is {run.get(key)!r}" for key in changed)
        raise AnnotationsError(
            f"{file.parent} holds annotations with other models or options ({changes}), which cannot be mixed. "
            "Name another --out, or start over with --fresh."
        )


def _read(lines: JsonLines, kind: type[L]) -> Iterator[L]:
    for number, text in lines.read():
        try:
            yield kind.model_validate_json(text)
        except ValidationError as error:
            raise AnnotationsError(
                f"{lines.file}:{number}: not a line of annotations ({error.errors()[0]['msg']}). Delete that line to "
                "annotate its question again, or start over with --fresh."
            ) from error


def _put_aside(folder: Path) -> None:
    files = [file for name in (RUN, CALLS, ANNOTATIONS) if (file := folder / name).exists()]
    if not files:
        return
    number = 1 + sum(1 for _ in folder.glob("before-*"))
    aside = folder / f"before-{number}"
    aside.mkdir()
    for file in files:
        file.rename(aside / file.name)
