"""Have a PDF read in a process of its own (``worker.py``), which is kept for the next one."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.pdf.reading import ADVICE, Reading

_TRIES = 4
_LEFT_OUT = "reading the page took too long, too much memory or made pdfium fail; it was left out"


def read_apart(path: Path, document_id: str) -> Reading:
    """Lay out every page; one at which the process ends is left out, up to three of them.

    Raises:
        UnreadableSource: see ``read_file``; or the process ended too often.
    """
    left_out: dict[int, str] = {}
    for _ in range(_TRIES):
        answer, page = _ask(path, document_id, left_out)
        if isinstance(answer, Exception):
            raise answer
        if answer is not None:
            return answer
        left_out[page] = _LEFT_OUT
        if not page:
            break
    pages = ", ".join(str(page) for page in left_out if page) or "opening it"
    problem = f"reading took too long, too much memory or made pdfium fail (pages: {pages})"
    raise UnreadableSource(str(path), problem, ADVICE)


def _ask(path: Path, document_id: str, left_out: dict[int, str]) -> tuple[Reading | Exception | None, int]:
    """The answer, None if the process ended; and the page it had come to."""
    page = 0
    try:
        worker = _Worker.of_this_process()
        worker.jobs.send((path, document_id, left_out))
        while isinstance(answer := worker.answers.recv(), int):
            page = answer
    except (EOFError, ConnectionError):
        _Worker.stop()
        return None, page
    return answer, page


def stop() -> None:
    """End the process; the next file starts another."""
    _Worker.stop()


class _Worker:
    """The process with the pipes to it. A fork of ours starts its own."""

    _running: _Worker | None = None

    def __init__(self) -> None:
        theirs, ours = os.pipe()
        mine, thine = os.pipe()
        command = [sys.executable, "-m", "backtrail.ingest.pdf.worker", str(theirs), str(thine)]
        self.process = subprocess.Popen(command, pass_fds=(theirs, thine), stdin=subprocess.DEVNULL)
        os.close(theirs)
        os.close(thine)
        self.jobs, self.answers = Connection(ours, readable=False), Connection(mine, writable=False)
        self.owner = os.getpid()

    @classmethod
    def of_this_process(cls) -> _Worker:
        """The one that runs, or a new one."""
        if cls._running is None or cls._running.owner != os.getpid():
            cls._running = cls()
        return cls._running

    @classmethod
    def stop(cls) -> None:
        """End the process, if it is ours."""
        worker, cls._running = cls._running, None
        if worker is not None and worker.owner == os.getpid():
            worker.jobs.close()
            worker.answers.close()
            worker.process.kill()
            worker.process.wait()


atexit.register(_Worker.stop)
