"""The root of every error that Backtrail raises on purpose. The tree is drawn in ``backtrail.tools.errors``."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

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


class InputRefused(BacktrailError, ValueError):
    """What a caller sent cannot be used: nothing was computed or stored. A ValueError too: the server answers 400."""
