"""Stream replies to a listener while they are written.

Whoever takes decisions knows nothing of it: it is a matter of the task that asks, and of models that can stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Hearer = Callable[[str], None]
"""Is told the whole reply so far, each time that more of it has come; of a request that is made again, anew."""

_hearer: ContextVar[Hearer | None] = ContextVar("backtrail_hearer", default=None)


@contextmanager
def overheard(hearer: Hearer) -> Iterator[None]:
    """Within, replies are told to the hearer where their model streams."""
    token = _hearer.set(hearer)
    try:
        yield
    finally:
        _hearer.reset(token)


def hearer() -> Hearer | None:
    """Who hears the replies to what is asked now."""
    return _hearer.get()
