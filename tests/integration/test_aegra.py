"""aegra as a host, on a real Postgres with a real Redis: answers, keys, policy, and runs whose process dies."""

import asyncio
import json
import os
import re
import shutil
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from fixtures.aegra_server import Aegra, python_with_aegra
from fixtures.agents import check_agent
from fixtures.asking import SILENCE, Asking
from fixtures.belongings import filled, own_one_of_each
from fixtures.classified_routes import AEGRA_ROUTES
from fixtures.closed_server import (
    CONTEXT,
    QUESTION,
    add_bridges,
    check_document_tools,
    check_table_tools,
    client_of,
    made,
    signed_in,
    token_in,
)
from fixtures.hostile_bodies import GARBAGE, nested
from fixtures.slow_model import NAMES, names, slow_at
from loopback.openai_server import OpenAIServer

from backtrail.graphs.methods import METHODS
from backtrail.tools.access.api_keys import add_key, revoke_key
from backtrail.tools.access.policy.gate import assistant_id
from backtrail.tools.access.public_address import REQUEST_ADDRESS

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(not python_with_aegra(), reason="aegra is not installed; `make install` brings it"),
    pytest.mark.skipif(shutil.which("redis-server") is None, reason="Redis is not installed; `make install` brings it"),
]
POLICY = """
[keys.bert]
methods = ["bm25"]
corpora = ["tiny"]
most = { steps = 2 }
[assistants.desk]
method = "bm25"
settings = { corpus = "tiny" }
"""


@pytest.fixture(scope="module")
def database(postgres_url: str) -> str:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS aegra WITH (FORCE)")
        connection.execute("CREATE DATABASE aegra")
    return postgres_url.rpartition("/")[0] + "/aegra"


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory, database: str, redis: str) -> Iterator[list[Aegra]]:
    """Two processes that share everything."""
    folder = tmp_path_factory.mktemp("aegra")
    held = made(folder, folder, {})
    add_bridges(held, folder)
    keys = held.keys
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        keys["gone"] = add_key("gone")
        revoke_key("gone")
    (folder / "home" / "policy.toml").write_text(POLICY)
    several = [Aegra(folder / "home", folder / name, database, redis, {}) for name in ("one", "two")]
    for one in several:
        one.keys = keys
        one.start()
    yield several
    for one in several:
        one.kill()


@pytest.fixture
def server(processes: list[Aegra]) -> Aegra:
    return processes[0]


async def test_every_method_is_served(anna: Any) -> None:
    served = {one["graph_id"] for one in await anna.assistants.search(limit=100)}
    assert served == {*METHODS, "ingest"}
    for method in ("hm_rag", "cogplanner"):
        answered = await anna.runs.wait(None, method, input=QUESTION, context=CONTEXT)
        assert "1977" in json.dumps(answered["answer"]), method
        told = answered["messages"][-1]["additional_kwargs"]["backtrail"]
        assert told["thread"] == told["trace"] == "", "the thread is gone, and so would be its page"


async def test_a_question_is_streamed_and_its_trace_is_its_askers(server: Aegra, anna: Any) -> None:
    thread = (await anna.threads.create())["thread_id"]
    seen = [
        part.event
        async for part in anna.runs.stream(
            thread, "fif", input=QUESTION, context=CONTEXT, stream_mode=["updates"],
            config={"metadata": {REQUEST_ADDRESS: "https://evil.example"}},
        )
    ]  # fmt: skip
    assert any(event.startswith("updates") for event in seen)
    payload = (await anna.threads.get_state(thread))["values"]["messages"][-1]["additional_kwargs"]["backtrail"]
    assert payload["trace"] == f"{server.url}/trace/{thread}", "the address that was asked, whatever the client wrote"
    for name, status in (("anna", 200), ("bert", 404), ("gone", 401)):
        assert server.ask("GET", f"/trace/{thread}", server.header(name))[0] == status
    assert server.ask("GET", f"/trace/{thread}")[0] == 401
    assert b"Voyager" in server.get(f"/trace/{thread}", server.header("anna"))[2]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"assistant_id":"bm25","input":{"question":"When?"},"context":{"corpus":"tiny\\u0000x"}}', 422),
        (b'{"assistant_id":"bm25\\u0000","input":{"question":"When?"},"context":{"corpus":"tiny"}}', 404),
        (b'{"assistant_id":"bm25","input":{"question":"When \\ud800?"},"context":{"corpus":"tiny"}}', 422),
        (b'{"assistant_id":"ingest","input":{"question":"When?"}}', 422),
    ],
)
def test_what_postgres_cannot_hold_is_refused_and_no_error_of_the_server(
    server: Aegra, body: bytes, status: int
) -> None:
    kind = {"Content-Type": "application/json", **server.header("anna")}
    found, _, told = server.ask("POST", "/runs/wait", kind, body)
    assert found == status, told


