"""Pictures in a chat: kept once, referred to, and nobody else's."""

import base64
import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from fixtures.closed_server import CONTEXT, Closed
from fixtures.scripted_fif import SETTINGS, make_corpus, scripted_toolbox
from fixtures.sent_pictures import FORMS, encoded, photograph
from langgraph_sdk import get_client

from backtrail.graphs.fif import build
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.question_pictures.keep import store_checked_picture

WORDS = {"type": "text", "text": "When was the spacecraft that visited Triton launched?"}


def kilobytes(file: Path) -> float:
    """Everything that is stored of runs."""
    with sqlite3.connect(file) as held:
        checkpoints = held.execute("SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints").fetchone()[0]
        writes = held.execute("SELECT sum(length(value)) FROM writes").fetchone()[0]
    return (checkpoints + writes) / 1024


async def test_a_large_picture_costs_checkpoints_no_more_than_its_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_corpus(tmp_path)
    large = photograph(1_000_000)
    decoding: list[threading.Thread] = []

    def noticed(*arguments: Any, **named: Any) -> Any:
        decoding.append(threading.current_thread())
        return store_checked_picture(*arguments, **named)

    monkeypatch.setattr("backtrail.tools.question_pictures.receive.store_checked_picture", noticed)
    stored: dict[str, float] = {}
    for name, blocks in {"without": [WORDS], "with": [FORMS["OpenAI"](large), WORDS]}.items():
        file = tmp_path / f"{name}.sqlite"
        async with open_checkpoints(str(file)) as saver:
            graph = build(scripted_toolbox()[0]).compile(name="fif", checkpointer=saver)
            asked: Any = {"messages": [{"role": "user", "content": blocks}]}
            config: Any = {"configurable": {"thread_id": "t"}}
            values = await graph.ainvoke(asked, config, context=SETTINGS, durability="sync")
            assert values["answer"]["text"]
        stored[name] = kilobytes(file)
    assert stored["with"] - stored["without"] < 50, stored
    assert len(decoding) == 1, "it is decoded once"
    assert decoding[0] is not threading.main_thread(), "the event loop is for others as well"


@pytest.fixture
def server(clients_server: Closed) -> Closed:
    return clients_server


async def ask(server: Closed, name: str, **asked: Any) -> Any:
    client = get_client(url=server.url, api_key=server.keys[name])
    try:
        thread = (await client.threads.create())["thread_id"]
        run = await client.runs.wait(thread, "bm25", input=asked, context=CONTEXT)
        return run, await client.threads.get_history(thread, limit=50)
    finally:
        await client.aclose()


@pytest.mark.server
@pytest.mark.parametrize("form", ["OpenAI", "Anthropic"])
async def test_pictures_within_messages_are_kept_for_who_sent_them(server: Closed, form: str) -> None:
    content = encoded((len(form), 99, 3))
    values, history = await ask(server, "bert", messages=[{"role": "user", "content": [FORMS[form](content), WORDS]}])
    picture = values["messages"][0]["content"][0]
    assert picture["url"] == f"{server.url}/blobs/{picture['file_id']}"
    assert base64.b64encode(content).decode() not in json.dumps(history)
    assert history[-1]["values"].get("image") is None
    assert {state["values"].get("image") for state in history[1:-1]} >= {picture["file_id"]}
    path = f"/blobs/{picture['file_id']}"
    assert server.get(path, server.header("bert"))[:2] == (200, "image/png")
    assert server.get(path, server.header("emil"))[0] == 404
    headers = server.ask("GET", path, server.header("bert"))[1]
    assert headers["Cross-Origin-Resource-Policy"] == "same-site", "a chat on another port of a machine may show it"


@pytest.mark.server
async def test_a_picture_can_be_stored_first_and_is_its_owners(server: Closed) -> None:
    status, _, body = server.ask("POST", "/pictures", server.header("bert"), encoded((7, 7, 77)))
    stored = json.loads(body)
    assert (status, stored["mime_type"], stored["width"], stored["height"]) == (201, "image/png", 80, 60)
    values, _ = await ask(server, "bert", question=WORDS["text"], image=stored["picture"])
    assert values["answer"]["text"]
    for name, image in (("emil", stored["picture"]), ("bert", "ab" * 32), ("bert", "../x")):
        asked = {"assistant_id": "bm25", "input": {"question": "What?", "image": image}, "context": CONTEXT}
        assert server.post("/runs/wait", asked, server.header(name)) == 422, (name, image)
    assert server.ask("POST", "/pictures", server.header("bert"), b"no picture")[0] == 422
    assert server.ask("POST", "/pictures", server.header("bert"))[0] == 422
    assert server.ask("POST", "/pictures", None, encoded())[0] == 401
    client = get_client(url=server.url, api_key=server.keys["bert"])
    thread = (await client.threads.create(graph_id="bm25"))["thread_id"]
    await client.aclose()
    written = {"values": {"messages": [{"role": "user", "content": [FORMS["OpenAI"](encoded()), WORDS]}]}}
    assert server.post(f"/threads/{thread}/state", written, server.header("bert")) == 422, "states hold no pictures"
