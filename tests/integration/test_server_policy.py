"""The policy on a server that runs: grants, ceilings, fixed assistants and quotas, changed without a restart."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fixtures.closed_server import CONTEXT, QUESTION, Closed, client_of, governed

from backtrail.tools.access.policy.gate import assistant_id

pytestmark = pytest.mark.server
POLICY = """
[everyone]
methods = ["fif", "bm25"]
corpora = ["tiny"]
settings = ["k"]
most = { steps = 1, question = 200 }
rate = { requests = 100000 }
[keys.bert]
methods = []
[keys.bert.quota]
runs = 2
[assistants.desk]
method = "bm25"
about = "Answers from tiny."
free = ["k"]
settings = { corpus = "tiny", knowledge = "evidence" }
[assistants.annas]
method = "bm25"
for = ["anna"]
settings = { corpus = "tiny" }
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    with governed(tmp_path_factory.mktemp("policy"), POLICY) as server:
        yield server


@pytest.fixture
async def anna(server: Closed) -> AsyncIterator[Any]:
    async with client_of(server, "anna") as client:
        yield client


@pytest.fixture
async def bert(server: Closed) -> AsyncIterator[Any]:
    async with client_of(server, "bert") as client:
        yield client


async def refused(client: Any, assistant: str, context: Any, question: str = QUESTION["question"]) -> tuple[int, str]:
    with pytest.raises(httpx.HTTPStatusError) as raised:
        await client.runs.wait(None, assistant, input={"question": question}, context=context)
    return raised.value.response.status_code, raised.value.response.text


async def until(client: Any, wanted: set[str]) -> dict[str, Any]:
    """The host's assistants that a client sees, once they are these."""
    deadline = time.monotonic() + 30
    while True:
        seen = {one["name"]: one for one in await client.assistants.search(metadata={"created_by": "policy"})}
        if seen.keys() == wanted:
            return seen
        assert time.monotonic() < deadline, seen.keys()
        await asyncio.sleep(0.2)


async def test_what_is_not_granted_makes_no_run(anna: Any) -> None:
    for assistant, context, said in [
        ("mmapg", CONTEXT, "The method 'mmapg' is not for you here."),
        ("bm25", {**CONTEXT, "temperature": 1.0}, "The setting temperature may not be chosen here."),
        ("bm25", {**CONTEXT, "budget": {"steps": 5}}, "budget.steps = 5 is above what a run may spend here: 1."),
    ]:
        status, text = await refused(anna, assistant, context)
        assert (status, said in text) == (403, True), text
    status, text = await refused(anna, "bm25", CONTEXT, "when? " * 50)
    assert (status, "longer than 202" in text or "longer than" in text) == (422, True), text


async def test_no_assistant_config_or_thread_passes_a_ceiling(anna: Any) -> None:
    """They are made by a client, and say more steps than the host allows: the run has one."""
    own = await anna.assistants.create("fif", context={**CONTEXT, "budget": {"steps": 50}})
    status, _ = await refused(anna, own["assistant_id"], {})
    assert status == 403
    config: Any = {"configurable": {**CONTEXT, "budget": {"steps": 50}}}
    with pytest.raises(httpx.HTTPStatusError):
        await anna.runs.wait(None, "fif", input=QUESTION, config=config)
    thread = (await anna.threads.create())["thread_id"]
    await anna.runs.wait(thread, "fif", input=QUESTION, context=CONTEXT)
    values = (await anna.threads.get_state(thread))["values"]
    assert [hop["kind"] for hop in values["hops"]] == ["traverse", "stop"]


async def test_the_hosts_assistants_are_run_and_not_changed(anna: Any, bert: Any) -> None:
    seen = await until(anna, {"desk", "annas"})
    assert seen["desk"]["description"] == "Answers from tiny."
    assert (await until(bert, {"desk"})).keys() == {"desk"}
    answered = await bert.runs.wait(None, assistant_id("desk"), input=QUESTION, context={"k": 3})
    assert answered["answer"]
    status, text = await refused(bert, assistant_id("desk"), {"corpus": "others"})
    assert (status, "has fixed settings" in text) == (403, True)
    assert (await refused(bert, assistant_id("annas"), {}))[0] in (403, 404)
    for change in (
        anna.assistants.update(assistant_id("desk"), context={"corpus": "others"}),
        anna.assistants.delete(assistant_id("desk")),
        anna.assistants.create("bm25", metadata={"whom": ["bert"]}),
        anna.assistants.create("bm25", metadata={"created_by": "policy"}),
    ):
        with pytest.raises(httpx.HTTPStatusError) as raised:
            await change
        assert raised.value.response.status_code in (403, 404)


async def test_a_quota_ends_with_the_time_to_wait(bert: Any) -> None:
    """One of two runs was had above; runs that are refused for another reason are none."""
    for _ in range(3):
        with pytest.raises(httpx.HTTPStatusError) as mistaken:
            await bert.runs.wait(None, assistant_id("desk"), input={**QUESTION, "image": "ab" * 32})
        assert mistaken.value.response.status_code == 422
    await bert.runs.wait(None, assistant_id("desk"), input=QUESTION)
    with pytest.raises(httpx.HTTPStatusError) as raised:
        await bert.runs.wait(None, assistant_id("desk"), input=QUESTION)
    assert raised.value.response.status_code == 429
    assert "Today's quota of 2 runs is used up" in raised.value.response.text
    assert int(raised.value.response.headers["Retry-After"]) > 0


async def test_a_changed_policy_counts_without_a_restart_and_a_broken_one_not(server: Closed, anna: Any) -> None:
    file = Path(server.folder / "home" / "policy.toml")
    file.write_text(POLICY.replace('methods = ["fif", "bm25"]', 'methods = ["bm25"]').replace("annas]", "moved]"))
    await until(anna, {"desk", "moved"})
    assert (await refused(anna, "fif", CONTEXT))[0] == 403
    file.write_text("[everyone]\nmethds = ['fif']")
    os.utime(file)
    deadline = time.monotonic() + 30
    while "everyone.methds is not known here" not in server.log():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.2)
    assert (await refused(anna, "fif", CONTEXT))[0] == 403
    assert (await anna.runs.wait(None, "bm25", input=QUESTION, context=CONTEXT))["answer"]