async def test_the_page_is_there_too(server: Aegra) -> None:
    """A person signs in, asks, and sees the answer; without a key there is the sign-in alone."""
    async with httpx.AsyncClient(base_url=server.url, follow_redirects=True, timeout=60) as person:
        html = {"Accept": "text/html"}
        asking = await signed_in(person, server.keys["anna"])
        assert "Ask your documents" in asking
        asked = {"question": QUESTION["question"], "corpus": "tiny", "method": "bm25", "token": token_in(asking)}
        run = await person.post("/ui/ask", data=asked, headers=html)
        deadline = time.monotonic() + 60
        while 'aria-label="Answer"' not in run.text:
            assert time.monotonic() < deadline, run.text[:2000]
            await asyncio.sleep(0.5)
            run = await person.get(run.url, headers=html)
        assert "1977" in run.text
        thread = run.url.path.rpartition("/")[2]
    assert server.ask("GET", f"/ui/runs/{thread}", server.header("bert"))[0] == 404


async def test_the_policy_holds_and_its_assistants_are_there(anna: Any, bert: Any) -> None:
    for assistant, context, status in [("fif", CONTEXT, 403), ("bm25", {"corpus": "other"}, 422)]:
        with pytest.raises(httpx.HTTPStatusError) as raised:
            await bert.runs.wait(None, assistant, input=QUESTION, context=context)
        assert raised.value.response.status_code == status
    with pytest.raises(httpx.HTTPStatusError) as raised:
        await anna.runs.wait(None, "fif", input=QUESTION, context={"fif": {"shortlst": 3}})
    assert (raised.value.response.status_code, "Did you mean" in raised.value.response.text) == (422, True)
    answered = await bert.runs.wait(None, assistant_id("desk"), input=QUESTION)
    assert answered["answer"]
    with pytest.raises(httpx.HTTPStatusError) as raised:
        await bert.runs.wait(None, assistant_id("desk"), input=QUESTION, context={"k": 3})
    assert "has fixed settings" in raised.value.response.text


async def test_what_is_someones_is_for_nobody_else(server: Aegra, anna: Any) -> None:
    """Every route that the server lists, asked for what is anna's by others."""
    annas = await own_one_of_each(anna, "anna", "annaberg", space=("notes",))  # stores are scoped by holder
    ids, secret = annas.ids, annas.secret
    table = json.loads(server.get("/openapi.json")[2])["paths"]
    live = {f"{verb.upper()} {path}" for path, verbs in table.items() for verb in verbs}
    assert live - AEGRA_ROUTES.keys() == set(), "Say in fixtures/classified_routes.py whom these routes answer."
    problems: list[str] = []
    for name in ("bert", "gone", ""):
        async with Asking(server, name, SILENCE) as asking:
            for listed, route in AEGRA_ROUTES.items():
                for body in route.bodies:
                    answer = await asking.ask(*filled((listed, body, route.query), ids))
                    refused = answer.status in ((400, 403, 404, 405, 409, 422) if name == "bert" else (401, 403, 404))
                    said_no = bool(route.says_no and re.search(route.says_no, answer.text))
                    right = refused or said_no or route.audience in ("anyone", "each", "holders")
                    if name != "bert" and route.audience != "anyone":
                        right = refused
                    if not right or secret in answer.text or answer.status >= 500:
                        problems.append(f"{name or 'nobody'}: {listed} {body}: {answer}")
    assert not problems, "\n".join(problems)
    assert (await anna.threads.get(ids["thread_id"]))["metadata"]["secret"] == secret


