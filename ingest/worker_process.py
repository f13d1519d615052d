"""Reusable worker process for parsers that may crash, hang or exhaust memory.

Started as ``python -m MODULE IN OUT`` with the numbers of two open pipes; the module calls ``serve``.
"""

from __future__ import annotations

import atexit
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

ENDED = (EOFError, ConnectionError)
"""Errors of sending and receiving when the process has ended."""


_BY_THE_CLOCK = 10
"""Multiple of the processor seconds allowed in real time, for busy machines."""


class WorkerProcess:
    """Process with its pipes, started on first use. A fork of this process starts its own.

    Args:
        module: module that the process runs.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        atexit.register(self.stop)

    def send(self, job: Any) -> None:
        """Send a job.

        Raises:
            EOFError, ConnectionError: it has ended.
        """
        if self._process is None or self._owner != os.getpid():
            self._start()
        self._jobs.send(job)

    def receive(self) -> Any:
        """Receive the next message.

        Raises:
            EOFError, ConnectionError: it has ended.
        """
        answer = self._answers.recv()
        if _seconds:  # reset this process's own limit: it only waited for a process that has limits
            _limit(_seconds)
        return answer

    def kill(self) -> None:
        """Kill the process from another thread than the one that waits for it."""
        process = self._process
        if process is not None and self._owner == os.getpid():
            process.kill()

    def close(self) -> None:
        """End the process permanently."""
        self.stop()
        atexit.unregister(self.stop)

    def stop(self) -> None:
        """End the process if this process started it; the next job starts a new one."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            self._jobs.close()
            self._answers.close()
            process.kill()
            process.wait()

    def _start(self) -> None:
        theirs, ours = os.pipe()
        mine, thine = os.pipe()
        command = [sys.executable, "-m", self._module, str(theirs), str(thine)]
        quiet = {**os.environ, "RUST_BACKTRACE": "0"}  # the caller reports why it ended
        self._process = subprocess.Popen(command, pass_fds=(theirs, thine), stdin=subprocess.DEVNULL, env=quiet)
        os.close(theirs)
        os.close(thine)
        self._jobs, self._answers = Connection(ours, readable=False), Connection(mine, writable=False)
        self._owner = os.getpid()


class Line:
    """Channel for messages of a job before its answer. Each message restarts its time limit."""

    def __init__(self, jobs: Connection, answers: Connection) -> None:
        self._jobs, self._answers = jobs, answers

    def __call__(self, message: Any) -> None:
        """Send a message."""
        _limit(_seconds)
        self._answers.send(message)

    def ask(self, message: Any) -> Any:
        """Send a message and wait for the reply, without using the job's time."""
        _limit(0)
        self._answers.send(message)
        reply = self._jobs.recv()
        _limit(_seconds)
        return reply


_seconds = 0
"""Time limit of the current job; 0 in a process that serves none."""


def serve(read: Callable[[Any, Line], Any], seconds: int, memory: int) -> None:
    """Answer jobs with the result or exception of ``read`` until the pipe is closed.

    Args:
        read: takes a job and a ``Line`` to its sender, to be called with the number of every part that is started.
        seconds: processor seconds per part.
        memory: memory limit of this process in bytes.
    """
    global _seconds
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    with suppress(ValueError, OSError):  # not available on every system
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    jobs, answers = Connection(int(sys.argv[1]), writable=False), Connection(int(sys.argv[2]), readable=False)
    line, _seconds = Line(jobs, answers), seconds
    while True:
        try:
            job = jobs.recv()
        except EOFError:
            return
        _limit(seconds)
        try:
            answer = read(job, line)
        except Exception as error:  # noqa: BLE001 - raised again by the sender
            answer = error
        _limit(0)
        try:
            answers.send(answer)
        except ConnectionError:  # the sender has ended
            return


def _limit(seconds: int) -> None:
    """Set the time limit; 0 removes it. Both signals end the process, even within a library."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(_BY_THE_CLOCK * seconds)
