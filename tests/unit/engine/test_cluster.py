"""A cluster of Ray that cannot be joined, or goes away, is told in one sentence; who stops waiting harms nobody."""

import asyncio
import sys
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from backtrail.tools.workers import cluster
from backtrail.tools.workers.actors import Actors
from backtrail.tools.workers.errors import EngineUnavailable

AT = "ray://head:10001"


class RayError(Exception):
    """As Ray names its own."""


class Ray(SimpleNamespace):
    """Stands for the package, of which no cluster is there."""

    exceptions = SimpleNamespace(
        RayError=RayError,
        RayTaskError=type("RayTaskError", (RayError,), {}),
        ActorUnavailableError=type("ActorUnavailableError", (RayError,), {}),
    )

    def __init__(self, refusal: Exception) -> None:
        self.refusal, self.asked = refusal, dict[str, Any]()

    def is_initialized(self) -> bool:
        return False

    def init(self, **asked: Any) -> None:
        self.asked = asked
        raise self.refusal


@pytest.fixture(autouse=True)
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setitem(sys.modules, "ray", Ray(ConnectionError("nobody there\nmore")))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("engine", "address", "named"), [(AT, "", AT), ("ray", AT, AT), ("ray", "10.0.0.1:6379", "10.0.0.1:6379")]
)
@pytest.mark.parametrize(
    "refusal", [ConnectionError("nobody there\nmore"), RayError("nobody there"), Exception("nobody there")]
)
def test_a_cluster_that_cannot_be_joined_is_named(engine, address, named, refusal, monkeypatch) -> None:
    ray = Ray(refusal)
    monkeypatch.setitem(sys.modules, "ray", ray)
    if address:
        monkeypatch.setenv("RAY_ADDRESS", address)
    said = rf"^Ray at {named} cannot be used \(nobody there\)\. .* needs a token"
    with pytest.raises(EngineUnavailable, match=said):
        cluster.join(engine)
    assert ray.asked["address"] == named


def joined(answer: Any, **ray: Any) -> Actors:
    """One copy, that answers so."""
    copies = Actors(AT, Ray, (), what="embedder 'offline'")
    copies._ray = SimpleNamespace(exceptions=Ray.exceptions, **ray)
    copies._actors, copies._busy = [SimpleNamespace(call=SimpleNamespace(remote=answer))], [0]
    return copies


def test_a_cluster_that_goes_away_is_told_and_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: Any) -> None:
        raise ConnectionError("the client is disconnected")

    left = list[bool]()
    monkeypatch.setattr(cluster, "leave", lambda: left.append(True))
    copies = joined(gone, get=gone, kill=gone)
    with pytest.raises(EngineUnavailable, match=rf"^Ray at {AT} is gone \(the client is disconnected\)\. .* is kept"):
        copies.call("embed", ["text"])
    copies.close()
    assert left == [True]


async def test_who_stops_waiting_leaves_the_answer_be() -> None:
    answers = list[Future[str]]()

    def asked(*_: Any) -> SimpleNamespace:
        answers.append(Future())
        return SimpleNamespace(future=lambda: answers[-1])

    copies = joined(asked)
    waiting = asyncio.create_task(copies.ask("decide"))
    while not answers:
        await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    answers[0].set_result("late")  # what Ray's client does, whose connection ends where it cannot
    waiting = asyncio.create_task(copies.ask("decide"))
    while len(answers) < 2:
        await asyncio.sleep(0.01)
    answers[1].set_result("said")
    assert await waiting == "said"
