"""Trace the files and folder facts that a parse depends on.

Parsers report the files that they read (``record_file``). Functions about the folder are marked as a ``question`` and
recorded with their answers. A file is parsed again if a file that it read or the answer to a question has changed.
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
"""Name of a question and its arguments."""

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Folder = TypeVar("Folder")
One = TypeVar("One")

_QUESTIONS: dict[str, Callable[..., Any]] = {}


class Traced(NamedTuple):
    """Dependencies of a parsed file, as plain values.

    Attributes:
        files: states of the files read, the file itself first.
        questions: questions asked.
        answers: digest of all answers.
        reader: OCR for pages of the file; None if its kind needs none.
        again: why the file must be parsed again even if unchanged; "" for no reason.
    """

    files: Sequence[FileState]
    questions: Sequence[Asked]
    answers: str
    reader: str | None
    again: str


@dataclass
class Trace:
    """Recorder of dependencies while one file is parsed; files outside ``root`` are ignored."""

    root: Path
    files: dict[str, FileState] = field(default_factory=dict)
    reader: str | None = None
    again: str = ""
    _asked: dict[Asked, None] = field(default_factory=dict)
    _answers: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))

    def add(self, asked: Asked, answer: object) -> None:
        """Record a question once."""
        if asked not in self._asked:
            self._asked[asked] = None
            self._answers.update(_encoded(answer))

    @functools.cached_property
    def roots(self) -> tuple[str, str]:
        """Absolute and real path of the folder."""
        return os.path.abspath(self.root).rstrip(os.sep), os.path.realpath(self.root).rstrip(os.sep)

    def result(self) -> Traced:
        """Return the recorded dependencies."""
        answers = self._answers.hexdigest()
        return Traced(list(self.files.values()), list(self._asked), answers, self.reader, self.again)


_TRACE: ContextVar[Trace | None] = ContextVar("trace", default=None)


def question(
    function: Callable[Concatenate[Folder, Given], Answer],
) -> Callable[Concatenate[Folder, Given], Answer]:
    """Mark a function that parsers ask about a folder.

    Its first argument is the folder's ``SiteMap``, the others are strings given by position, and the ``repr`` of its
    answer is complete. Files and questions within it are not recorded.
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


def record_file(path: Path) -> None:
    """Record a file, existing or not. Call it before reading the file."""
    trace = _TRACE.get()
    if trace is None:
        return
    name = os.path.abspath(path)
    if name not in trace.files and any(name.startswith(f"{root}{os.sep}") for root in trace.roots):
        trace.files[name] = state_of(name)


def read_by(reader: str) -> None:
    """Record the OCR for pages without text; "" if there is no OCR."""
    trace = _TRACE.get()
    if trace is not None:
        trace.reader = reader


def parse_again(reason: str) -> None:
    """Record that the file should be parsed again even if unchanged, because something ran out of time."""
    trace = _TRACE.get()
    if trace is not None:
        trace.again = reason


def traced(parts: Iterable[One], trace: Trace) -> Iterator[One]:
    """Yield the parts, each created under the trace."""
    made = iter(parts)
    while True:
        with _traced_by(trace):
            try:
                part = next(made)
            except StopIteration:
                return
        yield part


def answers_of(folder: object, questions: Iterable[Sequence[Any]]) -> str:
    """Return a digest of the folder's current answers; "" if a question no longer exists."""
    digest = hashlib.blake2b(digest_size=16)
    for name, given in questions:
        function = _QUESTIONS.get(name)
        if function is None:
            return ""
        digest.update(_encoded(function(folder, *given)))
    return digest.hexdigest()


@contextmanager
def _traced_by(trace: Trace | None) -> Iterator[None]:
    token = _TRACE.set(trace)
    try:
        yield
    finally:
        _TRACE.reset(token)


def _encoded(answer: object) -> bytes:
    return f"{answer!r}\n".encode(errors="surrogatepass")
