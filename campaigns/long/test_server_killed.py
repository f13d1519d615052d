"""Server without keys that is killed during runs, and one that cannot be started."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fixtures.langgraph_server import Server
from fixtures.slow_model import NAMES, names, slow_at
from langgraph_sdk import get_client
from loopback.openai_server import OpenAIServer

QUESTION = {"question": "When was Voyager 2 launched?"}
CONTEXT: Any = {"corpus": "tiny"}


async def finished(client: Any, thread: str) -> dict[str, Any]:
    state = await client.threads.get_state(thread)
    assert state["next"] == []
    return state["values"]


async def begin(server: Server, model: OpenAIServer) -> tuple[str, str]:
    """Start a question whose model is slow at some point; return thread and run."""
    async with get_client(url=server.url) as client:
        thread = (await client.threads.create())["thread_id"]
        run = await client.runs.create(thread, "fif", input=QUESTION, context=slow_context(model), durability="sync")
    return thread, run["run_id"]


def slow_context(model: OpenAIServer) -> Any:
    # published takes a decision at each step, so that there are several points for a kill
    return {**CONTEXT, "variant": "published", "planner": f"openai-compatible:slow@{model.url}"}


async def until(server: Server, condition: Callable[[], bool | Awaitable[bool]]) -> None:
    deadline = time.monotonic() + 60
    while not (holds := condition()) or (not isinstance(holds, bool) and not await holds):
        assert time.monotonic() < deadline, server.log()
        await asyncio.sleep(0.1)


PLACES = [1, 2, 4]


@pytest.mark.long
@pytest.mark.server
async def test_killed_in_mid_run_runs_finish_after_a_restart(offline_home: Path, tmp_path: Path) -> None:
    """The server resumes by itself the runs that it had saved as running, killed at three points.

    It knows neither run nor thread of the last one, started just before the kill; its checkpoints exist.
    """
    with ExitStack() as stack:
        server = Server(offline_home, tmp_path)
        server.start()
        stack.callback(server.kill)
        models = [stack.enter_context(OpenAIServer(slow_at(place))) for place in PLACES]
        late_model = stack.enter_context(OpenAIServer(slow_at(2)))
        begun = [await begin(server, model) for model in models]
        await until(server, lambda: all(len(model.chats) > place for model, place in zip(models, PLACES, strict=True)))
        await until(server, lambda: all(server.has_saved(run) for _, run in begun))
        forgotten, run = await begin(server, late_model)
        await until(server, lambda: len(late_model.chats) > 2)
        server.kill()
        assert not server.has_saved(run)

        server.start()
        async with get_client(url=server.url) as client:
            for (thread, _), model, place in zip(begun, models, PLACES, strict=True):

                async def ended(thread: str = thread) -> bool:
                    return (await client.threads.get_state(thread))["next"] == []

                await until(server, ended)
                state = await finished(client, thread)
                assert "1977" in state["answer"]["text"]
                assert state["failures"] == []
                # only the call in flight was repeated
                assert names(model) == [*NAMES[: place + 1], *NAMES[place:]]
            await client.threads.create(thread_id=forgotten, if_exists="do_nothing")
            values: Any = await client.runs.wait(forgotten, "fif", input=None, context=slow_context(late_model))
        assert "1977" in values["answer"]["text"]
        assert names(late_model) == [*NAMES[:3], *NAMES[2:]]
        assert "BlockingError" not in server.log()


@pytest.mark.long
@pytest.mark.server
def test_with_a_broken_file_the_server_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "api_keys.toml").write_text("not = [toml")
    server = Server(tmp_path / "home", tmp_path)
    try:
        with pytest.raises(AssertionError, match="SettingsError"):
            server.start()
    finally:
        server.kill()
