"""What parses a file for an ingest, wherever it is: something that takes jobs and answers."""

from __future__ import annotations

from typing import Any, Protocol


class ParsingProcess(Protocol):
    """One that parses; ``WorkerProcess`` is one on this machine, ``KeptActor`` one on a node of Ray."""

    def send(self, job: Any) -> None:
        """Give it a job.

        Raises:
            EOFError, ConnectionError: it has ended.
        """
        ...

    def receive(self) -> Any:
        """What it says next.

        Raises:
            EOFError, ConnectionError: it has ended, and the file that it was at is the cause.
            CopyLost: it is gone with its machine, or was killed; the same job again is done by another.
        """
        ...

    def kill(self) -> None:
        """End what it is at, from another thread than the one that waits for it."""
        ...

    def stop(self) -> None:
        """End it; the next job starts another."""
        ...

    def close(self) -> None:
        """End it for good."""
        ...


class CopyLost(Exception):
    """What parsed is gone, and that is not for the file's sake."""
