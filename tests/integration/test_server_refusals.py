"""The real LangGraph server refuses what it cannot take on: in a sentence, before a thread is made, and at once."""

import http.client
import json
from collections.abc import Awaitable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from fixtures.langgraph_server import Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError

pytestmark = pytest.mark.server
CONTEXT: Any = {"corpus": "tiny"}
QUESTION = {"question": "When was Voyager 2 launched?"}
LONG = {"question": "Voyager." * 250_000}
TOO_LONG = "The question is 2,000,000 characters long; at most 10,000 are read."
LIMIT = 5_000_000
MISSING: Any = {"corpus": "nowhere"}
SENTENCE = "No corpus 'nowhere'. Existing: tiny."


def post(server: Server, path: str, body: Any, method: str = "POST", **headers: str) -> tuple[int, Any]:
    kind = {"Content-Type": "application/json", "Accept": "application/json", **headers}
    status, _, answer = server.ask(method, path, kind, json.dumps(body).encode())
    return status, json.loads(answer) if answer.strip() else None


async def told(doing: Awaitable[Any]) -> str:
    """What the SDK says of a request that was refused with 422."""
    with pytest.raises(httpx.HTTPStatusError) as caught:
        await doing
    assert caught.value.response.status_code == 422
    return "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])


async def threads(client: Any) -> set[str]:
    return {thread["thread_id"] for thread in await client.threads.search(limit=1000)}


# --- questions ---------------------------------------------------------------------------------------
RUNS = ["/runs", "/runs/wait", "/runs/stream", "/threads/{}/runs", "/threads/{}/runs/wait", "/threads/{}/runs/stream"]
EMPTY: list[dict[str, Any]] = [
    {"question": "  "},
    {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;,"}}]}]},
]


@pytest.mark.parametrize("path", RUNS)
@pytest.mark.parametrize("sent", [LONG, {"messages": [{"role": "user", "content": LONG["question"]}]}, *EMPTY])
async def test_a_question_is_refused_before_a_thread_is_made(
    server: Server, client: Any, path: str, sent: dict[str, Any]
) -> None:
    before = await threads(client)
    body = {"assistant_id": "fif", "input": sent, "context": CONTEXT, "if_not_exists": "create"}
    status, answer = post(server, path.format("0198d1c4-0000-7000-8000-000000000001"), body)
    assert status == 422
    assert any(said in answer["detail"] for said in (TOO_LONG, "is empty", "a picture without content"))
    assert await threads(client) == before


async def test_batches_commands_and_resumptions_are_refused_alike(server: Server, client: Any) -> None:
    before = await threads(client)
    run = {"assistant_id": "fif", "input": LONG, "context": CONTEXT}
    status, answer = post(server, "/runs/batch", [run, run])
    assert (status, TOO_LONG in answer["detail"]) == (422, True)
    thread = (await client.threads.create())["thread_id"]
    begin = {"id": 1, "method": "run.start", "params": {"assistant_id": "fif", "input": LONG}}
    status, answer = post(server, f"/threads/{thread}/commands", begin)
    assert TOO_LONG in json.dumps(answer)
    assert await client.runs.list(thread) == []
    resumed = client.runs.wait(thread, "fif", command={"resume": "x" * 100_000})
    assert "The value to resume with is longer than 65,536 characters" in await told(resumed)
    await client.threads.delete(thread)
    assert TOO_LONG in await told(client.runs.wait(None, "fif", input=LONG, context=CONTEXT))
    assert SENTENCE in await told(client.runs.wait(None, "fif", input=QUESTION, context=MISSING))
    assert await threads(client) == before


# --- settings, labels, items --------------------------------------------------------------------------
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"plannr": "offline"}, "There is no setting 'plannr'. Did you mean planner"),
    ({"fif": {"shortlst": 3}}, "There is no setting 'fif.shortlst'. Did you mean fif.shortlist"),
    ({"k": 0}, "k = 0 cannot be used"),
    ({"reader": "gpt"}, "'gpt' is not a model name."),
    ({"corpus": "x" * 100_000}, "The context is longer than 65,536 characters"),
]


@pytest.mark.parametrize(("settings", "sentence"), IMPOSSIBLE)
@pytest.mark.parametrize("place", ["context", "config"])
async def test_settings_that_cannot_be_used_are_refused_where_they_are_sent(
    server: Server, client: Any, place: str, settings: dict[str, Any], sentence: str
) -> None:
    before = await threads(client)
    sent = {"context": settings} if place == "context" else {"config": {"configurable": settings}}
    good = await client.assistants.create("fif", context=CONTEXT)
    for method, path, body in (
        ("POST", "/runs/wait", {"assistant_id": "fif", "input": QUESTION, **sent}),
        ("POST", "/runs/crons", {"assistant_id": "fif", "schedule": "0 0 1 1 *", "input": QUESTION, **sent}),
        ("POST", "/assistants", {"graph_id": "fif", "name": "impossible", **sent}),
        ("PATCH", f"/assistants/{good['assistant_id']}", sent),
    ):
        status, answer = post(server, path, body, method)
        assert (status, sentence in answer["detail"]) == (422, True), (path, answer)
    assert await client.assistants.search(name="impossible") == []
    assert (await client.assistants.get(good["assistant_id"]))["context"] == CONTEXT
    assert await client.crons.search() == []
    assert await threads(client) == before


