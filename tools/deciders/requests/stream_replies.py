"""Stream replies to a listener while they are written.

The listener is a context variable of the task, so that deciders need no parameter for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str], None]
"""Called with the whole reply so far, each time that more arrives; a retried request starts again."""

_hearer: ContextVar[Listener | None] = ContextVar("backtrail_hearer", default=None)


@contextmanager
def stream_to(hearer: Listener) -> Iterator[None]:
    """Stream replies to the hearer within the block, if the model can stream."""
    token = _hearer.set(hearer)
    try:
        yield
    finally:
        _hearer.reset(token)


def hearer() -> Listener | None:
    """Return the listener of the current task."""
    return _hearer.get()
