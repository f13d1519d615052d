"""Copies of a worker in actors of Ray, each in a process of its own: whoever calls gets the one that is least busy.

Ray starts a lost copy anew, on another node where its own is gone, and repeats the calls that it had in hand. What a
call costs to repeat is therefore what is sent in one call: a batch.
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
"""Seconds in which calls go to other copies while Ray has not noticed that a node is lost: its own repetitions are
refused by the lost node at once (ours)."""
_PAUSE = 1.0
STARTED = 300.0
"""Seconds that copies may take to be placed on nodes and to open what they work with (ours)."""
_OWN = "BACKTRAIL_"


class Place(NamedTuple):
    """Where a copy is: the machine and its process."""

    host: str
    process: int


class Actors:
    """Copies of a worker. Nothing is started before the first call, or ``start``.

    Args:
        engine: one of ``cluster.ENGINES`` but the first.
        worker: a class that can be imported on every node.
        given: what it is made with.
        what: the worker in an error, as "embedder 'offline'".
        resources: of one copy.
        copies: how many; None leaves that to the environment and the cluster.
        most: copies that could be used.
        waits: whether its methods are coroutines, of which a copy has many in hand; else one after the other.
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
        named_copies()  # refused now, and not after hours of other work
        self.engine, self._worker, self._given, self._what = engine, worker, tuple(given), what
        self._resources, self._copies, self._most, self._waits = resources or Resources(), copies, most, waits
        self._ray: Any = None
        self._lock = threading.Lock()
        self._actors: list[Any] = []
        self._busy: list[int] = []

    def __len__(self) -> int:
        """How many copies there are, which are started now."""
        return len(self.start())

    def start(self) -> list[Any]:
        """The copies, once all of them have opened what they work with.

        Raises:
            EngineUnavailable: there is no cluster, or no room in it.
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
        """What a method of one copy returns; whoever calls waits.

        Raises:
            EngineUnavailable: copies are lost again and again.
            BacktrailError: what the method raises.
        """
        self.start()
        until, last = time.monotonic() + NODE_NOTICED, -1
        while True:
            with self._told(), self._turn(last) as (last, actor):
                try:
                    return self._ray.get(actor.call.remote(method, given))
                except self._ray.exceptions.ActorUnavailableError:
                    if time.monotonic() > until:
                        raise
            time.sleep(_PAUSE)

    def call_at(self, number: int, method: str, *given: Any) -> Any:
        """``call`` of one copy, which keeps what it has in hand; started anew by Ray it knows of none of it."""
        actor = self.start()[number]
        until = time.monotonic() + NODE_NOTICED
        while True:
            with self._told():
                try:
                    return self._ray.get(actor.call.remote(method, given))
                except self._ray.exceptions.ActorUnavailableError:
                    if time.monotonic() > until:
                        raise
            time.sleep(_PAUSE)

    def kill(self, number: int) -> None:
        """End a copy for good, whoever waits for it."""
        with self._lock:
            if self._actors:
                self._ray.kill(self._actors[number])

    async def ask(self, method: str, *given: Any) -> Any:
        """``call`` for coroutines."""
        await asyncio.to_thread(self.start)
        until, last = time.monotonic() + NODE_NOTICED, -1
        while True:
            with self._told(), self._turn(last) as (last, actor):
                try:
                    answer = actor.call.remote(method, given).future()
                    # Whoever stops waiting leaves it be: to answer what was cancelled ends Ray's client for all.
                    return await asyncio.shield(asyncio.wrap_future(answer))
                except self._ray.exceptions.ActorUnavailableError:
                    if time.monotonic() > until:
                        raise
            await asyncio.sleep(_PAUSE)

    def places(self) -> list[Place]:
        """Where the copies are."""
        actors = self.start()
        with self._told():
            return [Place(*one) for one in self._ray.get([actor.place.remote() for actor in actors])]

    def each(self, method: str, *given: Any) -> list[tuple[Place, Any]]:
        """What a method returns of every copy, with where it is."""
        actors, places = self.start(), self.places()
        with self._told():
            said = self._ray.get([actor.call.remote(method, given) for actor in actors])
        return list(zip(places, said, strict=True))

    def close(self) -> None:
        """Stop the copies."""
        with self._lock:
            if self._actors:
                with suppress(ConnectionError, self._ray.exceptions.RayError):  # a cluster that is gone has none
                    for actor in self._actors:
                        self._ray.kill(actor)
                self._actors = []
                cluster.leave()

    @contextmanager
    def _turn(self, but: int) -> Iterator[tuple[int, Any]]:
        """The copy that has least in hand, with its number; another one than the last, where there is one."""
        actors = self.start()
        with self._lock:
            at = min(range(len(actors)), key=lambda one: (one == but, self._busy[one]))
            self._busy[at] += 1
        try:
            yield at, actors[at]
        finally:
            with self._lock:
                self._busy[at] -= 1

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What a worker raises as itself, and what Ray raises as EngineUnavailable."""
        try:
            yield
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, Exception):
                raise error.cause from error
            raise EngineUnavailable(f"The {self._what} failed in Ray: {cluster.first_line(error)}") from error
        except ConnectionError as error:  # of the client of ray://
            raise EngineUnavailable(
                f"Ray at {self.engine} is gone ({cluster.first_line(error)}). What its {self._what} had finished is "
                "kept; run the same command again when it is back, or without --engine."
            ) from error
        except self._ray.exceptions.RayError as error:
            raise EngineUnavailable(
                f"Copies of {self._what} in Ray are lost again and again ({cluster.first_line(error)}). What they had "
                "finished is kept; run the same command again, or without --engine."
            ) from error

    def _placed(self) -> list[Any]:
        ray, asked = self._ray, self._resources
        number = self._copies or asked.copies(ray, self.engine, self._most)
        actor = ray.remote(_Waiting if self._waits else _Working).options(
            num_cpus=asked.cpus,
            num_gpus=asked.gpus,
            max_restarts=-1,
            max_task_retries=RETRIES,
            scheduling_strategy="SPREAD",
        )
        ours = cluster.is_of_this_machine(self.engine)  # nodes of a cluster have an environment of their own
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
        ray, asked = self._ray, self._resources
        if isinstance(error, ray.exceptions.GetTimeoutError):
            free = ray.available_resources()
            left = f"{free.get('CPU', 0):g} processors and {free.get('GPU', 0):g} GPUs"
            return (
                f"Ray found no room for {number} copies of {self._what}, which ask for {asked.cpus:g} processors and "
                f"{asked.gpus:g} GPUs each; {left} are free. Add nodes, or set BACKTRAIL_RAY_WORKERS."
            )
        return (
            f"The {self._what} cannot be opened on the nodes of Ray ({_cause(error)}). Install backtrail, and what it "
            "works with, on each of them."
        )


def _cause(error: Exception) -> str:
    """The first line of what the worker said, which Ray puts last."""
    cause = getattr(error, "cause", None)
    return cluster.first_line(cause if isinstance(cause, Exception) else error)


def here() -> str:
    """The name of this machine."""
    return socket.gethostname()


class _Held:
    """A worker in a process of Ray."""

    def __init__(self, environment: dict[str, str], worker: type[Any], given: tuple[Any, ...]) -> None:
        os.environ.update(environment)
        self._worker = worker(*given)
        self._place = here(), os.getpid()


class _Working(_Held):
    """One whose methods are done one after the other."""

    def place(self) -> tuple[str, int]:
        """This machine and this process."""
        return self._place

    def call(self, method: str, given: tuple[Any, ...]) -> Any:
        """What a method returns."""
        with crashes_as_errors():  # Ray passes on no BaseException
            return getattr(self._worker, method)(*given)


class _Waiting(_Held):
    """One whose methods are coroutines, which wait side by side."""

    async def place(self) -> tuple[str, int]:
        """This machine and this process."""
        return self._place

    async def call(self, method: str, given: tuple[Any, ...]) -> Any:
        """What a method returns."""
        with crashes_as_errors():
            return await getattr(self._worker, method)(*given)
