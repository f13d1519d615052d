"""Parse files in Ray actors, each with a parsing process.

A parser that crashes, hangs or exhausts memory therefore affects only its file. The actor relays messages between the
ingest and the process. Files are read on the actor's node, at the same path.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from backtrail.ingest.discover import Source
from backtrail.ingest.parse_cache.parser_digest import parsers
from backtrail.ingest.parsing.jobs import Job
from backtrail.ingest.parsing.processes import CopyLost
from backtrail.ingest.worker_process import ENDED, WorkerProcess
from backtrail.tools.workers.actors import Actors
from backtrail.tools.workers.cluster import LOCAL
from backtrail.tools.workers.errors import FilesUnseen, WorkersDiffer
from backtrail.tools.workers.resources import Resources

MODULE = "backtrail.ingest.parsing.worker"


class _Ended(NamedTuple):
    """The process ended during a job."""


class _Unknown(NamedTuple):
    """The actor is not the one that got the job."""


class _Unseen(NamedTuple):
    """The file is missing or different on the node."""

    path: str
    problem: str


class ParsingCopies:
    """Parsing actors on a Ray engine. Nothing is started before ``start``.

    Args:
        engine: "ray" or "ray://HOST:PORT".
        module: module that their processes run.
    """

    def __init__(self, engine: str, module: str = MODULE) -> None:
        self.actors = Actors(
            engine, ParsingCopy, (module,), what="parsers of files", resources=Resources(each="processor")
        )

    def start(self) -> int:
        """Start the actors and return their number.

        Raises:
            EngineUnavailable: there is no cluster, or no free resources.
            WorkersDiffer: a node has other parsers, which could read files differently.
        """
        own = parsers()
        for place, theirs in self.actors.each("parsers"):
            if theirs != own:
                raise WorkersDiffer(
                    f"Node {place.host} of Ray has parsers of another version than this command. Install the same "
                    "Backtrail with the same libraries there, or set BACKTRAIL_PARSE_WORKERS=1 to parse here."
                )
        return len(self.actors)

    def process(self, number: int) -> KeptActor:
        """Return the local proxy of an actor's process."""
        return KeptActor(self.actors, number)

    def close(self) -> None:
        """Stop the actors."""
        self.actors.close()


@contextmanager
def parsing_on(engine: str) -> Iterator[ParsingCopies | None]:
    """Yield parsing actors within the block; None for "local"."""
    if engine == LOCAL:
        yield None
        return
    copies = ParsingCopies(engine)
    try:
        yield copies
    finally:
        copies.close()


class KeptActor:
    """Proxy of an actor's process that implements ``ParsingProcess``; ``receive`` sends queued messages.

    Messages are numbered, so that messages repeated by Ray are not executed twice, and a restarted actor is detected.
    """

    def __init__(self, actors: Actors, number: int) -> None:
        self._actors, self._number = actors, number
        self._life = self._turn = 0
        self._sent: list[Any] = []

    def send(self, job: Any) -> None:
        """Send a job with the local size of its file."""
        self._sent.append((job, size_of(job.source) if isinstance(job, Job) else None))

    def receive(self) -> Any:
        """See ``ParsingProcess``.

        Raises:
            FilesUnseen: the actor's node lacks the file.
            EngineUnavailable: actors are lost repeatedly.
        """
        sent, self._sent = self._sent, []
        life, turn = self._life, self._turn
        self._turn += 1
        host, said = self._actors.call_at(self._number, "turn", life, turn, sent)
        if isinstance(said, _Ended):
            raise EOFError
        if isinstance(said, _Unknown):
            raise CopyLost
        if isinstance(said, _Unseen):
            raise FilesUnseen(host, said.path, said.problem)
        return said

    def kill(self) -> None:
        """Kill the actor; nothing waits for it any more."""
        self._actors.kill(self._number)

    def stop(self) -> None:
        """Start the next job in a new process."""
        self._life, self._turn, self._sent = self._life + 1, 0, []

    def close(self) -> None:
        """Drop unsent messages; the actors are stopped together."""
        self._sent = []


class ParsingCopy:
    """Ray actor with a parsing process."""

    def __init__(self, module: str) -> None:
        from backtrail.tools.workers.actors import here

        self._host = here()
        self._process = WorkerProcess(module)
        self._at: tuple[int, int] = (-1, -1)
        self._said: Any = None

    def parsers(self) -> str:
        """Return the digest of the actor's parsers."""
        return parsers()

    def turn(self, life: int, number: int, sent: list[tuple[Any, int | None]]) -> tuple[str, Any]:
        """Send messages to the process; return its next message and this machine's name."""
        if self._at == (life, number):  # repeated by Ray
            return self._host, self._said
        if number == 0:
            self._process.stop()
        elif self._at != (life, number - 1):
            return self._host, _Unknown()
        self._said = self._answer(sent)
        self._at = life, number
        return self._host, self._said

    def _answer(self, sent: list[tuple[Any, int | None]]) -> Any:
        for job, size in sent:
            if size is not None and (problem := _differs(job.source.path, size)):
                return _Unseen(str(job.source.path), problem)
        try:
            for job, _ in sent:
                self._process.send(job)
            return self._process.receive()
        except (*ENDED, OSError):
            return _Ended()


def size_of(source: Source) -> int | None:
    """Return the size of a source's file; None if missing, which its parser reports."""
    try:
        return source.path.stat().st_size
    except OSError:
        return None


def _differs(path: Path, size: int) -> str:
    try:
        there = path.stat().st_size
    except OSError:
        return "does not see it"
    return "" if there == size else f"has {there} bytes at that path, where the command has {size}"
