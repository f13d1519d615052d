"""A page of a PDF as it looks, with a box around what is meant; drawn in a process of its own (``worker.py``)."""

from __future__ import annotations

import threading
from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.pdf.geometry import Box
from backtrail.ingest.worker_process import ENDED, WorkerProcess

_PROCESS = WorkerProcess("backtrail.ingest.pdf.page_images.worker")
_ALONE = threading.Lock()


def page_picture(path: Path, number: int, box: Box | None = None) -> bytes:
    """The page as PNG. Blocking; one page is drawn at a time.

    Args:
        number: of the page, from 1.
        box: in points from the upper left corner of the page as it is shown.

    Raises:
        UnreadableSource: the file is gone or damaged, has no such page, or drawing it took too much.
    """
    with _ALONE:
        try:
            _PROCESS.send((path, number, box))
            answer = _PROCESS.receive()
        except ENDED:
            _PROCESS.stop()
            problem = f"drawing page {number} took too long, too much memory or made pdfium fail"
            raise UnreadableSource(str(path), problem, "Open the file itself") from None
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, bytes)
    return answer
