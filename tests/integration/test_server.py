"""The real LangGraph server, as its own process: streaming, schemas, pages, strangers, MCP."""

import json
from typing import Any

import pytest
from fixtures.langgraph_server import Server
from langchain_core.messages import convert_to_messages
from loopback.openai_server import OpenAIServer, reply
from PIL import Image
from pydantic import TypeAdapter

from backtrail.examples.client.chat import Message, Words, conversation, line
from backtrail.graphs.methods import METHODS
from backtrail.state.chat.progress import Progress

pytestmark = pytest.mark.server
QUESTION = {"question": "When was Voyager 2 launched?"}
CONTEXT: Any = {"corpus": "tiny"}
TURN = {"input": {"messages": [{"role": "user", "content": QUESTION["question"]}]}}
VALUES = TypeAdapter(Progress)
# No search at all, and a search by picture without one.
SEARCHES_NOTHING_HERE = ("model_alone", "fixed_image")


@pytest.fixture
async def thread(client: Any) -> str:
    return (await client.threads.create())["thread_id"]


async def finished(client: Any, thread: str) -> dict[str, Any]:
    state = await client.threads.get_state(thread)
    assert state["next"] == []
    return state["values"]


async def test_a_question_is_streamed_step_by_step(client: Any, thread: str) -> None:
    nodes: list[str] = []
    async for part in client.runs.stream(
        thread, "fif", input=QUESTION, context=CONTEXT, stream_mode="updates", durability="sync"
    ):
        assert part.event != "error", part.data
        nodes += part.data if part.event == "updates" else []
    assert nodes[0] == "contextualize"
    assert nodes[-3:] == ["stop", "rerank", "answer"]
    values = await finished(client, thread)
    assert "1977" in values["answer"]["text"]
    history = await client.threads.get_history(thread, limit=100)
    assert [state["next"] for state in history][::-1] == [["__start__"], *([node] for node in nodes), []]


@pytest.mark.parametrize("method", sorted(METHODS.keys() - {"page_images"}))  # the corpus has no page vectors
async def test_a_client_sees_every_method_at_work_and_none_blocks(
    server: Server, client: Any, thread: str, method: str
) -> None:
    shown = [one async for one in conversation(client, thread, method, TURN, CONTEXT)]
    progressed: list[Any] = [VALUES.validate_python(one) for one in shown if isinstance(one, dict)]
    assert progressed[-1]["event"] == "answer"
    assert all(line(one) for one in progressed)
    [message] = [one for one in shown if isinstance(one, Message)]
    assert message.markdown
    assert message.payload["trace"] == f"{server.url}/trace/{thread}"
    assert not any("{" in one.text for one in shown if isinstance(one, Words))
    values = await finished(client, thread)
    assert values["answer"]["text"], values
    assert values["stop_reason"]
    assert not any("Blocking" in failure["error"] for failure in values["failures"]), values["failures"]
    if method not in SEARCHES_NOTHING_HERE:
        assert values["ranking"], values


async def test_pictures_and_traces_have_pages(server: Server, client: Any, thread: str) -> None:
    await client.runs.wait(thread, "fif", input={"question": "<b>Voyager</b>?"}, context=CONTEXT)
    status, kind, body = server.get(f"/trace/{thread}")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert b"&lt;b&gt;Voyager" in body
    assert b"<b>Voyager" not in body
    assert server.get("/trace/none")[0] == 404

    sha256 = "ab" * 32
    blob = server.home / "blobs" / "ab" / sha256
    blob.parent.mkdir(parents=True)
    Image.new("RGB", (2, 2)).save(blob, "PNG")
    assert server.get(f"/blobs/{sha256}")[:2] == (200, "image/png")
    for path in (f"/blobs/{sha256}?corpus=tiny", "/blobs/..%2F..%2Fsettings.toml", f"/blobs/{sha256}?corpus=../.."):
        assert server.get(path)[0] == 404


async def test_a_run_leads_to_its_trace_where_that_stays(server: Server, client: Any) -> None:
    """A run without a thread of its client's has no trace afterwards, unless it is to be kept."""
    asked = {"input": QUESTION, "context": CONTEXT}
    once = _told(await client.runs.wait(None, "bm25", **asked))
    assert (once["trace"], once["thread"]) == ("", "")
    kept = _told(await client.runs.wait(None, "bm25", **asked, on_completion="keep"))
    assert kept["trace"] == f"{server.url}/trace/{kept['thread']}"
    assert server.get(f"/trace/{kept['thread']}")[0] == 200


def _told(values: Any) -> Any:
    return values["messages"][-1]["additional_kwargs"]["backtrail"]


# --- strangers -------------------------------------------------------------------------------------
STRANGERS = [
    {"Host": "rebound.example"},
    {"X-Forwarded-For": "203.0.113.9"},  # a proxy on this machine says who asked it
    {"Origin": "https://evil.example"},
]


@pytest.mark.parametrize("headers", STRANGERS, ids=[next(iter(headers)) for headers in STRANGERS])
def test_without_keys_only_this_machine_is_answered(server: Server, headers: dict[str, str]) -> None:
    sent = {"Content-Type": "text/plain", **headers}  # what a page of elsewhere may send without asking first
    for method, path in [("POST", "/threads/search"), ("GET", "/trace/any"), ("GET", "/info"), ("POST", "/mcp")]:
        status, _, body = server.ask(method, path, sent, b"{}" if method == "POST" else None)
        assert (status, b"BACKTRAIL_OPEN" in body) == (403, True), path
    for origin in ("http://localhost:3000", "https://smith.langchain.com"):
        assert server.ask("POST", "/threads/search", {"Origin": origin}, b"{}")[0] == 200


