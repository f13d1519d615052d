"""The current language: the default for terms, sentences and rules.

Set for the taking of one decision, as the locale is for one request of a web server. Both sides of a comparison are
then stemmed alike, whatever language either of them was taken for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ENGLISH = "en"
_active: ContextVar[str] = ContextVar("language", default=ENGLISH)


def active_language() -> str:
    """ISO 639-1 code; English where nobody set another one."""
    return _active.get()


def reads_english() -> bool:
    """Whether the rules that know English words apply."""
    return _active.get() == ENGLISH


@contextmanager
def reading_in(language: str) -> Iterator[None]:
    """Read in a language until the block ends, in this thread or task and in those it starts."""
    token = _active.set(language)
    try:
        yield
    finally:
        _active.reset(token)
