"""What a run tells while it works, hop by hop, and the client that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fixtures.langgraph_server import Server
from fixtures.scripted_fif import ANSWER, DOCUMENTS, QUESTION, ROUTES, SETTINGS, make_corpus, scripted_toolbox
from fixtures.tiny_corpora import write_bundle
from langgraph_sdk import get_client
from loopback.openai_server import OpenAIServer, reply
from pydantic import TypeAdapter

from backtrail.examples.client.chat import Message, Words, conversation, line
from backtrail.graphs.fif import build
from backtrail.graphs.methods import METHODS
from backtrail.ingest.pipeline import ingest
from backtrail.nodes.telling.progress import CHARACTERS, RECORDS, progress
from backtrail.state.chat.progress import Progress

VALUES = TypeAdapter(Progress)


async def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    make_corpus(tmp_path)
    graph = build(scripted_toolbox()[0]).compile(name="fif")
    return [one async for one in graph.astream({"question": QUESTION}, context=SETTINGS, stream_mode="custom")]


async def test_every_hop_is_told_with_what_came_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = [VALUES.validate_python(one, strict=True) for one in await told(tmp_path, monkeypatch)]
    hops = [one for one in values if one["event"] == "found" or (one["event"] == "plan" and one["step"] >= 0)]
    done = [(kind, sought, outcome) for kind, sought, *_, outcome in ROUTES if kind != "stop"]
    assert [(one["sought"], one["outcome"]) for one in hops] == [(sought, outcome) for _, sought, outcome in done]
    sought = [one["sought"] for one in values if one["event"] == "seek"]
    carried_out = [text for kind, text, outcome in done if kind == "traverse" and outcome != "refused"]
    assert sought == carried_out, "what is sought is told once, before it is found"
    found = next(one for one in hops if one["outcome"] == "success")
    assert found["found"][0]["title"]
    assert found["found_count"] >= len(found["found"])
    assert (values[-1]["event"], values[-1]["outcome"]) == ("answer", "answered")
    assert ANSWER in values[-1]["judged"]
    calls = [one["cost"]["calls"] for one in values]
    assert calls == sorted(calls)


def test_every_record_that_a_method_shows_is_told() -> None:
    shown = {key for method in METHODS.values() for key in method.records}
    assert shown <= set(RECORDS)


def test_long_texts_are_cut_and_what_is_empty_tells_nothing() -> None:
    subquery = {"text": "word " * 1000, "status": "open", "answer": ""}
    [one] = progress("plan", {}, {"subqueries": [subquery]})
    assert len(one["sought"]) <= CHARACTERS
    assert list(progress("plan", {"subqueries": [subquery]}, {"subqueries": [subquery]})) == []
    assert list(progress("stop", {}, {"hop": None, "stop_reason": "stop", "vote": None, "subqueries": []})) == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("progress")
    bundle = write_bundle(folder / "bundle", DOCUMENTS, links=[("triton", "voyager")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        ingest([bundle], "tiny")
    running = Server(folder / "home", tmp_path_factory.mktemp("running"))
    running.start()
    yield running
    running.kill()
    assert "BlockingError" not in running.log()


@pytest.mark.server
@pytest.mark.parametrize("method", METHODS)
async def test_a_client_sees_every_method_at_work(server: Server, method: str) -> None:
    client = get_client(url=server.url)
    thread = (await client.threads.create())["thread_id"]
    turn = {"input": {"messages": [{"role": "user", "content": "When was Voyager 2 launched?"}]}}
    shown = [one async for one in conversation(client, thread, method, turn, {"corpus": "tiny"})]
    await client.aclose()
    progressed: list[Any] = [VALUES.validate_python(one) for one in shown if isinstance(one, dict)]
    assert progressed[-1]["event"] == "answer"
    assert all(line(one) for one in progressed)
    [message] = [one for one in shown if isinstance(one, Message)]
    assert message.markdown
    assert message.told["trace"] == f"{server.url}/trace/{thread}"
    assert not any("{" in one.text for one in shown if isinstance(one, Words))


@pytest.mark.server
async def test_a_client_reads_the_answer_while_it_is_written(server: Server) -> None:
    """The pieces come while the model still writes, and together are the message."""
    text = "Voyager 2 was launched on 20 August 1977, from Cape Canaveral."
    reading = {
        "reasoning": "", "short": "20 August 1977", "text": text, "grounds": "evidence", "supported": True,
        "citations": [{"component": "voyager#0", "row": None, "sentence": 0}], "confidence": 0.9,
    }  # fmt: skip
    client = get_client(url=server.url)
    thread = (await client.threads.create())["thread_id"]
    turn = {"input": {"messages": [{"role": "user", "content": "When was Voyager 2 launched?"}]}}
    pieces: list[str] = []
    message = ""

    with OpenAIServer([reply(reading)], pause=0.02) as model:
        context = {"corpus": "tiny", "reader": f"openai-compatible:loopback@{model.url}"}
        async for one in conversation(client, thread, "bm25", turn, context):
            if isinstance(one, Words):
                pieces.append(one.text)
                if len(pieces) == 3:
                    state = await client.threads.get(thread)
                    assert state["status"] == "busy", "the run still goes on"
            elif isinstance(one, Message):
                message = one.markdown
        assert len(model.chats) == 1
    await client.aclose()
    assert len(pieces) > 5
    assert message.startswith(text)
    assert "".join(pieces) == message


@pytest.mark.server
async def test_long_runs_end_in_the_mode_events(server: Server) -> None:
    client = get_client(url=server.url)
    thread = (await client.threads.create())["thread_id"]
    asked = {"question": "Who was the flight director of the landing of Huygens, and what did he weigh?"}
    context: Any = {"corpus": "tiny", "variant": "published"}
    parts = [
        part async for part in client.runs.stream(thread, "fif", input=asked, context=context, stream_mode="events")
    ]
    assert not [part.data for part in parts if part.event == "error"]
    history = await client.threads.get_history(thread, limit=200)
    await client.aclose()
    assert len(history) > 25, "a shorter run would prove nothing"
    assert history[0]["values"]["answer"]["text"]


@pytest.mark.server
async def test_a_run_that_asks_is_resumed_as_agent_chat_ui_does(server: Server) -> None:
    """With an empty input beside the command."""
    client = get_client(url=server.url)
    thread = (await client.threads.create())["thread_id"]
    context: Any = {"corpus": "tiny", "people": {"question": True}}
    asked = {"messages": [{"role": "user", "content": "When was it launched?"}]}
    waiting = await client.runs.wait(thread, "fif", input=asked, context=context)
    assert waiting["__interrupt__"][0]["value"]["asked"] == "question"
    edited = {"name": "question", "args": {"question": "When was Voyager 2 launched?"}}
    command: Any = {"resume": {"decisions": [{"type": "edit", "edited_action": edited}]}}
    values = await client.runs.wait(thread, "fif", input={}, command=command, context=context)
    await client.aclose()
    assert values["question"] == "When was Voyager 2 launched?"
    assert "1977" in values["messages"][-1]["content"]
