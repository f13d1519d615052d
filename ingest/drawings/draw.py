"""Render drawings to pictures of bounded size with resvg in a separate process (``worker.py``)."""

from __future__ import annotations

from functools import lru_cache

from backtrail.ingest.drawings.source import Drawing
from backtrail.ingest.parse_cache.trace_dependencies import parse_again
from backtrail.ingest.worker_process import ENDED, WorkerProcess

_PROCESS = WorkerProcess("backtrail.ingest.drawings.worker")


@lru_cache(maxsize=16)
def draw(drawing: Drawing) -> bytes:
    """Render a drawing as PNG on white.

    Raises:
        ValueError: the drawing cannot be rendered within the limits.
    """
    try:
        _PROCESS.send((drawing.markup, drawing.width, drawing.height, bool(drawing.labels)))
        answer = _PROCESS.receive()
    except ENDED as error:
        _PROCESS.stop()
        parse_again("a drawing was not rendered in time")
        raise ValueError("drawing it took too long or too much memory") from error
    if isinstance(answer, Exception):
        raise ValueError(f"it cannot be drawn ({str(answer)[:200]})") from answer
    return answer


def stop() -> None:
    """End the process; the next drawing starts a new one."""
    _PROCESS.stop()
