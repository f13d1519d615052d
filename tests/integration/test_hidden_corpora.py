"""A corpus that is not a client's to read is answered in the same words as one that does not exist."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fixtures.closed_server import Closed, signed_in, token_in, tool

from backtrail.tools.access.policy.gate import assistant_id

pytestmark = pytest.mark.server
OTHERS, HOSTS = "annas-notes", "internal"
NAMES = (OTHERS, HOSTS, "nowhere", "unheard-of")
ASKED = {"question": "When was Voyager 2 launched?"}


@pytest.fixture
def server(clients_server: Closed) -> Closed:
    return clients_server


@pytest.fixture
async def emil(server: Closed) -> AsyncIterator[httpx.AsyncClient]:
    """Of somebody who may read one corpus alone."""
    async with httpx.AsyncClient(base_url=server.url, headers=server.header("emil"), timeout=60) as client:
        yield client


def run(corpus: str, assistant: str = "bm25", **context: Any) -> dict[str, Any]:
    return {"assistant_id": assistant, "input": ASKED, "context": {"corpus": corpus, **context}}


WAYS: dict[str, tuple[str, str, Any]] = {
    "context": ("POST", "/runs/wait", run("{}")),
    "configurable": (
        "POST", "/runs/wait", {"assistant_id": "bm25", "input": ASKED, "config": {"configurable": {"corpus": "{}"}}},
    ),
    "stream": ("POST", "/runs/stream", run("{}")),
    "a method without a corpus": ("POST", "/runs/wait", run("{}", "model_alone")),
    "another setting that is refused": ("POST", "/runs/wait", run("{}", budget={"steps": 50})),
    "a model that is refused": ("POST", "/runs/wait", run("{}", reader="local:/models")),
    "the host's assistant": ("POST", "/runs/wait", run("{}", assistant_id("free"))),
    "the host's assistant with a fixed corpus": ("POST", "/runs/wait", run("{}", assistant_id("fixed"))),
    "ingest": ("POST", "/runs/wait", {"assistant_id": "ingest", "input": {"corpus": "{}"}}),
    "tool of a method": ("POST", "/mcp", tool("bm25", corpus="{}", **ASKED)),
    "tool search": ("POST", "/mcp", tool("search", corpus="{}", query="Voyager")),
    "tool read": ("POST", "/mcp", tool("read", corpus="{}", id="voyager#0")),
    "tool tables": ("POST", "/mcp", tool("tables", corpus="{}", query="Voyager")),
    "tool compute": ("POST", "/mcp", tool("compute", corpus="{}", tables=["voyager#0"])),
    "corpus": ("GET", "/corpora/{}", None),
    "documents": ("GET", "/corpora/{}/documents", None),
    "delete a corpus": ("DELETE", "/corpora/{}", None),
    "delete a file": ("DELETE", "/corpora/{}/files/a.md", None),
    "picture": ("GET", f"/blobs/{'0' * 64}?corpus={{}}", None),
    "page": ("GET", "/ui/corpora/{}", None),
    "page of a document": ("GET", "/ui/corpora/{}/document?id=voyager", None),
    "page of an ingest": ("GET", "/ui/corpora/{}/ingest/live", None),
}  # fmt: skip


async def answers(emil: httpx.AsyncClient, verb: str, path: str, body: Any) -> dict[str, tuple[int, str]]:
    """Status and text for each corpus, with its name left out."""
    found = {}
    for name in NAMES:
        sent = json.dumps(body).replace("{}", name).encode() if body else None
        kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        answer = await emil.request(verb, path.replace("{}", name), content=sent, headers=kinds)
        found[name] = answer.status_code, answer.text.replace(name, "{}")
    return found


@pytest.mark.parametrize("way", WAYS)
async def test_forbidden_and_unknown_are_answered_alike(emil: httpx.AsyncClient, way: str) -> None:
    found = await answers(emil, *WAYS[way])
    [(status, text)] = set(found.values())
    assert status >= 400 or '"isError":true' in text
    assert not any(name in text for name in (OTHERS, HOSTS))
    assert "Existing: tiny" in text or "Existing" not in text


async def test_an_assistant_of_ones_own_is_answered_alike(emil: httpx.AsyncClient) -> None:
    found = set()
    for name in NAMES:
        made = await emil.post("/assistants", json={"graph_id": "bm25", "context": {"corpus": name}})
        id_ = made.json()["assistant_id"]
        answer = await emil.post("/runs/wait", json={"assistant_id": id_, "input": ASKED})
        message = {"role": "user", "messageId": "m", "parts": [{"kind": "text", "text": ASKED["question"]}]}
        call = {"jsonrpc": "2.0", "id": "1", "method": "message/send", "params": {"message": message}}
        talked = await emil.post(f"/a2a/{id_}", json=call, headers={"Accept": "application/json"})
        texts = [answer.text.replace(name, "{}"), re.sub(rf"{name}|[0-9a-f-]{{36}}", "{}", talked.text)]
        found.add((made.status_code, answer.status_code, talked.status_code, *texts))
    [(_, status, *_, text)] = found
    assert status == 422
    assert "No corpus" in text
    assert not any(name in text for name in (OTHERS, HOSTS))


async def test_a_question_on_the_page_is_answered_alike(server: Closed) -> None:
    async with httpx.AsyncClient(base_url=server.url, follow_redirects=True, timeout=60) as person:
        html = {"Accept": "text/html"}
        token = token_in(await signed_in(person, server.keys["emil"]))
        found = set()
        for name in NAMES:
            asked = {"question": ASKED["question"], "corpus": name, "method": "bm25", "token": token}
            answer = await person.post("/ui/ask", data=asked, headers=html)
            found.add((answer.status_code, answer.text.replace(name, "{}").replace(token_in(answer.text), "")))
        [(_, text)] = found
    assert "No corpus" in text
    assert not any(name in text for name in (OTHERS, HOSTS))


async def test_nothing_lists_what_is_hidden(emil: httpx.AsyncClient) -> None:
    assistant = (await emil.post("/assistants/search", json={"graph_id": "bm25"})).json()[0]["assistant_id"]
    kinds = {"Accept": "application/json, text/event-stream"}
    pages = [
        await emil.get("/corpora"),
        await emil.get(f"/assistants/{assistant}/schemas"),
        await emil.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=kinds),
        await emil.get("/ui"),
        await emil.get("/ui/corpora"),
        await emil.get("/ui/compare"),
    ]
    for page in pages:
        assert page.status_code == 200
        assert not any(name in page.text for name in (OTHERS, HOSTS)), page.url
    assert [one["corpus"] for one in pages[0].json()["corpora"]] == ["tiny"]


async def test_its_owner_reads_it(server: Closed) -> None:
    async with httpx.AsyncClient(base_url=server.url, headers=server.header("anna"), timeout=60) as anna:
        answer = await anna.post("/runs/wait", json=run(OTHERS))
        assert "1977" in json.dumps(answer.json()["answer"])
        assert (await anna.get(f"/corpora/{OTHERS}")).json()["owner"] == "you"
