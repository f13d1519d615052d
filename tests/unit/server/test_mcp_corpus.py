"""Which corpus a tool of MCP asks where several could be meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

from backtrail.server import mcp_corpus
from backtrail.server.mcp_tools import own_answer
from backtrail.tools.access.credentials import allowed_to


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    monkeypatch.setattr(mcp_corpus, "readable_corpora", lambda _: dict.fromkeys(names, ""))
    return names


def called(tool: str = "fif", **arguments: Any) -> tuple[Any, str]:
    """The corpus that is asked, and what is said instead."""
    sent = {"id": 3, "method": "tools/call", "params": {"name": tool, "arguments": {"question": "x", **arguments}}}
    body, told = mcp_corpus.with_meant_corpus(json.dumps(sent).encode(), allowed_to(""))
    asked = json.loads(body)["params"]["arguments"]
    return asked.get("corpus"), told["result"]["content"][0]["text"] if told else ""


def test_the_named_the_default_the_only_one_or_a_question_back(held: list[str]) -> None:
    assert called() == (None, "There is no corpus.")
    held += ["boats"]
    assert called() == ("boats", "")
    held += ["trains"]
    assert called() == (None, "Which corpus is meant? Give its name as 'corpus'; there are: boats, trains.")
    assert called(corpus="trains") == ("trains", "")
    assert called("search") == called("desk") == (None, ""), "neither is a method"
    held += ["examples"]
    assert called() == ("examples", ""), "the default"


@pytest.mark.parametrize("body", [b"", b"[]", b"5", b'{"method":"tools/call"}', b'{"method":"ping","params":{}}'])
def test_what_is_no_call_stays_as_it_came(body: bytes) -> None:
    assert mcp_corpus.with_meant_corpus(body, allowed_to("")) == (body, None)


def test_a_run_has_the_corpus_as_a_setting_and_an_ingest_keeps_it() -> None:
    run = {"assistant_id": "a", "input": {"question": "x", "corpus": "boats"}}
    asked = {"assistant_id": "a", "input": {"question": "x"}}
    assert mcp_corpus.as_setting(run) == {**asked, "context": {"corpus": "boats"}}
    assert mcp_corpus.as_setting({**run, "context": {"k": 3}}) == {**asked, "context": {"k": 3, "corpus": "boats"}}
    ingest = {"assistant_id": "a", "input": {"corpus": "boats"}}
    assert mcp_corpus.as_setting(ingest) == ingest


def test_a_tool_needs_the_corpus_where_none_is_meant() -> None:
    tool = {"name": "fif", "inputSchema": {"type": "object", "properties": {"question": {}}, "required": ["question"]}}
    schema = mcp_corpus.with_corpus_input(tool, ["boats", "trains"], "")["inputSchema"]
    assert (schema["required"], schema["properties"]["corpus"]["enum"]) == (["question", "corpus"], ["boats", "trains"])
    assert mcp_corpus.with_corpus_input({**tool, "name": "desk"}, ["boats"], "") == {**tool, "name": "desk"}


@pytest.mark.parametrize("params", [[1], "x", 5])
def test_parameters_that_are_no_object_are_told_so(params: Any) -> None:
    sent = json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}).encode()
    told = own_answer(sent, lambda: allowed_to(""))
    assert (told["id"], told["error"]["code"]) == (3, -32602)
    assert own_answer(sent.replace(b'"params"', b'"other"'), lambda: allowed_to("")) is None
