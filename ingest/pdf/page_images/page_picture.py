"""Picture of a PDF page with a marked box, rendered in a separate process (``worker.py``)."""

from __future__ import annotations

import threading
from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.pdf.geometry import Box
from backtrail.ingest.worker_process import ENDED, WorkerProcess

_PROCESS = WorkerProcess("backtrail.ingest.pdf.page_images.worker")
_ALONE = threading.Lock()


def page_picture(path: Path, number: int, box: Box | None = None) -> bytes:
    """Render a page as PNG. Blocking; one page at a time.

    Args:
        number: page number, from 1.
        box: in points from the upper left corner of the displayed page.

    Raises:
        UnreadableSource: the file is missing or damaged, has no such page, or rendering took too much time or memory.
    """
    answer = _answered(path, number, box)
    assert isinstance(answer, bytes)
    return answer


def page_count(path: Path) -> int:
    """Return the number of pages. Blocking.

    Raises:
        UnreadableSource: the file is missing or damaged, or reading took too much time or memory.
    """
    answer = _answered(path, None, None)
    assert isinstance(answer, int)
    return answer


def _answered(path: Path, number: int | None, box: Box | None) -> object:
    with _ALONE:
        try:
            _PROCESS.send((path, number, box))
            answer = _PROCESS.receive()
        except ENDED:
            _PROCESS.stop()
            what = "counting the pages" if number is None else f"drawing page {number}"
            problem = f"{what} took too long, too much memory or made pdfium fail"
            raise UnreadableSource(str(path), problem, "Open the file itself") from None
    if isinstance(answer, Exception):
        raise answer
    return answer
