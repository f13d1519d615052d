"""An embedder whose copies run in actors of Ray, on one machine or many.

The batches are those of an ingest that asks a server: so many are under way at once, each is kept in the vector cache
as soon as it comes, and what was kept is never embedded again. A copy that is lost is started anew by Ray, which
repeats the batches it had in hand (at most two) and no others.
"""

from __future__ import annotations

import importlib
import os
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from backtrail.tools.embedders.errors import EmbedderUnavailable, EmbedderWeightsMismatch
from backtrail.tools.embedders.protocol import Embedder, Vectors
from backtrail.tools.errors import DependencyMissing, SettingsError

ENGINES = ("local", "ray", "ray://HOST:PORT")
_TEXTS = 512
"""Of one call: what a lost copy has to embed again, at most twice (ours)."""
_IN_HAND = 2
"""Calls under way at each copy: one is embedded, one waits, so that no copy waits for us (ours)."""
_RETRIES = 3
_STARTED = 300.0  # seconds that copies may take to open their weights


@contextmanager
def embedding_on(engine: str, name: str, own: Embedder) -> Iterator[Embedder]:
    """The embedder on an engine for as long as the block lasts: itself for "local", else copies of it in Ray.

    Raises:
        SettingsError, DependencyMissing: see ``RayEmbedder``.
    """
    if engine == ENGINES[0]:
        yield own
        return
    copies = RayEmbedder(name, own, engine)
    try:
        yield copies
    finally:
        copies.close()


class RayEmbedder:
    """Implements ``Embedder`` and ``RemoteEmbedder`` by copies of another embedder in actors of Ray.

    Nothing is started before the first text. Queries are no bulk work: whoever searches opens the embedder itself.
    """

    texts_a_request = _TEXTS

    def __init__(self, name: str, own: Embedder, engine: str, *, copies: int | None = None) -> None:
        """Choose copies of an embedder.

        Args:
            name: what ``open_embedder`` knows it by, on every node.
            own: the same, opened here: what it gives is what copies have to give.
            engine: one of ``ENGINES`` but the first.
            copies: how many; None takes ``$BACKTRAIL_RAY_WORKERS``, else one for each node.

        Raises:
            SettingsError: no such engine, or no such number.
            DependencyMissing: ray is not installed.
        """
        if engine != "ray" and not engine.startswith("ray://"):
            raise SettingsError(f"There is no engine {engine!r}. Use {', '.join(ENGINES)}.")
        self.fingerprint, self.dimension = own.fingerprint, own.dimension
        self._name, self._engine = name, engine
        self._copies = copies if copies is not None else _named_copies()
        self._ray = _open_ray()
        self._lock = threading.Lock()
        self._actors: list[Any] = []
        self._asked = 0

    @property
    def requests_at_once(self) -> int:
        """Two for each copy, which are started now."""
        return _IN_HAND * len(self._started())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors [n, dimension] by the copy whose turn it is.

        Raises:
            EmbedderUnavailable: copies are lost again and again.
            EmbedderError: what the copy raises.
        """
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        actors = self._started()
        with self._lock:
            actor = actors[self._asked % len(actors)]
            self._asked += 1
        try:
            return np.asarray(self._ray.get(actor.embed.remote(list(texts))), np.float32)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self._ray.exceptions.RayError as error:
            raise EmbedderUnavailable(
                f"Copies of embedder {self._name!r} in Ray are lost again and again ({_first_line(error)}). Vectors "
                "computed so far are kept; run the same command again, or without --engine."
            ) from error

    def close(self) -> None:
        """Stop the copies, and a Ray that was started for them."""
        with self._lock:
            if self._actors:
                for actor in self._actors:
                    self._ray.kill(actor)
                self._actors = []
                self._ray.shutdown()

    def _started(self) -> list[Any]:
        with self._lock:
            if not self._actors:
                self._connect()
                alive = sum(bool(node["Alive"]) for node in self._ray.nodes())
                actor = self._ray.remote(_Copy).options(
                    num_cpus=1, max_restarts=-1, max_task_retries=_RETRIES, scheduling_strategy="SPREAD"
                )
                actors = [actor.remote(self._name) for _ in range(self._copies or max(1, alive))]
                self._check(actors)
                self._actors = actors
            return self._actors

    def _connect(self) -> None:
        if self._ray.is_initialized():
            return
        # A node with a single processor may hang without a word: it is told that it has two.
        here = {"num_cpus": max(2, os.cpu_count() or 2, self._copies or 0), "include_dashboard": False}
        options = here if self._engine == "ray" else {"address": self._engine}
        try:
            self._ray.init(log_to_driver=False, logging_level="ERROR", **options)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise EmbedderUnavailable(
                f"Ray at {self._engine} cannot be used ({_first_line(error)}). Is the cluster running, with the same "
                "versions of Python and Ray? Nothing was changed."
            ) from error

    def _check(self, actors: Sequence[Any]) -> None:
        try:
            given = self._ray.get([actor.opened.remote() for actor in actors], timeout=_STARTED)
        except self._ray.exceptions.RayError as error:
            raise EmbedderUnavailable(
                f"Embedder {self._name!r} cannot be opened on the nodes of Ray ({_first_line(error)}). Install "
                "backtrail and the weights on each of them."
            ) from error
        for fingerprint, host, _ in given:
            if fingerprint != self.fingerprint:
                raise EmbedderWeightsMismatch(
                    f"Embedder {self._name!r} is {fingerprint!r} on {host} and {self.fingerprint!r} here. "
                    "Give all of them the same weights."
                )


class _Copy:
    """An embedder in a process of Ray."""

    def __init__(self, name: str) -> None:
        from backtrail.tools.embedders.open import open_embedder
        from backtrail.tools.home import cache_folder

        self._embedder = open_embedder(name, cache_folder=Path(cache_folder()))

    def opened(self) -> tuple[str, str, int]:
        """The embedder's fingerprint, this machine and this process."""
        return self._embedder.fingerprint, socket.gethostname(), os.getpid()

    def embed(self, texts: list[str]) -> Vectors:
        """As the embedder does."""
        return self._embedder.embed(texts)


def _open_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise DependencyMissing("ray", "ray") from error


def _named_copies() -> int | None:
    named = os.environ.get("BACKTRAIL_RAY_WORKERS")
    if not named:
        return None
    if not named.isdigit() or not 1 <= int(named) <= 10_000:
        raise SettingsError(f"BACKTRAIL_RAY_WORKERS cannot be {named!r}. Use a number from 1 to 10000.")
    return int(named)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__
