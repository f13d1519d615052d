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
