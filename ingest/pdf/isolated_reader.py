"""Read PDF files in a separate process (``worker.py``), which is reused."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.parse_cache.trace_dependencies import parse_again
from backtrail.ingest.pdf.reading import ADVICE, Reading
from backtrail.ingest.worker_process import ENDED, WorkerProcess

_TRIES = 4
_LEFT_OUT = "reading the page took too long, too much memory or made pdfium fail; it was left out"
_PROCESS = WorkerProcess("backtrail.ingest.pdf.worker")


def read_in_process(path: Path) -> Reading:
    """Lay out every page; up to three pages that end the process are left out.

    Raises:
        UnreadableSource: see ``read_file``; or the process ended too often.
    """
    left_out: dict[int, str] = {}
    for _ in range(_TRIES):
        answer, page = _ask(path, left_out)
        if isinstance(answer, Exception):
            raise answer
        if answer is not None:
            if left_out:
                parse_again(_LEFT_OUT)
            return answer
        left_out[page] = _LEFT_OUT
        if not page:
            break
    pages = ", ".join(str(page) for page in left_out if page) or "opening it"
    problem = f"reading took too long, too much memory or made pdfium fail (pages: {pages})"
    raise UnreadableSource(str(path), problem, ADVICE)


def _ask(path: Path, left_out: dict[int, str]) -> tuple[Reading | Exception | None, int]:
    """Return the answer, None if the process ended, and the last page it began."""
    page = 0
    try:
        _PROCESS.send((path, left_out))
        while isinstance(answer := _PROCESS.receive(), int):
            page = answer
    except ENDED:
        stop()
        return None, page
    return answer, page


def stop() -> None:
    """End the process; the next file starts another."""
    _PROCESS.stop()
