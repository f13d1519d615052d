"""Copies of a worker in Ray actors, one process each; a call goes to the least busy one.

Ray restarts a lost copy, on another node if its own is gone, and repeats its pending calls. So a call, which may be
repeated, carries one batch.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from backtrail.tools.crashes import crashes_as_errors
from backtrail.tools.workers import cluster
from backtrail.tools.workers.errors import EngineUnavailable
from backtrail.tools.workers.resources import Resources, named_copies

RETRIES = 3
"""Repetitions of a call whose copy was lost (ours)."""
NODE_NOTICED = 120.0
"""Seconds in which calls go to other copies until Ray notices a lost node, which refuses Ray's own repetitions
at once (ours)."""
_PAUSE = 1.0
STARTED = 300.0
"""Seconds for copies to be placed on nodes and to open their worker (ours)."""
_OWN = "BACKTRAIL_"


class Place(NamedTuple):
    """Machine and process of a copy."""

    host: str
    process: int


class Actors:
    """Copies of a worker, started by the first call or by ``start``.

    Args:
        engine: one of ``cluster.ENGINES`` but the first.
        worker: a class that can be imported on every node.
        given: arguments of the class.
        what: name of the worker in errors, such as "embedder 'offline'".
        resources: resources of one copy.
        copies: number of copies; None decides by the environment and the cluster.
        most: most copies that are useful.
        waits: whether its methods are coroutines, which a copy runs concurrently; others run sequentially.
    """

    def __init__(
        self,
        engine: str,
        worker: type[Any],
        given: Sequence[Any],
        *,
        what: str,
        resources: Resources | None = None,
        copies: int | None = None,
        most: int | None = None,
        waits: bool = False,
    ) -> None:
        cluster.check_engine(engine)
        named_copies()  # raises now, not after hours of other work
        self.engine, self._worker, self._given, self._what = engine, worker, tuple(given), what
        self._resources, self._copies, self._most, self._waits = resources or Resources(), copies, most, waits
        self._ray: Any = None
        self._lock = threading.Lock()
        self._actors: list[Any] = []
        self._busy: list[int] = []

    def __len__(self) -> int:
        """Number of copies, which it starts."""
        return len(self.start())

    def start(self) -> list[Any]:
        """Start the copies, and return them once all have opened their worker.

        Raises:
            EngineUnavailable: there is no cluster, or it has no free resources.
        """
        with self._lock:
            if not self._actors:
                self._ray = cluster.join(self.engine)
                try:
                    self._actors = self._placed()
                    self._busy = [0] * len(self._actors)
                except BaseException:
                    cluster.leave()
                    raise
            return self._actors

    def call(self, method: str, *given: Any) -> Any:
        """Call a method of one copy and return its result. Blocking.

        Raises:
            EngineUnavailable: copies are lost repeatedly.
            BacktrailError: raised by the method.
        """
        self.start()
        until, last = time.monotonic() + NODE_NOTICED, -1
        while True:
            with self._typed_errors(), self._turn(last) as (last, actor):
                try:
                    return self._ray.get(actor.call.remote(method, given))
                except self._ray.exceptions.ActorUnavailableError:
                    if time.monotonic() > until:
                        raise
            time.sleep(_PAUSE)

    def call_at(self, number: int, method: str, *given: Any) -> Any:
        """``call`` of a given copy, which may have state; after a restart by Ray the state is lost."""
        actor = self.start()[number]
        until = time.monotonic() + NODE_NOTICED
        while True:
            with self._typed_errors():
                try:
                    return self._ray.get(actor.call.remote(method, given))
                except self._ray.exceptions.ActorUnavailableError:
                    if time.monotonic() > until:
                        raise
            time.sleep(_PAUSE)

    def kill(self, number: int) -> None:
        """End a copy for good, also with pending calls."""
        with self._lock:
            if self._actors:
                self._ray.kill(self._actors[number])

    async def ask(self, method: str, *given: Any) -> Any:
        """``call`` for coroutines."""
        await asyncio.to_thread(self.start)
        until, last = time.monotonic() + NODE_NOTICED, -1
        while True:
            with self._typed_errors(), self._turn(last) as (last, actor):
                try:
                    answer = actor.call.remote(method, given).future()
                    # shielded, because answering a cancelled future ends Ray's client for all
                    return await asyncio.shield(asyncio.wrap_future(answer))
                except self._ray.exceptions.ActorUnavailableError:
                    if time.monotonic() > until:
                        raise
            await asyncio.sleep(_PAUSE)

    def places(self) -> list[Place]:
        """Machines and processes of the copies."""
        actors = self.start()
        with self._typed_errors():
            return [Place(*one) for one in self._ray.get([actor.place.remote() for actor in actors])]

    def each(self, method: str, *given: Any) -> list[tuple[Place, Any]]:
        """Call a method of every copy, and return the results with their places."""
        actors, places = self.start(), self.places()
        with self._typed_errors():
            results = self._ray.get([actor.call.remote(method, given) for actor in actors])
        return list(zip(places, results, strict=True))

    def close(self) -> None:
        """Stop the copies."""
        with self._lock:
            if self._actors:
                with suppress(ConnectionError, self._ray.exceptions.RayError):  # the cluster is gone
                    for actor in self._actors:
                        self._ray.kill(actor)
                self._actors = []
                cluster.leave()

    @contextmanager
    def _turn(self, last: int) -> Iterator[tuple[int, Any]]:
        """Yield the least busy copy with its number, if possible another one than the last."""
        actors = self.start()
        with self._lock:
            at = min(range(len(actors)), key=lambda one: (one == last, self._busy[one]))
            self._busy[at] += 1
        try:
            yield at, actors[at]
        finally:
            with self._lock:
                self._busy[at] -= 1

    @contextmanager
    def _typed_errors(self) -> Iterator[None]:
        """Raise errors of a worker as they are, and errors of Ray as EngineUnavailable."""
        try:
            yield
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, Exception):
                raise error.cause from error
            raise EngineUnavailable(f"The {self._what} failed in Ray: {cluster.first_line(error)}") from error
        except ConnectionError as error:  # from the client of ray://
            raise EngineUnavailable(
                f"Ray at {self.engine} is gone ({cluster.first_line(error)}). What its {self._what} had finished is "
                "kept; run the same command again when it is back, or without --engine."
            ) from error
        except self._ray.exceptions.RayError as error:
            raise EngineUnavailable(
                f"Copies of {self._what} in Ray are lost repeatedly ({cluster.first_line(error)}). What they had "
                "finished is kept; run the same command again, or without --engine."
            ) from error

    def _placed(self) -> list[Any]:
        ray, resources = self._ray, self._resources
        number = self._copies or resources.copies(ray, self.engine, self._most)
        actor = ray.remote(_AsyncActor if self._waits else _SyncActor).options(
            num_cpus=resources.cpus,
            num_gpus=resources.gpus,
            max_restarts=-1,
            max_task_retries=RETRIES,
            scheduling_strategy="SPREAD",
        )
        ours = cluster.is_of_this_machine(self.engine)  # nodes of a cluster have their own environment
        environment = {name: value for name, value in os.environ.items() if ours and name.startswith(_OWN)}
        actors = [actor.remote(environment, self._worker, self._given) for _ in range(number)]
        try:
            ray.get([one.place.remote() for one in actors], timeout=STARTED)
        except ray.exceptions.RayError as error:
            for one in actors:
                ray.kill(one)
            raise EngineUnavailable(self._why_not_placed(error, number)) from error
        return actors

    def _why_not_placed(self, error: Exception, number: int) -> str:
        ray, resources = self._ray, self._resources
        if isinstance(error, ray.exceptions.GetTimeoutError):
            free = ray.available_resources()
            left = f"{free.get('CPU', 0):g} processors and {free.get('GPU', 0):g} GPUs"
            return (
                f"Ray has no room for {number} copies of {self._what}, which need {resources.cpus:g} processors and "
                f"{resources.gpus:g} GPUs each; {left} are free. Add nodes, or set BACKTRAIL_RAY_WORKERS."
            )
        return (
            f"The {self._what} cannot be opened on the nodes of Ray ({_cause(error)}). Install backtrail, and what it "
            "works with, on each of them."
        )


def _cause(error: Exception) -> str:
    """The first line of the worker's error, which Ray puts last."""
    cause = getattr(error, "cause", None)
    return cluster.first_line(cause if isinstance(cause, Exception) else error)


def here() -> str:
    """The name of this machine."""
    return socket.gethostname()


class _ActorBase:
    """A worker in a Ray process."""

    def __init__(self, environment: dict[str, str], worker: type[Any], given: tuple[Any, ...]) -> None:
        os.environ.update(environment)
        self._worker = worker(*given)
        self._place = here(), os.getpid()


class _SyncActor(_ActorBase):
    """An actor whose methods run sequentially."""

    def place(self) -> tuple[str, int]:
        """This machine and this process."""
        return self._place

    def call(self, method: str, given: tuple[Any, ...]) -> Any:
        """What a method returns."""
        with crashes_as_errors():  # Ray does not forward a BaseException
            return getattr(self._worker, method)(*given)


class _AsyncActor(_ActorBase):
    """An actor whose methods are coroutines that run concurrently."""

    async def place(self) -> tuple[str, int]:
        """This machine and this process."""
        return self._place

    async def call(self, method: str, given: tuple[Any, ...]) -> Any:
        """What a method returns."""
        with crashes_as_errors():
            return await getattr(self._worker, method)(*given)
