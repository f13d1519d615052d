"""The root of every error that Backtrail raises on purpose. The tree is drawn in ``backtrail.tools.errors``."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

_readers: list[Callable[[str], str]] = []


@contextmanager
def read_by_others(shown: Callable[[str], str]) -> Generator[None]:
    """While this lasts, errors of this process are read by others, who are told ``shown`` of each sentence."""
    _readers.append(shown)
    try:
        yield
    finally:
        _readers.remove(shown)


class BacktrailError(RuntimeError):
    """Says what was wrong with which value, and what to do about it.

    A RuntimeError, because the LangGraph server shows clients the sentences of Python's own kinds of errors alone;
    of others they get the name and "An internal error occurred".
    """

    def __str__(self) -> str:
        text = super().__str__()
        for shown in _readers:
            text = shown(text)
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes: as it is, for what an error is made with is not what it holds."""
        return _as_it_was, (type(self), self.args, self.__dict__)


def _as_it_was(kind: type[BacktrailError], told: tuple[Any, ...], held: dict[str, Any]) -> BacktrailError:
    error = kind.__new__(kind, *told)
    error.__dict__.update(held)
    return error


class InputRefused(BacktrailError, ValueError):
    """What a caller sent cannot be used: nothing was computed or stored. A ValueError too: the server answers 400."""
