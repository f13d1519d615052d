"""The current language: the default for terms, sentences and rules.

Set for one decision, as a web server sets the locale for one request, so that both sides of a comparison are stemmed
alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ENGLISH = "en"
_active: ContextVar[str] = ContextVar("language", default=ENGLISH)


def active_language() -> str:
    """Return the ISO 639-1 code of the current language; English by default."""
    return _active.get()


def reads_english() -> bool:
    """Whether the current language is English, so that rules with English words apply."""
    return _active.get() == ENGLISH


@contextmanager
def reading_in(language: str) -> Iterator[None]:
    """Set the current language within the block, for this thread or task and those it starts."""
    token = _active.set(language)
    try:
        yield
    finally:
        _active.reset(token)
