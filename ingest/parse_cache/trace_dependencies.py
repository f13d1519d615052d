"""Trace which other files and folder facts a parse depends on.

Parsers say which files they look at (``look_at``). What they ask of the folder goes through functions marked as a
``question``: these are written down with their answers. A file is parsed again where a file that it looked at differs,
or where its questions have other answers now.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from backtrail.ingest.parse_cache.file_state import FileState, state_of

Asked = tuple[str, tuple[Any, ...]]
"""The name of a question and what it was asked with."""

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Folder = TypeVar("Folder")
One = TypeVar("One")

_QUESTIONS: dict[str, Callable[..., Any]] = {}


class Traced(NamedTuple):
    """What a file was parsed from, in plain values.

    Attributes:
        files: what was looked at, the file itself first, as it was before.
        questions: what was asked.
        answers: a digest of all that was answered.
        reader: the OCR that reads pages of the file; None where its kind has none that OCR may read.
        again: why the file has to be parsed the next time, whatever stays as it is; "" for no reason.
    """

    files: Sequence[FileState]
    questions: Sequence[Asked]
    answers: str
    reader: str | None
    again: str


@dataclass
class Trace:
    """What is looked at and asked while one file is parsed; files outside ``root`` are the parser's own."""

    root: Path
    files: dict[str, FileState] = field(default_factory=dict)
    reader: str | None = None
    again: str = ""
    _asked: dict[Asked, None] = field(default_factory=dict)
    _answers: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))

    def add(self, asked: Asked, answer: object) -> None:
        """Write a question down, once."""
        if asked not in self._asked:
            self._asked[asked] = None
            self._answers.update(_said(answer))

    @functools.cached_property
    def roots(self) -> tuple[str, str]:
        """The folder as it was named, and where it lies."""
        return os.path.abspath(self.root).rstrip(os.sep), os.path.realpath(self.root).rstrip(os.sep)

    def result(self) -> Traced:
        """What was written down."""
        answers = self._answers.hexdigest()
        return Traced(list(self.files.values()), list(self._asked), answers, self.reader, self.again)


_TRACE: ContextVar[Trace | None] = ContextVar("trace", default=None)


def question(
    function: Callable[Concatenate[Folder, Given], Answer],
) -> Callable[Concatenate[Folder, Given], Answer]:
    """Mark a function that parsers ask about a folder.

    Its first argument is the folder's ``SiteMap``, the others are plain texts given by position, and the ``repr`` of
    its answer says all of it. What it asks and looks at itself is not written down.
    """
    name = function.__name__
    _QUESTIONS[name] = function

    @functools.wraps(function)
    def asked(folder: Folder, *given: Given.args, **named: Given.kwargs) -> Answer:
        trace = _TRACE.get()
        if trace is None:
            return function(folder, *given, **named)
        with _traced_by(None):
            answer = function(folder, *given, **named)
        trace.add((name, given), answer)
        return answer

    return asked


def look_at(path: Path) -> None:
    """Say that a file is looked at, be it there or not. To be called before it is read."""
    trace = _TRACE.get()
    if trace is None:
        return
    name = os.path.abspath(path)
    if name not in trace.files and any(name.startswith(f"{root}{os.sep}") for root in trace.roots):
        trace.files[name] = state_of(name)


def read_by(reader: str) -> None:
    """Say that pages of the file are for OCR to read where they have no text; "" where there is no OCR."""
    trace = _TRACE.get()
    if trace is not None:
        trace.reader = reader


def parse_again(reason: str) -> None:
    """Say that the file may be read better the next time, though nothing changes: something ran out of time."""
    trace = _TRACE.get()
    if trace is not None:
        trace.again = reason


def traced(parts: Iterable[One], trace: Trace) -> Iterator[One]:
    """The same, each of which is made under the trace."""
    made = iter(parts)
    while True:
        with _traced_by(trace):
            try:
                part = next(made)
            except StopIteration:
                return
        yield part


def answers_of(folder: object, questions: Iterable[Sequence[Any]]) -> str:
    """A digest of what a folder answers now; "" where one of the questions is none any more."""
    digest = hashlib.blake2b(digest_size=16)
    for name, given in questions:
        function = _QUESTIONS.get(name)
        if function is None:
            return ""
        digest.update(_said(function(folder, *given)))
    return digest.hexdigest()


@contextmanager
def _traced_by(trace: Trace | None) -> Iterator[None]:
    token = _TRACE.set(trace)
    try:
        yield
    finally:
        _TRACE.reset(token)


def _said(answer: object) -> bytes:
    return f"{answer!r}\n".encode(errors="surrogatepass")
