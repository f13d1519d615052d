"""What is tried again while Postgres is away, and what is not."""

import sqlite3
from collections.abc import Callable

import psycopg
import pytest
import sqlalchemy.exc
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver

from backtrail.tools.checkpoints import retry_outages
from backtrail.tools.checkpoints.retry_checkpointer import RetryingCheckpointer
from backtrail.tools.checkpoints.retry_outages import is_outage, retries_outages, retrying_outages

AWAY = [
    psycopg.OperationalError("server closed the connection unexpectedly"),
    psycopg.errors.CannotConnectNow("the database system is starting up"),
    ConnectionRefusedError(111, "Connect call failed"),
    sqlalchemy.exc.DBAPIError("UPDATE", {}, Exception("connection was closed"), connection_invalidated=True),
    psycopg.OperationalError('connection to "h" failed: FATAL:  the database system is starting up'),
    sqlalchemy.exc.OperationalError("SELECT 1", {}, psycopg.OperationalError("connection refused")),
]
HERE: list[Exception] = [
    psycopg.errors.DiskFull("no space left on device"),
    sqlalchemy.exc.OperationalError("SELECT 1", {}, sqlite3.OperationalError("database or disk is full")),
    psycopg.OperationalError('connection to "h" failed: FATAL:  password authentication failed for user "u"'),
    ValueError("connection"),
]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry_outages, "FIRST_WAIT", 0.0)


def failing(times: int, error: Exception) -> Callable[[], str]:
    left = [error] * times

    def act() -> str:
        if left:
            raise left.pop()
        return "done"

    return act


@pytest.mark.parametrize("error", AWAY)
async def test_an_outage_is_waited_for(error: Exception) -> None:
    assert is_outage(error)
    assert retries_outages(failing(3, error))() == "done"
    act = failing(3, error)

    async def acts() -> str:
        return act()

    assert await retrying_outages(acts) == "done"


@pytest.mark.parametrize("error", HERE)
def test_what_the_database_refuses_is_an_error_at_once(error: Exception) -> None:
    assert not is_outage(error)
    with pytest.raises(type(error)):
        retries_outages(failing(1, error))()


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry_outages, "PATIENCE", 0.0)
    with pytest.raises(psycopg.OperationalError):
        retries_outages(failing(1, psycopg.OperationalError("gone")))()


async def test_checkpoints_are_stored_once_the_database_is_back() -> None:
    class Leaving(InMemorySaver):
        left = 2

        async def aput(self, *arguments: object, **named: object) -> RunnableConfig:
            if self.left:
                self.left -= 1
                raise psycopg.OperationalError("server closed the connection unexpectedly")
            return await super().aput(*arguments, **named)  # type: ignore[arg-type]

    saver = Leaving()
    config: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    put = await RetryingCheckpointer(saver).aput(config, empty_checkpoint(), {"step": 1}, {})
    await RetryingCheckpointer(saver).aput_writes(put, [("answer", "1977")], "task")
    held = await RetryingCheckpointer(saver).aget_tuple(config)
    assert held.pending_writes == [("task", "answer", "1977")]
    assert [one.metadata.get("step") async for one in RetryingCheckpointer(saver).alist(config)] == [1]
