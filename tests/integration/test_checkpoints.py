"""Stored runs: how they are kept, found, copied and pruned."""

import asyncio
import sqlite3
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.graph import END, START, StateGraph

from backtrail.state.settings import Budget, Settings
from backtrail.tools.access.thread_owner import belongs_to_other, has_run, thread_of_run
from backtrail.tools.checkpoints.history import (
    find_thread,
    recent_threads,
    run_config,
    settings_of_run,
    thread_config,
)
from backtrail.tools.checkpoints.open import URL_VARIABLE, open_checkpoints, server_checkpoints
from backtrail.tools.checkpoints.serializer import strict_serializer
from backtrail.tools.errors import SettingsError

Saver = BaseCheckpointSaver[str]
STORES = ["sqlite", "postgres"]


class Counted(TypedDict, total=False):
    count: int
    question: str


def counting(saver: Saver) -> Any:
    machine = StateGraph(Counted)
    machine.add_node("one", lambda state: {"count": state.get("count", 0) + 1})
    machine.add_node("two", lambda state: {"count": state["count"] + 10})
    machine.add_edge(START, "one")
    machine.add_edge("one", "two")
    machine.add_edge("two", END)
    return machine.compile(checkpointer=saver)


@pytest.fixture(params=STORES)
async def saver(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Saver]:
    url = str(tmp_path / "deep" / "checkpoints.sqlite")
    if request.param == "postgres":
        import psycopg

        url = str(request.getfixturevalue("postgres_url"))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "DROP TABLE IF EXISTS checkpoints, checkpoint_blobs, checkpoint_writes, checkpoint_migrations"
            )
    async with open_checkpoints(url) as opened:
        yield opened


async def ask(saver: Saver, thread: str, settings: Settings | None = None) -> Any:
    config = run_config(thread, "fif", settings or Settings())
    return await counting(saver).ainvoke({"question": thread}, config, durability="sync")


async def test_threads_are_listed_newest_first_with_method_and_settings(saver: Saver) -> None:
    settings = Settings(corpus="mars", budget=Budget(usd=0.5))
    await ask(saver, "a1")
    await ask(saver, "b1", settings)
    await ask(saver, "a1", settings)
    threads = await recent_threads(saver)
    assert [thread.id for thread in threads] == ["a1", "b1"]
    assert threads[0].method == "fif"
    assert settings_of_run(threads[0].metadata) == settings
    assert [thread.id for thread in await recent_threads(saver, limit=1)] == ["a1"]


async def test_a_thread_is_found_by_its_first_characters(saver: Saver) -> None:
    await ask(saver, "abc1")
    await ask(saver, "abd2")
    assert (await find_thread(saver, "abc1")).id == "abc1"
    assert (await find_thread(saver, "abd")).id == "abd2"
    with pytest.raises(SettingsError, match="Several threads begin with 'ab': abd2, abc1"):
        await find_thread(saver, "ab")
    with pytest.raises(SettingsError, match=r"no thread 'x'\. The latest: abd2, abc1"):
        await find_thread(saver, "x")


def place(held: Any) -> str:
    return held.config["configurable"]["checkpoint_id"]


async def test_earlier_checkpoints_are_listed_by_whatever_names_where_to_begin(saver: Saver) -> None:
    """LangGraph's server hands on what a client sent: an id, a checkpoint, or a config."""
    await ask(saver, "a1")
    held = [place(one) async for one in saver.alist(thread_config("a1"))]
    forms: list[Any] = [held[1], {"checkpoint_id": held[1]}, {"configurable": {"checkpoint_id": held[1]}}]
    for before in forms:
        found = [one async for one in saver.alist(thread_config("a1"), before=before)]
        assert [place(one) for one in found] == held[2:]
    for nothing in (None, {"configurable": None}):
        assert len([one async for one in saver.alist(thread_config("a1"), before=nothing)]) == len(held)


async def test_settings_of_a_server_run_are_its_context_fields() -> None:
    metadata = {"graph_id": "fif", "corpus": "mars", "k": 3, "budget": {"steps": 2}, "assistant_id": "x"}
    assert settings_of_run(metadata) == Settings(corpus="mars", k=3, budget=Budget(steps=2))
    assert settings_of_run({}) == Settings()


async def test_sqlite_writes_ahead_and_waits_for_other_writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "c.sqlite"
    monkeypatch.setenv(URL_VARIABLE, str(file))  # which the server opens
    async with open_checkpoints(str(file)) as one, server_checkpoints() as two:
        connection: Any = one.conn  # type: ignore[attr-defined]
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 1), ("busy_timeout", 30_000)):
            async with connection.execute(f"PRAGMA {pragma}") as cursor:
                assert (await cursor.fetchone())[0] == value
        await ask(one, "a")
        await ask(two, "b")
        assert {thread.id for thread in await recent_threads(one)} == {"a", "b"}
    monkeypatch.setenv(URL_VARIABLE, "mysql://somewhere")
    with pytest.raises(SettingsError, match="unknown scheme 'mysql'"):
        async with open_checkpoints():
            pass


