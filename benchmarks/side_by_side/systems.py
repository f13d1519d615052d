"""Both systems as processes: index pages, add, delete, ask, and be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from side_by_side.pages import Page, as_text, write_bundle

_BENCHMARKS = Path(__file__).parents[1]
CORPUS = "peer"


class Failed(Exception):
    """A process failed, or did not do its work."""


@dataclass(frozen=True)
class Run:
    """Wall seconds of a process, its processor seconds, and the JSON object that it printed.

    ``seconds`` in that object excludes the start of the process; for questions it is a list.
    """

    seconds: float
    processor: float
    printed: dict[str, Any]


class System(Protocol):
    """A measured system. ``kill_when`` is polled every few milliseconds; True kills the process."""

    name: str
    divides: bool
    """Whether it decides, before a search, if a question has to be split."""

    def index(self, before: Sequence[Page], now: Sequence[Page], kill_when: Callable[[], bool] | None = None) -> Run:
        """Update the graph from one set of pages to another."""
        ...

    def ask(self, questions: Sequence[Mapping[str, Any]], *, divided: bool = True) -> Run:
        """Ask one question after the other, split if it ``divides`` and ``divided``; prints ``seconds``."""
        ...

    def size(self) -> dict[str, int]:
        """Return the numbers of entities and relations of the graph."""
        ...


class LightRagSystem:
    """LightRAG in its own environment and without environment variables, so that its defaults apply."""

    name = "LightRAG"
    divides = False

    def __init__(self, python: Path, folder: Path, server: str, concurrency: int) -> None:
        self._python, self._folder, self._server, self._concurrency = python, folder, server, concurrency
        self._size: dict[str, int] = {}

    def index(self, before: Sequence[Page], now: Sequence[Page], kill_when: Callable[[], bool] | None = None) -> Run:
        """Insert new pages and delete removed ones."""
        had, has = {page.id for page in before}, {page.id for page in now}
        new = [{"id": page.id, "text": as_text(page)} for page in now if page.id not in had]
        removed = [page.id for page in before if page.id not in has]
        run = self._run("index", new, kill_when) if new else self._run("delete", removed)
        if new and removed:
            raise Failed("pages are added or deleted, not both at once")
        if not kill_when:
            status = run.printed["status"]  # pages inserted a second time, after a kill, also count as failed
            if status.get("processed") != len(now):
                raise Failed(f"LightRAG did not process every page: {status}")
            self._size = {key: run.printed[key] for key in ("entities", "relations")}
        return run

    def ask(self, questions: Sequence[Mapping[str, Any]], *, divided: bool = True) -> Run:
        """Ask in the default mode."""
        return self._run("ask", [{"id": one["id"], "question": one["question"]} for one in questions])

    def size(self) -> dict[str, int]:
        """Return the size after the last run that was not killed."""
        return self._size

    def _run(self, what: str, work: Sequence[Any], kill_when: Callable[[], bool] | None = None) -> Run:
        file = _work_file(self._folder, work)
        command = [
            str(self._python), "-m", "side_by_side.run_lightrag", what, "--server", self._server,
            "--folder", str(self._folder / "storage"), "--work", str(file), "--concurrency", str(self._concurrency),
        ]  # fmt: skip
        return run_process(command, self._folder, {}, kill_when)


class BacktrailSystem:
    """Backtrail by its command line, with the server's models."""

    name = "Backtrail"
    divides = True

    def __init__(self, folder: Path, server: str, concurrency: int, *, knowledge: bool = True) -> None:
        self._folder, self._server, self._knowledge = folder, server, knowledge
        self._program = str(Path(sys.executable).with_name("backtrail"))
        self._model = f"openai-compatible:scripted@{server}"
        self._environment = {
            "BACKTRAIL_HOME": str(folder / "home"),
            "BACKTRAIL_CONCURRENCY": str(concurrency),
            "OPENAI_BASE_URL": server,
            "OPENAI_API_KEY": "none",
        }

    def index(self, before: Sequence[Page], now: Sequence[Page], kill_when: Callable[[], bool] | None = None) -> Run:
        """Ingest the folder in its current state; removed pages are deleted."""
        write_bundle(self._folder / "pages", now)
        graph = ["--knowledge-graph", "--extractor", self._model] if self._knowledge else []
        command = [
            self._program, "ingest", str(self._folder / "pages"), "--corpus", CORPUS,
            "--embedder", "openai:minilm", *graph, "--json",
        ]  # fmt: skip
        run = run_process(command, self._folder, self._environment, kill_when)
        if not kill_when and run.printed["failed"]:
            raise Failed(f"Backtrail did not read everything: {run.printed['failed'][:3]}")
        return run

    def ask(self, questions: Sequence[Mapping[str, Any]], *, divided: bool = True) -> Run:
        """Ask only the graph agent."""
        file = _work_file(self._folder, [{"id": one["id"], "question": one["question"]} for one in questions])
        command = [
            sys.executable, "-m", "side_by_side.run_backtrail", "--model", self._model, "--corpus", CORPUS,
            "--server", self._server, "--work", str(file), *([] if divided else ["--undivided"]),
        ]  # fmt: skip
        return run_process(command, self._folder, self._environment)

    def size(self) -> dict[str, int]:
        """Return the counts of ``backtrail corpus graph``: entities (with numbers and dates) and relations."""
        command = [self._program, "corpus", "graph", CORPUS, "--json"]
        return run_process(command, self._folder, self._environment).printed


def _work_file(folder: Path, work: Sequence[Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "work.json"
    file.write_text(json.dumps(work), encoding="utf-8")
    return file


def run_process(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    kill_when: Callable[[], bool] | None = None,
) -> Run:
    """Run a process to its end, or until ``kill_when``.

    Raises:
        Failed: it ended with an error, or before the kill.
    """
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(_BENCHMARKS), **environment}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=clean, stdout=out, stderr=err, start_new_session=True)
        while True:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if kill_when and kill_when():
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.01)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
        out.seek(0)
        err.seek(0)
        printed, complaint = out.read().decode(), err.read().decode()
    if code != (-signal.SIGKILL if kill_when else 0):
        raise Failed(f"{' '.join(command[:6])} ended with {code}:\n{complaint[-3000:]}\n{printed[-1000:]}")
    shown = {} if kill_when else json.loads(printed.strip().splitlines()[-1])
    return Run(seconds, used.ru_utime + used.ru_stime, shown)
