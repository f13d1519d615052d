"""Root of every error that Backtrail raises on purpose. The tree is in ``backtrail.tools.errors``."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

_readers: list[Callable[[str], str]] = []


@contextmanager
def filter_error_texts(shown: Callable[[str], str]) -> Generator[None]:
    """Filter the text of every error through ``shown`` while the context is open."""
    _readers.append(shown)
    try:
        yield
    finally:
        _readers.remove(shown)


class BacktrailError(RuntimeError):
    """Base class of Backtrail's errors. The text says what is wrong with which value and what to do.

    A RuntimeError, because the LangGraph server shows clients the text of Python's built-in error types alone; for
    others it shows the name and "An internal error occurred".
    """

    def __str__(self) -> str:
        text = super().__str__()
        for shown in _readers:
            text = shown(text)
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without calling the constructor, whose parameters differ from ``args``."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[BacktrailError], args: tuple[Any, ...], attributes: dict[str, Any]) -> BacktrailError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class InputRefused(BacktrailError, ValueError):
    """Input that cannot be used; nothing was computed or stored. A ValueError, so the server answers 400."""