async def cancelled_between_nodes(saver: Saver) -> Any:
    """A machine, of which a run was cancelled after its first node, while the next one was chosen."""
    choosing = asyncio.Event()

    async def choose(state: Counted) -> str:
        if not choosing.is_set():
            choosing.set()
            await asyncio.sleep(60)
        return "two"

    machine = StateGraph(Counted)
    machine.add_node("one", lambda state: {"count": state.get("count", 0) + 1})
    machine.add_node("two", lambda state: {"count": state["count"] + 10})
    machine.add_edge(START, "one")
    machine.add_conditional_edges("one", choose, ["two"])
    graph: Any = machine.compile(checkpointer=saver)
    # with messages, nodes are tasks of their own, which are cancelled after the run
    stream = graph.astream({"question": "?"}, thread_config("t"), stream_mode=["messages"], durability="sync")
    run = asyncio.create_task(anext(stream))
    await choosing.wait()
    run.cancel()
    await asyncio.wait((run,))
    return graph


async def test_a_run_cancelled_between_nodes_is_resumed(saver: Saver) -> None:
    graph = await cancelled_between_nodes(saver)
    assert (await graph.ainvoke(None, thread_config("t")))["count"] == 11


async def test_a_cancelled_run_leaves_the_file_to_others(tmp_path: Path) -> None:
    file = str(tmp_path / "c.sqlite")
    async with open_checkpoints(file) as opened:
        connection: Any = opened.conn  # type: ignore[attr-defined]
        commit = connection.commit

        async def slow_commit() -> None:
            await asyncio.sleep(0.05)
            await commit()

        connection.commit = slow_commit
        await cancelled_between_nodes(opened)
    with closing(sqlite3.connect(file, timeout=0)) as other:
        other.execute("DELETE FROM writes")


async def test_removal_by_run_and_pruning(tmp_path: Path) -> None:
    async with open_checkpoints(str(tmp_path / "c.sqlite")) as opened:
        for run in ("r1", "r2"):
            await counting(opened).ainvoke({"question": run}, run_config("t", "fif", Settings(), {"run_id": run}))
        await opened.adelete_for_runs(["r1"])
        left = [held async for held in opened.alist(thread_config("t"))]
        assert {dict(held.metadata)["run_id"] for held in left} == {"r2"}
        await opened.aprune(["t"])
        assert len([held async for held in opened.alist(thread_config("t"))]) == 1
        assert (await counting(opened).aget_state(thread_config("t"))).values["question"] == "r2"
        await opened.aprune(["t"], strategy="delete_all")
        assert await opened.aget_tuple(thread_config("t")) is None


def test_serialization_is_strict() -> None:
    serializer = strict_serializer()
    plain = {"hops": [{"step": 0, "score": 0.5, "none": None}], "message": AIMessage("hello", id="1")}
    assert serializer.loads_typed(serializer.dumps_typed(plain)) == plain
    settings = serializer.loads_typed(serializer.dumps_typed({"settings": Settings()}))["settings"]
    assert not isinstance(settings, Settings)  # a class named by a checkpoint is not imported


# --- whose runs a thread holds -----------------------------------------------------------------------
@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = tmp_path / "file.sqlite" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    monkeypatch.setenv("BACKTRAIL_CHECKPOINTS_URL", str(url))


async def keep(thread: str, metadata: Mapping[str, Any]) -> None:
    config: Any = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    async with open_checkpoints() as saver:
        await saver.aput(config, empty_checkpoint(), dict(metadata), {})  # type: ignore[arg-type]


@pytest.mark.usefixtures("store")
async def test_a_thread_belongs_to_whoever_ran_something_on_it() -> None:
    annas, nobodys, run = str(uuid.uuid4()), str(uuid.uuid4()), str(uuid.uuid4())
    await keep(annas, {"source": "input", "owner": "anna", "run_id": run})
    await keep(annas, {"source": "update"})  # a change of state by hand names nobody
    await keep(nobodys, {"source": "input"})
    assert await has_run(annas, "anna")
    assert not await has_run(annas, "bert")
    assert not await has_run(nobodys, "anna")
    assert not await belongs_to_other(annas, "anna")
    assert await belongs_to_other(annas, "bert")
    assert await belongs_to_other(nobodys, "anna")
    assert not await belongs_to_other(str(uuid.uuid4()), "anna")
    assert await thread_of_run(run) == annas
    assert await thread_of_run(str(uuid.uuid4())) is None