def test_clients_of_mcp_see_the_tools_that_the_policy_leaves_them(server: Aegra) -> None:
    begun = server.mcp("anna", "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})
    assert (begun["protocolVersion"], begun["capabilities"]) == ("2025-06-18", {"tools": {"listChanged": False}})
    assert server.post("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, server.header("anna")) == 202
    annas, berts = (
        {one["name"]: one for one in server.mcp(name, "tools/list", {})["tools"]} for name in ("anna", "bert")
    )
    own = {"search", "read", "tables", "compute", "list_documents", "next_part", "find_phrase"}
    assert annas.keys() >= {*METHODS, *own, "desk"}
    assert "ingest" not in annas
    assert berts.keys() == {"bm25", *own, "desk"}
    schema = annas["bm25"]["inputSchema"]
    assert (schema["type"], schema["properties"]["messages"]["type"]) == ("object", "string")
    assert berts["bm25"]["inputSchema"]["properties"]["corpus"]["enum"] == ["tiny"]
    for name in ("", "gone"):
        assert server.mcp(name, "tools/list", {}) == 401
        assert server.mcp(name, "tools/call", {"name": "search", "arguments": {"corpus": "tiny", "query": "x"}}) == 401


async def test_a_tool_of_mcp_asks_searches_and_reads(server: Aegra, anna: Any) -> None:
    result = server.mcp("anna", "tools/call", {"name": "fif", "arguments": {**QUESTION, "corpus": "tiny"}})
    assert (result["structuredContent"]["sources"], result["structuredContent"]["abstained"]) != ([], False)
    thread = result["structuredContent"]["thread"]
    assert result["structuredContent"]["trace"] == f"{server.url}/trace/{thread}"
    assert server.ask("GET", f"/trace/{thread}", server.header("anna"))[0] == 200
    assert server.ask("GET", f"/trace/{thread}", server.header("bert"))[0] == 404
    assert "1977" in json.dumps(server.mcp("bert", "tools/call", {"name": "desk", "arguments": QUESTION}))
    check_table_tools(server, "bert")
    check_document_tools(server, "bert")
    await check_agent(server, "bert")


@pytest.mark.parametrize(
    ("name", "params", "says"),
    [
        ("bert", {"name": "fif", "arguments": QUESTION}, "The method 'fif' is not allowed for you"),
        ("anna", {"name": "bm25", "arguments": {"question": "x" * 20_000, "corpus": "tiny"}}, "at most 10,000"),
        ("anna", {"name": "ingest", "arguments": {"corpus": "tiny"}}, "You may not ingest files here"),
        ("anna", {"name": "nothing", "arguments": {}}, "Unknown tool: nothing"),
    ],
)
def test_what_a_tool_of_mcp_cannot_do_is_said(server: Aegra, name: str, params: Any, says: str) -> None:
    result = server.mcp(name, "tools/call", params)
    assert result.get("isError") or result["code"] == -32602
    assert says in (result.get("message") or result["content"][0]["text"])


@pytest.mark.long
async def test_no_form_of_a_request_breaks_the_server(server: Aegra) -> None:
    problems: list[str] = []
    strange: dict[str, str] = dict.fromkeys(
        ("name", "thread_id", "run_id", "checkpoint_id", "assistant_id", "cron_id"), str(uuid4())
    )
    async with Asking(server, "anna", SILENCE) as asking:
        for name, route in AEGRA_ROUTES.items():
            for body in (*GARBAGE, *nested(name, route)) if not name.startswith("GET ") else ():
                answer = await asking.ask(*filled((name, body, route.query), strange))
                if answer.status >= 500:
                    problems.append(f"{name} {str(body)[:80]}: {answer}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("before", ["{", "\ufeff{", '{"x": NaN, ', '{"x": 1e999, '])
def test_no_form_of_json_gets_around_the_limits(server: Aegra, before: str) -> None:
    """aegra reads JSON that others do not take."""
    kind = {"Content-Type": "application/json", **server.header("anna")}
    thread = json.loads(server.ask("POST", "/threads", kind, b"{}")[2])["thread_id"]
    body = before + json.dumps({"values": {"question": "x" * 20_000}}).removeprefix("{")
    for encoding in ("utf-8", "utf-16"):
        status, _, told = server.ask("POST", f"/threads/{thread}/state", kind, body.encode(encoding))
        assert status == 422, told


async def test_what_one_process_knows_all_know(processes: list[Aegra]) -> None:
    """Threads, keys, the policy, corpora of clients, and requests a minute."""
    one, two = processes
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(one.home))
        one.keys["dora"] = add_key("dora")
    (one.home / "policy.toml").write_text(POLICY + "[keys.dora]\ningest = true\n")
    async with client_of(one, "dora") as here, client_of(two, "dora") as there:
        thread = (await eventually(lambda: here.threads.create()))["thread_id"]
        await here.runs.wait(thread, "bm25", input=QUESTION, context=CONTEXT)
        assert (await there.threads.get_state(thread))["values"]["answer"]
        assert one.ask("PUT", "/corpora/own/files/a.md", one.header("dora"), b"# A\n\nThe ferry is blue.")[0] == 201
        await there.runs.wait(None, "ingest", input={"corpus": "own"})
        assert json.loads(one.get("/corpora/own", one.header("dora"))[2])["documents"] == 1
    (one.home / "policy.toml").write_text(POLICY + "[keys.dora]\nrate = { requests = 1 }\n")
    await eventually(lambda: _is(one.get("/corpora", one.header("dora"))[0], 429))
    assert two.get("/corpora", two.header("dora"))[0] == 429, "it counts what the other answered"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(one.home))
        revoke_key("dora")
    await eventually(lambda: _is(two.get("/corpora", two.header("dora"))[0], 401))


async def test_a_run_whose_process_dies_is_taken_up_by_another(processes: list[Aegra]) -> None:
    """And only the call that was in flight is made again. So is a client's ingest."""
    dies, lives = processes
    place = 2
    with OpenAIServer(slow_at(place)) as model:
        context = {**CONTEXT, "variant": "published", "planner": f"openai-compatible:slow@{model.url}"}
        os.killpg(lives.pid, signal.SIGSTOP)  # so that it is the one that dies which has the run
        await asyncio.sleep(1.5)  # what it waits for in Redis has ended by then
        granted = f'[keys.anna]\nmodels = ["*@{model.url}"]\ningest = true\n'
        (dies.home / "policy.toml").write_text(POLICY + granted)
        await eventually(lambda: _is(dies.ask("PUT", "/corpora/many/files/0.md", dies.header("anna"), b"A.")[0], 201))
        for number in range(100):
            page = f"# Ferry {number}\n\nFerry {number} crosses in {number} minutes.\n" * 20
            dies.ask("PUT", f"/corpora/many/files/{number}.md", dies.header("anna"), page.encode())
        async with client_of(dies, "anna") as client:
            threads = [(await client.threads.create())["thread_id"] for _ in range(2)]
            asked = await client.runs.create(threads[0], "fif", input=QUESTION, context=context)
            brought = await client.runs.create(threads[1], "ingest", input={"corpus": "many"})
            await eventually(lambda: _is(len(model.chats) > place, True))
            await eventually(lambda: _at_work(dies))
        dies.kill()
        os.killpg(lives.pid, signal.SIGCONT)
        async with client_of(lives, "anna") as client:
            for thread, run in zip(threads, (asked, brought), strict=True):
                await eventually(partial(_ended, client, thread, run["run_id"]))
            values: Any = (await client.threads.get_state(threads[0]))["values"]
            ingested: Any = (await client.threads.get_state(threads[1]))["values"]
    assert "1977" in values["answer"]["text"]
    assert values["failures"] == []
    assert names(model) == [*NAMES[: place + 1], *NAMES[place:]]
    assert ingested["report"]["added"] + ingested["report"]["unchanged"] == 100


async def eventually(holds: Callable[[], Awaitable[Any]]) -> Any:
    """What comes of it, once something does; what goes wrong until then does not count."""
    until = time.monotonic() + 120
    while True:
        with suppress(httpx.HTTPStatusError):
            if found := await holds():
                return found
        assert time.monotonic() < until
        await asyncio.sleep(0.2)


async def _is(found: Any, wanted: Any) -> bool:
    return bool(found == wanted)


async def _at_work(server: Aegra) -> bool:
    """Whether the ingest has begun to read."""
    shown = json.loads(server.get("/corpora/many", server.header("anna"))[2])
    return bool(shown["ingest"] and shown["ingest"]["state"] == "running" and shown["ingest"]["done"])


async def _ended(client: Any, thread: str, run: str) -> bool:
    return (await client.runs.get(thread, run))["status"] not in ("pending", "running")
