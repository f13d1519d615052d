"""Collector: gather requests of many decisions, submit them as one batch, poll for the results.

It runs in its own thread, as a process may run several event loops; callers wait for a future.
"""

from __future__ import annotations

import hashlib
import json
import queue
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from backtrail.tools.crashes import crashes_as_errors
from backtrail.tools.deciders.batch.endpoint import Result, State
from backtrail.tools.deciders.batch.errors import BatchedRequestFailed
from backtrail.tools.deciders.batch.ledger import Ledger

MOST_REQUESTS = 50_000
"""OpenAI's limit of requests in a batch. Its other limit, 200 MB, includes what surrounds the bodies."""
MOST_CHARACTERS = 150_000_000
Body = dict[str, Any]


class Endpoint(Protocol):
    """Batch endpoint of a server."""

    def submit(self, requests: dict[str, Body]) -> str: ...  # noqa: D102 - see BatchEndpoint

    def state(self, batch: str) -> State: ...  # noqa: D102

    def results(self, state: State) -> Any: ...  # noqa: D102


@dataclass(frozen=True)
class Pace:
    """Seconds without a new request before a batch is submitted, and seconds between its polls."""

    quiet: float = 5.0
    first_look: float = 10.0
    last_look: float = 120.0


@dataclass
class SubmittedBatch:
    """A submitted batch with the futures of its requests; it is polled less and less often."""

    waiting: dict[str, list[Future[Body]]] = field(default_factory=dict[str, list[Future[Body]]])
    look_at: float = 0.0
    pause: float = 0.0


class Collector:
    """Client of a batch endpoint. Submits equal requests once, even after a kill and restart."""

    def __init__(self, endpoint: Endpoint, ledger: Ledger, pace: Pace | None = None) -> None:
        self._endpoint = endpoint
        self._ledger = ledger
        self._pace = pace or Pace()
        self._arriving: queue.SimpleQueue[tuple[Body, Future[Body]]] = queue.SimpleQueue()
        self._gathered: dict[str, tuple[Body, list[Future[Body]]]] = {}
        self._batches: dict[str, SubmittedBatch] = {}
        self._last = 0.0
        self._size = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(self, body: Body) -> Future[Body]:
        """Queue a request; the future gives the body, or raises ``BatchedRequestFailed`` or a client error."""
        answer: Future[Body] = Future()
        self._arriving.put((body, answer))
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="batches", daemon=True)
                self._thread.start()
        return answer

    def _run(self) -> None:
        while True:
            try:
                with crashes_as_errors():
                    self._gather()
                    self._act(time.monotonic())
            except Exception as error:  # noqa: BLE001 - such as a full disk: nobody may wait for a dead thread
                waiting = [answers for _, answers in self._gathered.values()]
                waiting += [answers for handed in self._batches.values() for answers in handed.waiting.values()]
                self._gathered, self._batches, self._size = {}, {}, 0
                for answers in waiting:
                    _fail(answers, error)

    def _act(self, now: float) -> None:
        full = len(self._gathered) >= MOST_REQUESTS or self._size >= MOST_CHARACTERS
        if self._gathered and (full or now - self._last >= self._pace.quiet):
            self._submit()
        for batch, handed in list(self._batches.items()):
            if handed.look_at <= now:
                self._look(batch, handed)

    def _gather(self) -> None:
        """Wait for a new request until a submission or poll is due."""
        due = [handed.look_at for handed in self._batches.values()]
        due += [self._last + self._pace.quiet] if self._gathered else []
        wait = max(0.0, min(due) - time.monotonic()) if due else None
        try:
            body, answer = self._arriving.get(timeout=wait)
        except queue.Empty:
            return
        self._last = time.monotonic()
        try:
            self._keep(body, answer)
        except Exception as error:  # noqa: BLE001 - concerns only this request, which is stored nowhere yet
            _fail([answer], error)

    def _keep(self, body: Body, answer: Future[Body]) -> None:
        """Add a request to those gathered, or to the batch that it was submitted in before."""
        text = json.dumps(body, sort_keys=True)
        key = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:40]
        if (batch := self._ledger.batch_of(key)) is not None:
            self._batches.setdefault(batch, SubmittedBatch(pause=self._pace.first_look)).waiting.setdefault(
                key, []
            ).append(answer)
        else:
            self._size += 0 if key in self._gathered else len(text)
            self._gathered.setdefault(key, (body, []))[1].append(answer)

    def _submit(self) -> None:
        gathered, self._gathered, self._size = self._gathered, {}, 0
        try:
            with crashes_as_errors():
                batch = self._endpoint.submit({key: body for key, (body, _) in gathered.items()})
                self._ledger.went(gathered, batch)
        except Exception as error:  # noqa: BLE001 - goes to every waiting caller
            for _, waiting in gathered.values():
                _fail(waiting, error)
            return
        waiting = {key: answers for key, (_, answers) in gathered.items()}
        self._batches[batch] = SubmittedBatch(waiting, time.monotonic() + self._pace.first_look, self._pace.first_look)

    def _look(self, batch: str, handed: SubmittedBatch) -> None:
        try:
            state = self._endpoint.state(batch)
            results: dict[str, Result] = dict(self._endpoint.results(state)) if state.ended else {}
        except Exception as error:  # noqa: BLE001 - as above
            if getattr(error, "status_code", None) == 404:  # the server has forgotten it
                self._give_up(batch, handed, BatchedRequestFailed(503, f"The batch {batch} is gone."))
            elif getattr(error, "status_code", 500) in (401, 403):
                self._batches.pop(batch)
                for waiting in handed.waiting.values():
                    _fail(waiting, error)
            else:  # a lost connection does not end the batch: poll again
                self._later(handed)
            return
        if not state.ended:
            self._later(handed)
            return
        self._deliver(batch, handed, state, results)

    def _later(self, handed: SubmittedBatch) -> None:
        handed.pause = min(max(handed.pause, 0.001) * 1.5, self._pace.last_look)
        handed.look_at = time.monotonic() + handed.pause

    def _deliver(self, batch: str, handed: SubmittedBatch, state: State, results: dict[str, Result]) -> None:
        self._batches.pop(batch)
        again: list[str] = []
        for key, waiting in handed.waiting.items():
            result = results.get(key)
            if result is not None and result.status < 400:
                for answer in waiting:
                    if answer.set_running_or_notify_cancel():
                        answer.set_result(result.body)
                continue
            again.append(key)
            _fail(waiting, _why(batch, state, result))
        if again:
            self._ledger.went(again, None)

    def _give_up(self, batch: str, handed: SubmittedBatch, error: Exception) -> None:
        self._batches.pop(batch)
        for waiting in handed.waiting.values():
            _fail(waiting, error)
        self._ledger.went(list(handed.waiting), None)  # last, as it fails on a full disk


def _why(batch: str, state: State, result: Result | None) -> BatchedRequestFailed:
    if result is not None:
        return BatchedRequestFailed(result.status, result.message)
    if state.status == "failed":
        return BatchedRequestFailed(400, f"The batch {batch} was refused: {state.problem or 'no reason was given'}")
    return BatchedRequestFailed(503, f"The batch {batch} ended as {state.status!r} without this request.")


def _fail(waiting: list[Future[Body]], error: Exception) -> None:
    for answer in waiting:
        if not answer.done() and answer.set_running_or_notify_cancel():
            answer.set_exception(error)