LONG_TEXT = "x" * 1_200_000
NOTE: Any = {"metadata": {"note": LONG_TEXT}}
RUN = {"assistant_id": "fif", "input": QUESTION}
TOO_LARGE: list[tuple[str, str, dict[str, Any], str]] = [
    ("POST", "/threads", NOTE, "The thread's metadata is longer than 65,536"),
    ("POST", "/assistants", {"graph_id": "fif", "name": LONG_TEXT}, "The assistant's metadata is longer"),
    ("POST", "/assistants", {"graph_id": "fif", "config": {"tags": [LONG_TEXT]}}, "The config's tags and metadata"),
    ("POST", "/threads/{thread}/runs", {**RUN, **NOTE}, "The run's metadata is longer"),
    ("POST", "/threads/{thread}/runs/crons", {**RUN, "schedule": "0 0 1 1 *", "input": {"question": LONG_TEXT}},
     "The question is 1,200,000 characters long"),
    ("POST", "/runs/crons", {**RUN, "schedule": "* " * 2_000}, "The cron's schedule is longer than 1,000 characters"),
    ("POST", "/runs", {**RUN, "feedback_keys": [LONG_TEXT]}, "The run's configuration is longer than 65,536"),
    ("PUT", "/store/items", {"namespace": ["notes"], "key": "note", "value": {"text": LONG_TEXT}},
     "The item, with its namespace and key, is longer than 1,048,576 characters"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "body", "sentence"), TOO_LARGE)
async def test_everything_else_that_is_stored_has_a_longest_size(
    server: Server, client: Any, method: str, path: str, body: dict[str, Any], sentence: str
) -> None:
    thread = (await client.threads.create())["thread_id"]
    status, answer = post(server, path.format(thread=thread), body, method)
    assert (status, sentence in answer["detail"]) == (422, True), answer
    assert await client.runs.list(thread) == []
    assert await client.crons.search() == []


# --- the state of a thread ----------------------------------------------------------------------------
@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    thread = post(server, "/threads", {})[1]["thread_id"]
    body = {"assistant_id": "fif", "input": QUESTION, "context": CONTEXT}
    status, values = post(server, f"/threads/{thread}/runs/wait", body)
    assert (status, "1977" in values["answer"]["text"]) == (200, True)
    return thread


WRITTEN: list[tuple[dict[str, Any], str]] = [
    ({"answer": "zzz"}, "'answer' cannot be written: input should be a valid dictionary."),
    ({"hops": [{"step": 1}]}, "'hops' cannot be written: 0.kind: field required."),
    ({"evidence": {"__overwrite__": []}}, "'evidence' cannot be written"),
    ({"anwser": {}}, "No method's state has 'anwser'. Did you mean answer"),
    ({"messages": [{"role": "wizard", "content": "x"}]}, "'messages' cannot be read"),
    (LONG, TOO_LONG),
    ({"stop_reason": "x" * 4_500_000}, "The update of the state is longer than 4,194,304 characters"),
]


@pytest.mark.parametrize(("values", "sentence"), WRITTEN)
def test_nonsense_is_not_written_into_a_state(
    server: Server, finished: str, values: dict[str, Any], sentence: str
) -> None:
    before = post(server, f"/threads/{finished}/history", {"limit": 100})[1]
    update = {"updates": [{"values": values, "as_node": "answer"}]}
    for path, body in (
        (f"/threads/{finished}/state", {"values": values}),
        ("/threads", {"metadata": {"graph_id": "fif"}, "supersteps": [update]}),
        (f"/threads/{finished}/runs/wait", {"assistant_id": "fif", "command": {"update": values}}),
    ):
        status, answer = post(server, path, body)
        assert (status, sentence in answer["detail"]) == (422, True), (path, answer)
    assert post(server, f"/threads/{finished}/history", {"limit": 100})[1] == before


# --- what goes wrong on the way -----------------------------------------------------------------------
NO_FILES = "The uploads of 'nowhere' were not ingested"


async def test_an_error_raised_on_purpose_arrives_with_its_sentence(client: Any) -> None:
    thread = (await client.threads.create())["thread_id"]
    with pytest.raises(Exception, match=NO_FILES):
        await client.runs.wait(thread, "ingest", input=MISSING)
    errors = [part.data async for part in client.runs.stream(None, "ingest", input=MISSING)][-1]
    assert errors["error"] == "IngestFailed"
    assert errors["message"].startswith(NO_FILES)
    assert NO_FILES in json.dumps((await client.threads.get_state(thread))["tasks"])