def test_what_the_development_server_has_for_its_own_tests_is_closed(server: Server) -> None:
    assert server.ask("POST", "/internal/truncate")[0] == 403
    assert server.ask("GET", "/deploy")[0] == 200  # Studio's


# --- what is offered --------------------------------------------------------------------------------
async def test_forms_offer_the_corpora_that_there_are(server: Server, client: Any) -> None:
    async def offered() -> bool:
        [assistant] = await client.assistants.search(graph_id="bm25")
        schemas = await client.assistants.get_schemas(assistant["assistant_id"])
        return "tiny" in schemas["context_schema"]["properties"]["corpus"].get("enum", ())

    await server.eventually(offered)


def test_a_tool_of_mcp_answers_in_words_and_values_with_its_trace(server: Server) -> None:
    def call(method: str, params: Any) -> Any:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        kinds = {"Content-Type": "application/json", "Accept": "application/json"}
        return json.loads(server.ask("POST", "/mcp", kinds, body)[2])["result"]

    tools = {tool["name"]: tool for tool in call("tools/list", {})["tools"]}
    assert tools["fif"]["description"].startswith("Traverses a graph of documents")
    assert tools["fif"]["inputSchema"]["properties"]["question"]["description"]
    result = call("tools/call", {"name": "bm25", "arguments": {**QUESTION, "corpus": "examples"}})
    assert result.get("isError"), "there is no corpus 'examples' here"
    result = call("tools/call", {"name": "bm25", "arguments": {**QUESTION, "corpus": "tiny"}})
    assert "1977" in result["content"][0]["text"]
    result = call("tools/call", {"name": "model_alone", "arguments": QUESTION})
    [words] = result["content"]
    assert len(words["text"]) < 2_000
    values = result["structuredContent"]
    assert {"text", "sources", "trace"} <= values.keys()
    assert server.get("/trace/" + values["thread"])[0] == 200


# --- what a client is told ---------------------------------------------------------------------------
async def test_citations_are_annotations_for_clients_of_content_blocks(client: Any, thread: str) -> None:
    pieces: list[Any] = []
    async for part in client.runs.stream(
        thread, "bm25", context={**CONTEXT, "output_version": "v1"}, stream_mode="messages-tuple", **TURN
    ):
        pieces += [part.data[0]] if part.event == "messages" and part.data[0]["type"] != "human" else []
    kept = (await finished(client, thread))["messages"][-1]
    quotes = [one["quote"] for one in kept["additional_kwargs"]["backtrail"]["sources"]]
    for message in (pieces[-1], kept):
        [block] = convert_to_messages([message])[0].content_blocks
        assert "**Sources**" in block["text"]
        assert [one["cited_text"] for one in block["annotations"]] == quotes
    again = {"input": {"messages": [kept, *TURN["input"]["messages"]]}}  # agents send messages back as they came
    answered = await client.runs.wait(thread, "bm25", context=CONTEXT, **again)
    assert isinstance(answered["messages"][-1]["content"], str)


async def test_a_client_reads_the_answer_while_it_is_written(client: Any, thread: str) -> None:
    """The pieces come while the model still writes, and together are the message."""
    text = "Voyager 2 was launched on 20 August 1977, from Cape Canaveral."
    reading = {
        "reasoning": "", "short": "20 August 1977", "text": text, "grounds": "evidence", "supported": True,
        "citations": [{"component": "voyager#0", "row": None, "sentence": 0}], "confidence": 0.9,
    }  # fmt: skip
    pieces: list[str] = []
    message = ""

    with OpenAIServer([reply(reading)], pause=0.02) as model:
        context = {"corpus": "tiny", "reader": f"openai-compatible:loopback@{model.url}"}
        async for one in conversation(client, thread, "bm25", TURN, context):
            if isinstance(one, Words):
                pieces.append(one.text)
                if len(pieces) == 3:
                    state = await client.threads.get(thread)
                    assert state["status"] == "busy", "the run still goes on"
            elif isinstance(one, Message):
                message = one.markdown
        assert len(model.chats) == 1
    assert len(pieces) > 5
    assert message.startswith(text)
    assert "".join(pieces) == message


async def test_long_runs_end_in_the_mode_events(client: Any, thread: str) -> None:
    asked = {"question": "Who was the flight director of the landing of Huygens, and what did he weigh?"}
    context: Any = {"corpus": "tiny", "variant": "published"}
    parts = [
        part async for part in client.runs.stream(thread, "fif", input=asked, context=context, stream_mode="events")
    ]
    assert not [part.data for part in parts if part.event == "error"]
    history = await client.threads.get_history(thread, limit=200)
    assert len(history) > 25, "a shorter run would prove nothing"
    assert history[0]["values"]["answer"]["text"]


async def test_a_run_that_asks_is_resumed_as_agent_chat_ui_does(client: Any, thread: str) -> None:
    """With an empty input beside the command."""
    context: Any = {"corpus": "tiny", "human": {"question": True}}
    asked = {"messages": [{"role": "user", "content": "When was it launched?"}]}
    waiting = await client.runs.wait(thread, "fif", input=asked, context=context)
    assert waiting["__interrupt__"][0]["value"]["topic"] == "question"
    edited = {"name": "question", "args": {"question": "When was Voyager 2 launched?"}}
    command: Any = {"resume": {"decisions": [{"type": "edit", "edited_action": edited}]}}
    values = await client.runs.wait(thread, "fif", input={}, command=command, context=context)
    assert values["question"] == "When was Voyager 2 launched?"
    assert "1977" in values["messages"][-1]["content"]
