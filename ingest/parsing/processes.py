"""Protocol of parsing processes, local or remote."""

from __future__ import annotations

from typing import Any, Protocol


class ParsingProcess(Protocol):
    """Parsing process: ``WorkerProcess`` on this machine, ``KeptActor`` on a node of Ray."""

    def send(self, job: Any) -> None:
        """Send a job.

        Raises:
            EOFError, ConnectionError: the process has ended.
        """
        ...

    def receive(self) -> Any:
        """Receive the next message.

        Raises:
            EOFError, ConnectionError: the process has ended because of its file.
            CopyLost: the process was lost with its machine or killed; repeat the job.
        """
        ...

    def kill(self) -> None:
        """Kill the process from another thread than the one that waits for it."""
        ...

    def stop(self) -> None:
        """End the process; the next job starts a new one."""
        ...

    def close(self) -> None:
        """End the process permanently."""
        ...


class CopyLost(Exception):
    """The parsing process was lost for another reason than its file."""
