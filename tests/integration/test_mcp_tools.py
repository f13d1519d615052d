"""Clients of MCP see the tools that the policy leaves them, search and read corpora, and get errors in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fixtures.closed_server import Closed, governed

pytestmark = pytest.mark.server
POLICY = """
[keys.bert]
methods = ["bm25"]
corpora = []
"""
Call = Callable[[str, str, Any], Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    with governed(tmp_path_factory.mktemp("mcp"), POLICY) as server:
        yield server


@pytest.fixture
def call(server: Closed) -> Call:
    def sent(name: str, method: str, params: Any) -> Any:
        body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode()
        kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        status, _, answer = server.ask("POST", "/mcp", {**kinds, **(server.header(name) if name else {})}, body)
        return json.loads(answer)["result"] if status == 200 else status

    return sent


def test_a_method_that_a_key_may_not_use_is_no_tool(call: Call) -> None:
    annas, berts = ({one["name"]: one for one in call(name, "tools/list", {})["tools"]} for name in ("anna", "bert"))
    assert {"fif", "mmapg", "bm25", "search", "read"} <= annas.keys()
    assert "ingest" not in annas, "the policy grants her none"
    assert berts.keys() == {"bm25", "search", "read"}
    assert all(one["description"] for one in annas.values())
    assert annas["search"]["inputSchema"]["properties"]["corpus"]["enum"] == ["tiny"]
    assert "enum" not in berts["search"]["inputSchema"]["properties"]["corpus"]
    assert call("bert", "tools/call", {"name": "fif", "arguments": {"question": "When?"}})["isError"]
    assert call("", "tools/list", {}) == 401
    assert call("", "tools/call", {"name": "search", "arguments": {"corpus": "tiny", "query": "x"}}) == 401


def test_a_method_asks_the_corpus_that_is_named_or_the_only_one(call: Call) -> None:
    tools = {one["name"]: one["inputSchema"] for one in call("anna", "tools/list", {})["tools"]}
    assert tools["bm25"]["properties"]["corpus"]["enum"] == ["tiny"]
    assert "corpus" not in tools["bm25"].get("required", []), "there is but one"
    asked = {"question": "When was Voyager 2 launched?"}
    for arguments in (asked, {**asked, "corpus": "tiny"}):
        told = call("anna", "tools/call", {"name": "bm25", "arguments": arguments})
        assert "1977" in told["content"][0]["text"], told
    other = call("anna", "tools/call", {"name": "bm25", "arguments": {**asked, "corpus": "others"}})
    assert (other["isError"], "others" in other["content"][0]["text"]) == (True, True)
    none = call("bert", "tools/call", {"name": "bm25", "arguments": asked})
    assert (none["isError"], none["content"][0]["text"]) == (True, "There is no corpus.")
    foreign = call("bert", "tools/call", {"name": "bm25", "arguments": {**asked, "corpus": "tiny"}})
    assert (foreign["isError"], "1977" in json.dumps(foreign)) == (True, False)


def test_a_corpus_is_searched_and_read(call: Call) -> None:
    found = call("anna", "tools/call", {"name": "search", "arguments": {"corpus": "tiny", "query": "Voyager launch"}})
    [words] = found["content"]
    best = found["structuredContent"]["found"][0]
    assert (best["id"], best["text"]) == ("voyager#0", "Voyager 2 was launched on 20 August 1977.")
    assert words["text"].startswith("1. ")
    assert best["id"] in words["text"]
    piece = call("anna", "tools/call", {"name": "read", "arguments": {"corpus": "tiny", "id": best["id"]}})
    assert piece["content"][0]["text"] == f"[{best['id']}] {best['text']}"
    whole = call("anna", "tools/call", {"name": "read", "arguments": {"corpus": "tiny", "id": best["document"]}})
    assert [one["id"] for one in whole["structuredContent"]["read"]] == ["voyager#0", "voyager#1"]


@pytest.mark.parametrize(
    ("name", "tool", "arguments", "says"),
    [
        ("bert", "search", {"corpus": "tiny", "query": "Voyager"}, "tiny"),
        ("bert", "read", {"corpus": "tiny", "id": "voyager#0"}, "tiny"),
        ("anna", "search", {"corpus": "../tiny", "query": "Voyager"}, "../tiny"),
        ("anna", "search", {"corpus": "tiny"}, "'query' is missing"),
        ("anna", "search", {"corpus": "tiny", "query": "a", "limit": 10_000}, "from 1 to 25"),
        ("anna", "search", {"corpus": "tiny", "query": "a" * 100_000}, "The question is 100,000 characters long"),
        ("anna", "read", {"corpus": "tiny", "id": "nothing"}, "no piece and no document"),
        ("anna", "read", {"corpus": "tiny", "id": "voyager#0", "path": "/etc"}, "no 'path'"),
    ],
)
def test_what_cannot_be_done_is_said(call: Call, name: str, tool: str, arguments: Any, says: str) -> None:
    result = call(name, "tools/call", {"name": tool, "arguments": arguments})
    assert result["isError"]
    assert says in result["content"][0]["text"]
    assert "1977" not in json.dumps(result)
