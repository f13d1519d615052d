"""Files parsed in actors of Ray: each holds a process that parses, as an ingest does beside itself.

So a parser that crashes, hangs or takes all memory costs its file there, too. What is said between an ingest and the
process goes through the actor, message by message. Files are read where the actor is: they lie at the same path.
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
    """The process ended within a job."""


class _Unknown(NamedTuple):
    """The copy is another one than the job was given to."""


class _Unseen(NamedTuple):
    """A file that is not there, or not the same."""

    path: str
    problem: str


class ParsingCopies:
    """Copies that parse, on an engine. Nothing is started before ``start``.

    Args:
        engine: "ray" or "ray://HOST:PORT".
        module: what their processes run.
    """

    def __init__(self, engine: str, module: str = MODULE) -> None:
        self.actors = Actors(
            engine, ParsingCopy, (module,), what="parsers of files", resources=Resources(each="processor")
        )

    def start(self) -> int:
        """Start them, and return how many there are.

        Raises:
            EngineUnavailable: there is no cluster, or no room in it.
            WorkersDiffer: a node has other parsers, which would read files otherwise.
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
        """What stands here for a copy's process."""
        return KeptActor(self.actors, number)

    def close(self) -> None:
        """Stop the copies."""
        self.actors.close()


@contextmanager
def parsing_on(engine: str) -> Iterator[ParsingCopies | None]:
    """Copies that parse for as long as the block lasts; None for "local"."""
    if engine == LOCAL:
        yield None
        return
    copies = ParsingCopies(engine)
    try:
        yield copies
    finally:
        copies.close()


class KeptActor:
    """Implements ``ParsingProcess`` by a copy: what is sent goes there when an answer is waited for.

    Messages are numbered, so that one that Ray repeats is not done twice, and a copy that was started anew since its
    job was given is told from the one that had it.
    """

    def __init__(self, actors: Actors, number: int) -> None:
        self._actors, self._number = actors, number
        self._life = self._turn = 0
        self._sent: list[Any] = []

    def send(self, job: Any) -> None:
        """Give it a job, with the size that its file has here."""
        self._sent.append((job, size_of(job.source) if isinstance(job, Job) else None))

    def receive(self) -> Any:
        """See ``ParsingProcess``.

        Raises:
            FilesUnseen: the copy's node has not the file that is here.
            EngineUnavailable: copies are lost again and again.
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
        """End the copy: nothing is waited for any more."""
        self._actors.kill(self._number)

    def stop(self) -> None:
        """Have the next job begun by a new process."""
        self._life, self._turn, self._sent = self._life + 1, 0, []

    def close(self) -> None:
        """Nothing to end here: the copies are stopped together."""
        self._sent = []


class ParsingCopy:
    """The process that parses, within an actor of Ray."""

    def __init__(self, module: str) -> None:
        from backtrail.tools.workers.actors import here

        self._host = here()
        self._process = WorkerProcess(module)
        self._at: tuple[int, int] = (-1, -1)
        self._said: Any = None

    def parsers(self) -> str:
        """Which parsers there are."""
        return parsers()

    def turn(self, life: int, number: int, sent: list[tuple[Any, int | None]]) -> tuple[str, Any]:
        """Hand messages to the process, and return what it says next, with the name of this machine."""
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
    """Bytes of a source's file; None where it is none, which its parser tells."""
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
