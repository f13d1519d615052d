"""Results: one line of JSON per finished question, written at once, read again after a kill.

A folder holds ``results.jsonl``, ``run.json`` and, to be looked at, ``trails.jsonl`` with the records of the runs. Of
several lines for a question the last one counts. Where machines share the corpus, outcomes are in a journal in Postgres
too: an evaluation goes on in any home.
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
    """The lines of one folder. Made by ``open_results``, which holds the folder's lock."""

    def __init__(self, folder: Path, journal: SharedJournal | None = None) -> None:
        self.folder = folder
        self._file = folder / "results.jsonl"
        self._journal = journal
        _mend_last_line(self._file)
        self._held = {(outcome.id, outcome.asked): outcome for outcome in _read(self._file)}
        self._bring_in_line()

    def _bring_in_line(self) -> None:
        """With what other homes have asked; and what was asked while the server was away is put there."""
        if self._journal is None:
            return
        there = {(outcome.id, outcome.asked): outcome for outcome in journaled(self._journal)}
        for key, outcome in there.items():
            if key not in self._held:
                self._write(outcome)
        for key, outcome in self._held.items():
            if key not in there:
                keep(self._journal, outcome)

    def of(self, question: Question) -> Outcome | None:
        """The outcome of a question, when it was finished and still asks the same."""
        return self._held.get((question.id, question.asked))

    def finished(self, questions: Sequence[Question]) -> list[tuple[Question, Outcome]]:
        """Finished questions with their outcomes, in the order of the questions, not of finishing."""
        return [(question, outcome) for question in questions if (outcome := self.of(question))]

    def append(self, outcome: Outcome) -> None:
        """Keep an outcome. After this returns a kill cannot lose it."""
        self._write(outcome)
        keep(self._journal, outcome)

    def _write(self, outcome: Outcome) -> None:
        if outcome.trail:
            trail = {"id": outcome.id, "asked": outcome.asked, "trail": outcome.trail}
            with (self.folder / TRAILS).open("ab", buffering=0) as file:
                file.write((json.dumps(trail, ensure_ascii=False) + "\n").encode())
            outcome = outcome.model_copy(update={"trail": {}})
        line = outcome.model_dump_json() + "\n"
        with self._file.open("ab", buffering=0) as file:
            file.write(line.encode())
        self._held[outcome.id, outcome.asked] = outcome


def read_outcomes(folder: Path) -> dict[tuple[str, str], Outcome]:
    """The outcomes of a folder by id and hash of the question, as they are now; a line under way is left out.

    Raises:
        ResultsError: a line cannot be read.
    """
    file = folder / "results.jsonl"
    whole = file.read_bytes().rpartition(b"\n")[0] if file.exists() else b""
    return {(outcome.id, outcome.asked): outcome for outcome in _outcomes(file, whole)}


def journal_of(who: Identity) -> SharedJournal | None:
    """Where other machines find the outcomes of a run; None where they do not share its corpus."""
    return shared_journal(who.settings["corpus"], f"results {who.task}/{who.method}/{who.key}")


def keep(journal: SharedJournal | None, outcome: Outcome) -> None:
    """Put an outcome into a journal, if there is one."""
    if journal is not None:
        held = {"outcome": outcome.model_dump(mode="json"), "trail": outcome.trail}
        journal.put(_key(outcome.id, outcome.asked), json.dumps(held))  # JSON in ASCII holds no NUL


def journaled(journal: SharedJournal | None, question: Question | None = None) -> list[Outcome]:
    """The outcomes in a journal, or that of one question."""
    if journal is None:
        return []
    held = journal.get([_key(question.id, question.asked)]) if question else journal.entries()
    read = [json.loads(text) for text in held.values()]
    return [Outcome.model_validate(one["outcome"] | {"trail": one["trail"]}) for one in read]


def _key(id_: str, asked: str) -> str:
    return f"{asked} {id_}".replace("\0", "\ufffd")


@contextmanager
def open_results(folder: Path, *, fresh: bool = False, journal: SharedJournal | None = None) -> Iterator[Results]:
    """The results in a folder, which is made if need be; ``fresh`` puts earlier ones aside.

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
    """The kept trails of a folder by id and hash of the question; a line that was cut off is left out."""
    file = folder / TRAILS
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for line in file.read_bytes().split(b"\n") if file.exists() else ():
        try:
            kept = json.loads(line)
            found[kept["id"], kept["asked"]] = kept["trail"]
        except (ValueError, TypeError, LookupError):
            continue  # nothing is scored from a trail: what a kill cut off is not shown
    return found


def record_run(folder: Path, identity: Identity, run: Mapping[str, Any]) -> None:
    """Write what was run into ``run.json``: the identity, and one entry for each time it was started."""
    file = folder / "run.json"
    earlier = json.loads(file.read_text(encoding="utf-8"))["runs"] if file.exists() else []
    started = {"started": datetime.now(UTC).isoformat(timespec="seconds"), **run}
    text = json.dumps({**asdict(identity), "runs": [*earlier, started]}, indent=2)
    write_atomically(file, text + "\n")


def _mend_last_line(file: Path) -> None:
    """A kill or a full disk can cut the last line: drop it, its question will be asked again."""
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
