"""A reusable worker process for parsers that may crash, hang or exhaust memory.

Started as ``python -m MODULE IN OUT`` with the numbers of two open pipes, for which the module calls ``serve``.
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
"""What sending and receiving raise when the process has ended."""


_BY_THE_CLOCK = 10
"""Times its seconds of the processor: what a part may take on a machine that is busy with other things."""


class WorkerProcess:
    """The process with the pipes to it, started when it is needed. A fork of ours starts its own.

    Args:
        module: what the process runs.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        atexit.register(self.stop)

    def send(self, job: Any) -> None:
        """Give it a job.

        Raises:
            EOFError, ConnectionError: it has ended.
        """
        if self._process is None or self._owner != os.getpid():
            self._start()
        self._jobs.send(job)

    def receive(self) -> Any:
        """What it says next.

        Raises:
            EOFError, ConnectionError: it has ended.
        """
        answer = self._answers.recv()
        if _seconds:  # ours is bounded by the clock, too, and waited for one that is bounded itself
            _limit(_seconds)
        return answer

    def kill(self) -> None:
        """End what it is at, from another thread than the one that waits for it."""
        process = self._process
        if process is not None and self._owner == os.getpid():
            process.kill()

    def close(self) -> None:
        """End it for good."""
        self.stop()
        atexit.unregister(self.stop)

    def stop(self) -> None:
        """End it, if it is ours; the next job starts another."""
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
        quiet = {**os.environ, "RUST_BACKTRACE": "0"}  # what ends it is told by whoever asked
        self._process = subprocess.Popen(command, pass_fds=(theirs, thine), stdin=subprocess.DEVNULL, env=quiet)
        os.close(theirs)
        os.close(thine)
        self._jobs, self._answers = Connection(ours, readable=False), Connection(mine, writable=False)
        self._owner = os.getpid()


class Line:
    """What a job may say to whoever gave it, before its answer. Each message gives it its seconds anew."""

    def __init__(self, jobs: Connection, answers: Connection) -> None:
        self._jobs, self._answers = jobs, answers

    def __call__(self, message: Any) -> None:
        """Tell something."""
        _limit(_seconds)
        self._answers.send(message)

    def ask(self, message: Any) -> Any:
        """Tell something that is answered; waiting for it costs no time of the job's."""
        _limit(0)
        self._answers.send(message)
        reply = self._jobs.recv()
        _limit(_seconds)
        return reply


_seconds = 0
"""Of the job that this process is at; 0 in a process that serves nobody."""


def serve(read: Callable[[Any, Line], Any], seconds: int, memory: int) -> None:
    """Answer jobs until the pipe is closed: each with what ``read`` returns or raises.

    Args:
        read: takes a job and a line to whoever gave it: to be called with the number of every part that is begun.
        seconds: of the processor, for one part, or for what comes before the first.
        memory: bytes of this process.
    """
    global _seconds
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it decides
    with suppress(ValueError, OSError):  # not every system can
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
        except Exception as error:  # noqa: BLE001 - raised again where the job came from
            answer = error
        _limit(0)
        try:
            answers.send(answer)
        except ConnectionError:  # whoever gave the job was ended
            return


def _limit(seconds: int) -> None:
    """From now on; 0 takes the limit away. By default both signals end the process, even within a library."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(_BY_THE_CLOCK * seconds)
