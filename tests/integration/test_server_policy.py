"""The policy on a server that runs: whom it lets in, what they may do, and the tools that clients of MCP get.

It is closed by an issuer's tokens alone at first; then there are keys too, and the policy changes, without a restart.
"""

import asyncio
import json
import os
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fixtures.agents import check_agent
from fixtures.closed_server import (
    CONTEXT,
    QUESTION,
    Closed,
    add_bridges,
    check_document_tools,
    check_table_tools,
    made,
    refused,
)
from langgraph_sdk import get_client
from loopback.issuer import AUDIENCE, Issuer

from backtrail.tools.access import tokens
from backtrail.tools.access.api_keys import add_key
from backtrail.tools.access.policy.gate import assistant_id

pytestmark = pytest.mark.server
POLICY = """
[everyone]
methods = ["bm25"]
corpora = ["tiny"]
settings = ["k"]
most = { steps = 1, question = 200 }
rate = { requests = 100000 }
[groups.research]
methods = ["bm25", "fif"]
[keys.anna]
methods = ["fif", "bm25"]
[keys.bert]
methods = []
[keys.bert.quota]
runs = 2
[keys.carl]
corpora = []
[assistants.desk]
method = "bm25"
description = "Answers from tiny."
changeable = ["k"]
settings = { corpus = "tiny", knowledge = "evidence" }
[assistants.annas]
method = "bm25"
for = ["anna"]
settings = { corpus = "tiny" }
"""


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def unkeyed(issuer: Issuer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    """Without any key: the issuer's tokens alone close it."""
    folder = tmp_path_factory.mktemp("policy")
    server = made(folder, folder, {tokens.ISSUER: issuer.url, tokens.AUDIENCE: AUDIENCE})
    add_bridges(server, folder)
    (folder / "home" / "api_keys.toml").unlink()
    (folder / "home" / "policy.toml").write_text(POLICY)
    server.start()
    yield server
    server.kill()
    assert "BlockingError" not in server.log()


@pytest.fixture(scope="module")
def server(unkeyed: Closed) -> Closed:
    """The same server, when there are keys."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(unkeyed.home))
        unkeyed.keys = {name: add_key(name) for name in ("anna", "bert", "carl")}
    return unkeyed


async def test_subjects_are_let_in_and_kept_apart(unkeyed: Closed, issuer: Issuer) -> None:
    search = json.dumps({}).encode()
    kind = {"Content-Type": "application/json"}
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": f"Bearer {issuer.token(aud='x')}"}):
        assert unkeyed.ask("POST", "/threads/search", {**kind, **headers}, search)[0] == 401
    groups = {"ada": "research", "bob": "staff"}
    clients: list[Any] = [
        get_client(url=unkeyed.url, api_key=issuer.token(name, groups=[group])) for name, group in groups.items()
    ]
    ada, bob = clients
    thread = (await ada.threads.create())["thread_id"]
    answered = await ada.runs.wait(thread, "fif", input=QUESTION, context=CONTEXT)
    assert answered["answer"]
    assert (await ada.threads.get(thread))["metadata"]["owner"] == "oidc-ada"
    await refused(lambda: bob.threads.get(thread), 404)
    assert "method 'fif'" in await refused(lambda: run(bob, "fif", CONTEXT), 403)
    assert (await bob.runs.wait(None, "bm25", input=QUESTION, context=CONTEXT))["answer"]
    for client in clients:
        await client.aclose()


def test_a_subject_signs_in_to_the_page_with_a_token(unkeyed: Closed, issuer: Issuer) -> None:
    html = {"Accept": "text/html"}
    with httpx.Client(base_url=unkeyed.url, headers=html, follow_redirects=True, timeout=60) as person:

        def sign_in(key: str) -> httpx.Response:
            token = re.findall(r'name="token" value="([^"]+)"', person.get("/ui/sign-in").text)[0]
            return person.post("/ui/sign-in", data={"token": token, "key": key, "next": "/ui/runs"})

        for key in ("nonsense", "ä", issuer.token("eve", aud="x"), "x" * 5000):
            outside = sign_in(key)
            assert (outside.status_code, "Unknown key" in outside.text) == (403, True)
        inside = sign_in(issuer.token("ada", groups=["research"]))
        assert (inside.status_code, inside.url.path) == (200, "/ui/runs")
        assert QUESTION["question"] in inside.text, "what she asked above"


def test_runs_are_told_in_figures_and_in_the_log(unkeyed: Closed, issuer: Issuer) -> None:
    assert unkeyed.ask("GET", "/metrics")[0] == 401
    status, _, body = unkeyed.get("/metrics", {"Authorization": f"Bearer {issuer.token('prometheus')}"})
    assert status == 200
    assert 'backtrail_runs_total{method="fif",outcome="done"} 1.0' in body.decode()
    assert 'backtrail_node_seconds_count{method="fif",node="decompose"} 1.0' in body.decode()
    assert "run_ended" in unkeyed.log()
    assert QUESTION["question"] not in body.decode()


# --- keys ------------------------------------------------------------------------------------------


async def run(client: Any, assistant: str, context: Any, **more: Any) -> Any:
    return await client.runs.wait(None, assistant, input={**QUESTION, **more}, context=context)


async def until(client: Any, wanted: set[str]) -> dict[str, Any]:
    """The host's assistants that a client sees, once they are these."""
    deadline = time.monotonic() + 30
    while True:
        seen = {one["name"]: one for one in await client.assistants.search(metadata={"created_by": "policy"})}
        if seen.keys() == wanted:
            return seen
        assert time.monotonic() < deadline, seen.keys()
        await asyncio.sleep(0.2)


async def test_no_assistant_config_or_thread_passes_a_ceiling(anna: Any) -> None:
    """They are made by a client, and say more steps than the host allows: the run has one."""
    own = await anna.assistants.create("fif", context={**CONTEXT, "budget": {"steps": 50}})
    await refused(lambda: run(anna, own["assistant_id"], {}), 403)
    config: Any = {"configurable": {**CONTEXT, "budget": {"steps": 50}}}
    await refused(lambda: anna.runs.wait(None, "fif", input=QUESTION, config=config))
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
    assert "has fixed settings" in await refused(lambda: run(bert, assistant_id("desk"), {"corpus": "others"}), 403)
    await refused(lambda: run(bert, assistant_id("annas"), {}), 403, 404)
    for change in (
        lambda: anna.assistants.update(assistant_id("desk"), context={"corpus": "others"}),
        lambda: anna.assistants.delete(assistant_id("desk")),
        lambda: anna.assistants.create("bm25", metadata={"whom": ["bert"]}),
        lambda: anna.assistants.create("bm25", metadata={"created_by": "policy"}),
    ):
        await refused(change, 403, 404)


async def test_a_quota_ends_with_the_time_to_wait(bert: Any) -> None:
    """One of two runs was had above; runs that are refused for another reason are none."""
    for _ in range(3):
        await refused(lambda: run(bert, assistant_id("desk"), None, image="ab" * 32), 422)
    await bert.runs.wait(None, assistant_id("desk"), input=QUESTION)
    with pytest.raises(httpx.HTTPStatusError) as raised:
        await bert.runs.wait(None, assistant_id("desk"), input=QUESTION)
    assert raised.value.response.status_code == 429
    assert "Today's quota of 2 runs is used up" in raised.value.response.text
    assert int(raised.value.response.headers["Retry-After"]) > 0


# --- tools of MCP --------------------------------------------------------------------------------------
def test_a_method_that_a_key_may_not_use_is_no_tool(server: Closed) -> None:
    annas, carls = (
        {one["name"]: one for one in server.mcp(name, "tools/list", {})["tools"]} for name in ("anna", "carl")
    )
    own = {"search", "read", "tables", "compute", "list_documents", "next_part", "find_phrase"}
    known = {"fif", "mmapg", "bm25", "ingest", *own}
    assert annas.keys() & known == {"fif", "bm25", *own}
    assert carls.keys() & known == {"bm25", *own}
    assert all(one["description"] for one in annas.values())
    assert annas["search"]["inputSchema"]["properties"]["corpus"]["enum"] == ["tiny"]
    for tool in own:
        assert "enum" not in carls[tool]["inputSchema"]["properties"]["corpus"]
    assert server.mcp("carl", "tools/call", {"name": "fif", "arguments": {"question": "When?"}})["isError"]
    assert server.mcp("", "tools/list", {}) == 401
    assert server.mcp("", "tools/call", {"name": "search", "arguments": {"corpus": "tiny", "query": "x"}}) == 401


def test_a_corpus_is_searched_and_read(server: Closed) -> None:
    found = server.mcp(
        "anna", "tools/call", {"name": "search", "arguments": {"corpus": "tiny", "query": "Voyager launch"}}
    )
    [words] = found["content"]
    best = found["structuredContent"]["found"][0]
    assert (best["id"], best["text"]) == ("voyager#0", "Voyager 2 was launched on 20 August 1977.")
    assert words["text"].startswith("1. ")
    assert best["id"] in words["text"]
    piece = server.mcp("anna", "tools/call", {"name": "read", "arguments": {"corpus": "tiny", "id": best["id"]}})
    assert piece["content"][0]["text"] == f"[{best['id']}] {best['text']}"
    whole = server.mcp("anna", "tools/call", {"name": "read", "arguments": {"corpus": "tiny", "id": best["document"]}})
    assert [one["id"] for one in whole["structuredContent"]["read"]] == ["voyager#0", "voyager#1"]


async def test_tables_are_computed_over_documents_listed_and_an_agent_works(server: Closed) -> None:
    check_table_tools(server, "anna")
    check_document_tools(server, "anna")
    await check_agent(server, "anna")


@pytest.mark.parametrize(
    ("name", "tool", "arguments", "says"),
    [
        ("carl", "tables", {"corpus": "tiny", "query": "bridges"}, "tiny"),
        ("carl", "compute", {"corpus": "tiny", "tables": ["bridges.csv#table-1"]}, "tiny"),
        ("carl", "list_documents", {"corpus": "tiny"}, "tiny"),
        ("carl", "next_part", {"corpus": "tiny", "id": "voyager#0"}, "tiny"),
        ("carl", "find_phrase", {"corpus": "tiny", "phrase": "Voyager"}, "tiny"),
        ("anna", "tables", {"corpus": "tiny"}, "'query' is missing"),
        ("anna", "compute", {"corpus": "tiny", "tables": ["x"] * 7}, "'tables' must be a list of 1 to 6 ids"),
        ("anna", "compute", {"corpus": "tiny", "tables": ["x"], "query": "x" * 5000}, "at most 4,000 characters"),
        ("carl", "search", {"corpus": "tiny", "query": "Voyager"}, "tiny"),
        ("carl", "read", {"corpus": "tiny", "id": "voyager#0"}, "tiny"),
        ("anna", "search", {"corpus": "../tiny", "query": "Voyager"}, "../tiny"),
        ("anna", "search", {"corpus": "tiny", "query": "a" * 100_000}, "The question is 100,000 characters long"),
        ("anna", "read", {"corpus": "tiny", "id": "voyager#0", "path": "/etc"}, "'path' is unknown"),
    ],
)
def test_what_cannot_be_done_is_said(server: Closed, name: str, tool: str, arguments: Any, says: str) -> None:
    result = server.mcp(name, "tools/call", {"name": tool, "arguments": arguments})
    assert result["isError"]
    assert says in result["content"][0]["text"]
    assert "1977" not in json.dumps(result)


# --- another policy ------------------------------------------------------------------------------------
async def test_a_changed_policy_counts_without_a_restart_and_a_broken_one_not(server: Closed, anna: Any) -> None:
    file = server.home / "policy.toml"
    file.write_text(POLICY.replace('["fif", "bm25"]', '["bm25"]').replace("annas]", "moved]"))
    await until(anna, {"desk", "moved"})
    await refused(lambda: run(anna, "fif", CONTEXT), 403)
    file.write_text("[everyone]\nmethds = ['fif']")
    os.utime(file)
    await server.eventually(lambda: "everyone.methds is unknown" in server.log())
    await refused(lambda: run(anna, "fif", CONTEXT), 403)
    assert (await anna.runs.wait(None, "bm25", input=QUESTION, context=CONTEXT))["answer"]
