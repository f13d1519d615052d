"""Results: one JSON line per finished question, written immediately, to resume a killed evaluation.

A folder holds ``results.jsonl``, ``run.json`` and, for inspection, ``trails.jsonl`` with the records of the runs. Of
several lines for a question the last one counts. Where machines share the corpus, outcomes are also in a journal in
Postgres, so that an evaluation can resume in any home.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import ValidationError

from backtrail.evals.errors import ResultsError
from backtrail.evals.identity import Identity
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.journal.shared import SharedJournal, shared_journal

TRAILS = "trails.jsonl"


class Results:
    """Outcomes of one folder. Created by ``open_results``, which holds the folder's lock."""

    def __init__(self, folder: Path, journal: SharedJournal | None = None) -> None:
        self.folder = folder
        self._file = folder / "results.jsonl"
        self._journal = journal
        _mend_last_line(self._file)
        self._outcomes = {(outcome.id, outcome.fingerprint): outcome for outcome in _read(self._file)}
        self._synchronize()

    def _synchronize(self) -> None:
        """Read outcomes of other homes from the journal, and put there what it missed while Postgres was down."""
        if self._journal is None:
            return
        shared = {(outcome.id, outcome.fingerprint): outcome for outcome in journaled(self._journal)}
        for key, outcome in shared.items():
            if key not in self._outcomes:
                self._write(outcome)
        for key, outcome in self._outcomes.items():
            if key not in shared:
                keep(self._journal, outcome)

    def of(self, question: Question) -> Outcome | None:
        """Return the outcome of a question; None when it is not finished or was changed."""
        return self._outcomes.get((question.id, question.fingerprint))

    def finished(self, questions: Sequence[Question]) -> list[tuple[Question, Outcome]]:
        """Return finished questions with their outcomes, in the order of the questions."""
        return [(question, outcome) for question in questions if (outcome := self.of(question))]

    def append(self, outcome: Outcome) -> None:
        """Store an outcome. Once this returns, a kill cannot lose it."""
        self._write(outcome)
        keep(self._journal, outcome)

    def _write(self, outcome: Outcome) -> None:
        if outcome.trail:
            trail = {"id": outcome.id, "fingerprint": outcome.fingerprint, "trail": outcome.trail}
            with (self.folder / TRAILS).open("ab", buffering=0) as file:
                file.write((json.dumps(trail, ensure_ascii=False) + "\n").encode())
            outcome = outcome.model_copy(update={"trail": {}})
        line = outcome.model_dump_json() + "\n"
        with self._file.open("ab", buffering=0) as file:
            file.write(line.encode())
        self._outcomes[outcome.id, outcome.fingerprint] = outcome


def read_outcomes(folder: Path) -> dict[tuple[str, str], Outcome]:
    """Return the outcomes of a folder by id and hash of the question; an incomplete last line is left out.

    Raises:
        ResultsError: a line cannot be read.
    """
    file = folder / "results.jsonl"
    whole = file.read_bytes().rpartition(b"\n")[0] if file.exists() else b""
    return {(outcome.id, outcome.fingerprint): outcome for outcome in _outcomes(file, whole)}


def journal_of(who: Identity) -> SharedJournal | None:
    """Return the journal that shares outcomes between machines; None where the corpus is not shared."""
    return shared_journal(who.settings["corpus"], f"results {who.task}/{who.method}/{who.key}")


def keep(journal: SharedJournal | None, outcome: Outcome) -> None:
    """Put an outcome into a journal, if there is one."""
    if journal is not None:
        entry = {"outcome": outcome.model_dump(mode="json"), "trail": outcome.trail}
        journal.put(_key(outcome.id, outcome.fingerprint), json.dumps(entry))  # ASCII JSON contains no NUL


def journaled(journal: SharedJournal | None, question: Question | None = None) -> list[Outcome]:
    """Return the outcomes in a journal, or that of one question."""
    if journal is None:
        return []
    texts = journal.get([_key(question.id, question.fingerprint)]) if question else journal.entries()
    entries = [json.loads(text) for text in texts.values()]
    return [Outcome.model_validate(entry["outcome"] | {"trail": entry["trail"]}) for entry in entries]


def _key(id_: str, asked: str) -> str:
    return f"{asked} {id_}".replace("\0", "\ufffd")


@contextmanager
def open_results(folder: Path, *, fresh: bool = False, journal: SharedJournal | None = None) -> Iterator[Results]:
    """Open the results of a folder, creating it if needed; ``fresh`` sets earlier ones aside.

    Raises:
        ResultsError: another process is writing there, or a line cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "writer.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ResultsError(f"Another evaluation is writing to {folder}. Wait until it ends, or stop it.") from None
    try:
        if fresh:
            _put_aside(folder / "results.jsonl")
            (folder / TRAILS).unlink(missing_ok=True)
            if journal is not None:
                journal.clear()
        yield Results(folder, journal)
    finally:
        lock.release()


def read_trails(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the trails of a folder by id and hash of the question; incomplete lines are left out."""
    file = folder / TRAILS
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for line in file.read_bytes().split(b"\n") if file.exists() else ():
        try:
            kept = json.loads(line)
            found[kept["id"], kept["fingerprint"]] = kept["trail"]
        except (ValueError, TypeError, LookupError):
            continue  # a kill can cut a line; trails are only shown, never scored
    return found


def record_run(folder: Path, identity: Identity, run: Mapping[str, Any]) -> None:
    """Write ``run.json``: the identity of the run, and one entry per start."""
    file = folder / "run.json"
    earlier = json.loads(file.read_text(encoding="utf-8"))["runs"] if file.exists() else []
    started = {"started": datetime.now(UTC).isoformat(timespec="seconds"), **run}
    text = json.dumps({**asdict(identity), "runs": [*earlier, started]}, indent=2)
    write_atomically(file, text + "\n")


def _mend_last_line(file: Path) -> None:
    """Drop a last line that a kill or a full disk cut off; its question is asked again."""
    if not file.exists() or not (content := file.read_bytes()) or content.endswith(b"\n"):
        return
    with file.open("r+b") as torn:
        torn.truncate(content.rfind(b"\n") + 1)


def _read(file: Path) -> Iterator[Outcome]:
    return _outcomes(file, file.read_bytes() if file.exists() else b"")


def _outcomes(file: Path, content: bytes) -> Iterator[Outcome]:
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line:
            continue
        try:
            yield Outcome.model_validate_json(line)
        except ValidationError as error:
            raise ResultsError(
                f"{file}:{number}: not a line of results ({error.errors()[0]['msg']}). "
                "Delete that line to ask its question again, or start over with --fresh."
            ) from error


def _put_aside(file: Path) -> None:
    if file.exists():
        number = 1 + sum(1 for _ in file.parent.glob("results.*.jsonl"))
        file.rename(file.with_name(f"results.{number}.jsonl"))