def called(server: Server, arguments: dict[str, Any], context: Any) -> str:
    """What a client of MCP reads when it calls a tool; it is an error."""
    call = {"name": "fif", "arguments": arguments, "context": context}
    status, answer = post(server, "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    assert (status, answer["result"]["isError"]) == (200, True), answer
    return answer["result"]["content"][0]["text"]


def test_clients_of_mcp_read_the_sentence(server: Server) -> None:
    assert called(server, QUESTION, MISSING).startswith(SENTENCE)
    assert called(server, {"question": " "}, CONTEXT) == "The question is empty. Ask something in words."
    assert TOO_LONG in called(server, LONG, CONTEXT)
    assert "Did you mean planner" in called(server, QUESTION, {"plannr": "offline"})


def test_no_folder_of_the_server_is_told(server: Server) -> None:
    home = str(server.home)
    for method, asked, told in (
        ("hm_rag", QUESTION, "backtrail"),
        ("fif", {**QUESTION, "image": "ef" * 32}, ""),
        ("vqa_planner", {**QUESTION, "image": "ef" * 32}, "There is no picture"),
    ):
        thread = post(server, "/threads", {})[1]["thread_id"]
        body = {"assistant_id": method, "input": asked, "context": CONTEXT}
        answers = [post(server, f"/threads/{thread}/runs/wait", body)[1]]
        answers += [post(server, f"/threads/{thread}/history", {"limit": 100})[1], server.get(f"/trace/{thread}")]
        assert home not in str(answers), method
        assert told in str(answers), (method, answers[0])


# --- bodies ------------------------------------------------------------------------------------------
def in_pieces(server: Server, path: str, size: int) -> tuple[int, Any]:
    """Send a body without saying how long it will be."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    piece = b'{"question": "' + b"x" * 99_986
    pieces = (piece for _ in range(size // len(piece)))
    connection.request("POST", path, pieces, {"Content-Type": "application/json"}, encode_chunked=True)
    answer = connection.getresponse()
    try:
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/runs/wait", "/threads", "/store/items", "/mcp/", "/a2a/fif", "/threads/x/state"])
def test_a_request_beyond_the_limit_is_refused_with_or_without_its_length(server: Server, path: str) -> None:
    for status, answer in (post(server, path, "x" * LIMIT), in_pieces(server, path, LIMIT + 200_000)):
        assert status == 413
        assert answer["detail"].startswith("The request is larger than 5,000,000 bytes")
        assert "BACKTRAIL_LIMIT_REQUEST" in answer["detail"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/runs/wait", {"assistant_id": "fif", "input": {"question": "{}"}}),
        ("/runs/wait", {"assistant_id": "fif", "input": QUESTION, "context": "{}"}),
        ("/runs/stream", {"assistant_id": "fif", "input": QUESTION, "config": {"configurable": "{}"}}),
        ("/runs", {"assistant_id": "fif", "input": QUESTION, "metadata": "{}"}),
        ("/threads", {"metadata": "{}"}),
        ("/store/items", {"namespace": ["a"], "key": "b", "value": "{}"}),
        ("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": "{}"}),
        ("/a2a/fif", {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": "{}"}),
    ],
)
@pytest.mark.parametrize("open_and_close", [('{"a":', "1", "}"), ("[", "", "]")])
def test_a_request_that_is_nested_deeply_is_refused(
    server: Server, path: str, body: dict[str, Any], open_and_close: tuple[str, str, str]
) -> None:
    opened, inner, closed = open_and_close
    sent = json.dumps(body).replace('"{}"', opened * 300 + inner + closed * 300)
    kind = {"Content-Type": "application/json", "Accept": "application/json"}
    status, _, answer = server.ask("PUT" if path == "/store/items" else "POST", path, kind, sent.encode())
    assert (status, "nested more than 100 levels deep" in answer.decode()) == (422, True)


async def test_a_message_of_a_websocket_has_the_same_limit(server: Server, client: Any) -> None:
    thread = (await client.threads.create())["thread_id"]
    address = f"{server.url.replace('http', 'ws')}/threads/{thread}/stream/events"
    async with connect(address, max_size=None) as socket:
        begin = {"id": 1, "method": "run.start", "params": {"assistant_id": "fif", "input": LONG}}
        await socket.send(json.dumps(begin))
        assert TOO_LONG in str(await socket.recv())
        await socket.send("x" * (LIMIT + 1))
        with pytest.raises(ConnectionClosedError) as caught:
            await socket.recv()
    assert caught.value.rcvd is not None
    assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (1009, "The message has more than 5,000,000 bytes.")
