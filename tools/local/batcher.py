"""Batch concurrent requests to a local model: one thread runs it, several requests per generation."""

from __future__ import annotations

import atexit
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import InvalidStateError
from contextlib import suppress

from backtrail.tools.local.errors import LocalModelFailed
from backtrail.tools.local.request import Request

Generate = Callable[[Sequence[Request]], None]

# Branches of a graph send requests within milliseconds, and a generation takes seconds (ours).
_GATHERING = 0.02
_LONGEST_EXIT = 10.0  # seconds that the process waits for a running generation at its end


class Batcher:
    """Queue of a model.

    Args:
        generate: answers several requests; an error applies to all of them.
        most: maximum of requests in one generation.
    """

    def __init__(self, generate: Generate, most: int) -> None:
        self.generations = 0
        self.rows = 0
        self._generate = generate
        self._most = most
        self._waiting: deque[Request] = deque()
        self._running: list[Request] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def pending(self) -> int:
        """Requests that wait or run."""
        with self._changed:
            return len(self._waiting) + len(self._running)

    def submit(self, request: Request) -> None:
        """Queue a request; its answer arrives in ``request.answer``."""
        with self._changed:
            if self._closed:
                request.answer.set_exception(LocalModelFailed("The local model is closed. Open it again."))
                return
            if self._thread is None:
                thread = threading.Thread(target=self._serve, name="local model", daemon=True)
                thread.start()  # raises if the system has no thread left; the next request tries again
                self._thread = thread
                # Exiting during a generation would crash the interpreter in the model's threads.
                atexit.register(self.close)
            self._waiting.append(request)
            self._changed.notify_all()

    def close(self) -> None:
        """Cancel all requests and end the thread. A generation that does not end in time is abandoned."""
        with self._changed:
            self._closed = True
            for request in [*self._waiting, *self._running]:
                request.cancel()
            self._waiting.clear()
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_LONGEST_EXIT)
            _fail(self._running, LocalModelFailed("The local model was closed before the reply ended."))

    def _serve(self) -> None:
        while True:
            batch = self._next()
            if not batch:
                return
            self._answer(batch)
            with self._changed:
                self._running = []

    def _next(self) -> list[Request]:
        """Return the next compatible requests in order of arrival; empty if closed."""
        with self._changed:
            while not self._closed:
                if not self._waiting:
                    self._changed.wait()
                    continue
                until = time.monotonic() + _GATHERING
                while len(self._waiting) < self._most and not self._closed and (left := until - time.monotonic()) > 0:
                    self._changed.wait(left)
                self._running = self._taken()
                if self._running:
                    return self._running
            return []

    def _taken(self) -> list[Request]:
        batch: list[Request] = []
        while self._waiting and len(batch) < self._most:
            if batch and not _together(batch[0], self._waiting[0]):
                break
            request = self._waiting.popleft()
            if request.answer.set_running_or_notify_cancel():  # false if it was cancelled meanwhile
                batch.append(request)
        return batch

    def _answer(self, batch: list[Request]) -> None:
        self.generations += 1
        self.rows += len(batch)
        try:
            self._generate(batch)
        except BaseException as error:  # noqa: BLE001 - a panic of a Rust library is not an Exception
            open_ones = [request for request in batch if not request.answer.done()]
            if len(batch) == 1 or any(request.started for request in open_ones):
                _fail(open_ones, error if isinstance(error, Exception) else _crashed(error))
                return
            # One request may have caused the error, or together they may exceed the memory.
            for request in open_ones:
                self._answer([request])


def _crashed(error: BaseException) -> LocalModelFailed:
    crashed = LocalModelFailed(
        f"A library of the local model crashed at this request ({type(error).__name__}: {str(error)[:300]}). "
        "Other requests are still answered. If it crashes at every one, update the packages of the extra `local`."
    )
    crashed.__cause__ = error
    return crashed


def _fail(requests: Sequence[Request], error: Exception) -> None:
    for request in requests:
        with suppress(InvalidStateError):  # another thread has just answered it
            request.answer.set_exception(error)


def _together(one: Request, other: Request) -> bool:
    """Whether two prompts fit one batch: both with pictures or both without, with the same special tokens."""
    return bool(one.prompt.pictures) == bool(other.prompt.pictures) and one.prompt.whole == other.prompt.whole
