"""The real LangGraph server with keys: what they open, what belongs to whom, and what ends with them.

That nobody meets what is another's, on every route, is tried in test_isolation.py.
"""

import asyncio
import base64
import json
import re
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fixtures import closed_server
from fixtures.closed_server import CONTEXT, QUESTION, Closed, made, refused
from fixtures.slow_model import NAMES, names, slow_at
from loopback.openai_server import OpenAIServer, late, reply
from PIL import Image
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.tools.access.api_keys import add_key, keys_file, revoke_key
from backtrail.tools.access.thread_owner import has_run

pytestmark = pytest.mark.server
SECONDS: Any = {"by": "the second"}
KEY_OF_THE_HOST = "key-of-the-host"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("closed")


@pytest.fixture(scope="module")
def slow() -> Iterator[OpenAIServer]:
    """A model of the host's that does not answer."""
    with OpenAIServer([late(120, reply({}))], forever=True) as model:
        yield model


@pytest.fixture(scope="module")
def server(home: Path, slow: OpenAIServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    models = {"OPENAI_API_KEY": KEY_OF_THE_HOST, "OPENAI_BASE_URL": slow.url, "BACKTRAIL_API_KEY": KEY_OF_THE_HOST}
    server = made(home, tmp_path_factory.mktemp("running"), models)
    server.start()
    yield server
    server.kill()
    log = server.log()
    assert "BlockingError" not in log
    assert not any(key in log for key in server.keys.values())


@pytest.fixture(autouse=True)
def the_servers_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(home / "home"))


_clients: list[Any] = []


def client_of(server: Closed, name: str) -> Any:
    """A client with the key of that name, closed when the test ends."""
    _clients.append(closed_server.client_of(server, name))
    return _clients[-1]


@pytest.fixture(autouse=True)
async def close_clients() -> AsyncIterator[None]:
    yield
    while _clients:
        await _clients.pop().aclose()


async def asked(client: Any, **more: Any) -> str:
    thread = (await client.threads.create())["thread_id"]
    values = await client.runs.wait(thread, "fif", input=QUESTION, context=CONTEXT, durability="sync", **more)
    assert "1977" in values["answer"]["text"]
    return thread


# --- no key ------------------------------------------------------------------------------------------
ASKED = [("POST", "/threads/search"), ("POST", "/mcp"), ("GET", "/trace/any"), ("GET", f"/blobs/{'ab' * 32}")]
"""One of each part of the server; test_isolation.py asks every route without a key."""


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer bt_wrong"},
        {"Authorization": "Bearer "},
        {"x-api-key": "wrong"},
        {"x-auth-scheme": "langsmith", "x-api-key": "wrong"},  # what Studio sends
        {"Authorization": "Basic " + base64.b64encode(b"anna:wrong").decode()},
        {"Authorization": "Basic !"},
    ],
    ids=["none", "wrong", "empty", "x-api-key", "studio", "basic", "garbled"],
)
def test_without_a_key_nothing_is_answered(server: Closed, headers: dict[str, str]) -> None:
    for method, path in ASKED:
        status, found, _ = server.ask(method, path, {"Content-Type": "application/json", **headers}, b"{}")
        assert status == 401, (method, path)
        assert ("WWW-Authenticate" in found) == path.startswith(("/trace/", "/blobs/", "/ui"))
    assert server.get("/ok", headers)[0] == 200


async def test_a_route_that_is_closed_is_closed_however_it_is_spelt(server: Closed, anna: Any) -> None:
    thread = await asked(anna)
    for headers in ({}, server.header("bert")):
        status, _, body = server.ask("GET", f"/%69nternal/debug/thread/{thread}", headers)
        assert (status, b"Voyager" in body) == (403, False)


# --- threads and runs --------------------------------------------------------------------------------
def commanded(server: Closed, thread: str, name: str) -> dict[str, Any]:
    """The reply to a run that is started through the newer of the server's two protocols."""
    start = {"id": 1, "method": "run.start", "params": {"assistant_id": "fif", "input": QUESTION, "context": CONTEXT}}
    body = json.dumps(start).encode()
    return json.loads(server.ask("POST", f"/threads/{thread}/commands", server.header(name), body)[2])


async def test_owners_are_not_what_a_client_says(anna: Any, bert: Any) -> None:
    forged: Any = {"owner": "anna"}
    thread = (await bert.threads.create(metadata=forged))["thread_id"]
    await bert.runs.wait(thread, "fif", input=QUESTION, context=CONTEXT, metadata=forged)
    await bert.threads.update(thread, metadata=forged)
    assert (await bert.threads.get(thread))["metadata"]["owner"] == "bert"
    await refused(lambda: anna.threads.get(thread))
    new = str(uuid.uuid4())
    config: Any = {"metadata": forged}
    await bert.runs.wait(
        new, "fif", input=QUESTION, context=CONTEXT, config=config, metadata=forged, if_not_exists="create"
    )
    assert (await bert.threads.get(new))["metadata"]["owner"] == "bert"
    await refused(lambda: anna.threads.get_state(new))


async def test_threads_of_the_command_line_are_nobodys(server: Closed, anna: Any) -> None:
    command = ["ask", QUESTION["question"], "--corpus", "tiny", "--json"]
    ran = await asyncio.to_thread(CliRunner().invoke, app, command)
    thread = json.loads(ran.stdout)["thread_id"]
    assert server.get(f"/trace/{thread}", server.header("anna"))[0] == 404
    assert server.get(f"/trace/{thread[:8]}", server.header("anna"))[0] == 404
    await refused(lambda: anna.threads.create(thread_id=thread))
    await refused(lambda: anna.runs.wait(thread, "fif", input=None, context=CONTEXT, if_not_exists="create"))
    assert commanded(server, thread, "anna")["type"] == "error"


# --- assistants, crons, store ------------------------------------------------------------------------
async def test_the_servers_assistants_are_everyones_and_ones_own_stay_ones_own(anna: Any, bert: Any) -> None:
    for client in (anna, bert):
        [system] = await client.assistants.search(graph_id="fif", metadata={"created_by": "system"})
        id_ = system["assistant_id"]
        assert "corpus" in (await client.assistants.get_schemas(id_))["context_schema"]["properties"]
        assert (await client.assistants.get(id_))["graph_id"] == "fif"
        values = await client.runs.wait(None, id_, input=QUESTION, context=CONTEXT)
        assert "1977" in values["answer"]["text"]
        for change in (
            lambda client=client, id_=id_: client.assistants.update(id_, name="mine now"),
            lambda client=client, id_=id_: client.assistants.set_latest(id_, 1),
            lambda client=client, id_=id_: client.assistants.delete(id_),
            lambda client=client: client.assistants.create("fif", metadata={"created_by": "system"}),
        ):
            await refused(change)
    forged: Any = {"owner": "bert"}
    own = await anna.assistants.create("fif", context=CONTEXT, name="annas_secret", metadata=forged)
    assert own["metadata"]["owner"] == "anna"
    await anna.assistants.update(own["assistant_id"], name="annas_secret", metadata=forged)
    assert (await anna.assistants.get(own["assistant_id"]))["metadata"]["owner"] == "anna"
    await refused(lambda: anna.assistants.update(own["assistant_id"], metadata={"created_by": "system"}))
    values = await anna.runs.wait(None, own["assistant_id"], input=QUESTION)
    assert "1977" in values["answer"]["text"]


async def test_crons_are_their_owners(anna: Any) -> None:
    forged: Any = {"configurable": {"langgraph_auth_user": {"identity": "bert"}, "langgraph_auth_user_id": "bert"}}
    yearly = await anna.crons.create("fif", schedule="0 0 1 1 *", input=QUESTION, config=forged)
    assert "bert" not in json.dumps(yearly)
    assert [cron["cron_id"] for cron in await anna.crons.search()] == [yearly["cron_id"]]
    await anna.crons.delete(yearly["cron_id"])


async def test_namespaces_of_the_store_begin_with_ones_name(server: Closed, anna: Any, bert: Any) -> None:
    for name, client in (("anna", anna), ("bert", bert)):
        await client.store.put_item([name, "notes"], key="note", value={"by": name})
    for act in (
        lambda: bert.store.put_item(["notes"], key="note", value={}),
        lambda: bert.store.list_namespaces(prefix=["*", "notes"]),
    ):
        await refused(act)
    assert (await anna.store.get_item(["anna", "notes"], key="note"))["value"] == {"by": "anna"}
    found = await bert.store.search_items([])
    assert [item["value"] for item in found["items"]] == [{"by": "bert"}]
    assert server.post("/store/items/search", {}, server.header("bert")) == 200
    assert (await bert.store.list_namespaces())["namespaces"] == [["bert", "notes"]]
    assert (await bert.store.list_namespaces(suffix=["notes"]))["namespaces"] == [["bert", "notes"]]


# --- models ------------------------------------------------------------------------------------------
async def test_the_hosts_key_goes_to_no_address_of_a_clients(server: Closed, bert: Any, tmp_path: Path) -> None:
    thread = (await bert.threads.create())["thread_id"]
    with OpenAIServer([reply({"question": "Who?"})], forever=True) as model:
        for named in (f"openai-compatible:x@{model.url}", f"local:{tmp_path}", f"recorded:{tmp_path}"):
            for role in ("reader", "planner"):
                context: Any = {**CONTEXT, role: named}
                for act in (
                    lambda context=context: bert.runs.wait(thread, "fif", input=QUESTION, context=context),
                    lambda context=context: bert.runs.wait(
                        thread, "fif", input=QUESTION, config={"configurable": context}
                    ),
                    lambda context=context: bert.assistants.create("fif", context=context),
                    lambda context=context: bert.crons.create("fif", schedule="0 0 1 1 *", context=context),
                ):
                    assert "BACKTRAIL_MODELS" in await refused(act, 422)
        assert model.received == []


# --- what refusals tell -------------------------------------------------------------------------------
async def test_a_thread_of_someone_else_is_refused_as_one_that_does_not_exist(
    server: Closed, anna: Any, bert: Any
) -> None:
    key = {"Content-Type": "application/json", **server.header("bert")}
    empty, used = (await anna.threads.create())["thread_id"], await asked(anna)
    for thread in (empty, used):
        for body in ({"thread_id": thread}, {"thread_id": thread, "if_exists": "do_nothing"}):
            status, _, answer = server.ask("POST", "/threads", key, json.dumps(body).encode())
            _, _, of_none = server.ask("GET", f"/threads/{(other := str(uuid.uuid4()))}", key)
            assert (status, answer.decode()) == (404, of_none.decode().replace(other, thread))
        run = json.dumps({"assistant_id": "fif", "input": QUESTION, "if_not_exists": "create"}).encode()
        status, _, answer = server.ask("POST", f"/threads/{thread}/runs", key, run)
        assert (status, json.loads(answer)) == (404, {"detail": "Thread or assistant not found."})
    assert (await anna.threads.create(thread_id=empty, if_exists="do_nothing"))["thread_id"] == empty
    chosen = str(uuid.uuid4())
    assert (await bert.threads.create(thread_id=chosen))["thread_id"] == chosen


# --- pages -------------------------------------------------------------------------------------------
async def test_pages_are_for_who_asked_and_pictures_for_who_has_a_key(server: Closed, anna: Any, home: Path) -> None:
    thread = await asked(anna)
    status, kind, body = server.get(f"/trace/{thread}", server.header("anna"))
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert b"Voyager" in body
    in_a_browser = base64.b64encode(f"anna:{server.keys['anna']}".encode()).decode()
    assert server.get(f"/trace/{thread}", {"Authorization": f"Basic {in_a_browser}"})[0] == 200
    assert server.post("/threads/search", {}, {"Authorization": f"Basic {in_a_browser}"}) == 401
    status, _, body = server.get(f"/trace/{thread}", server.header("bert"))
    assert (status, b"There is no such run." in body) == (404, True)
    unknown, annas = (server.get(f"/ui/runs/{id_}", server.header("bert")) for id_ in ("none", thread))
    assert re.sub(rb'value="[^"]*"', b"", unknown[2]) == re.sub(rb'value="[^"]*"', b"", annas[2])  # but for tokens
    await anna.threads.update_state(thread, {"question": "changed"})
    assert server.get(f"/trace/{thread}", server.header("anna"))[0] == 200

    sha256 = "cd" * 32
    picture = home / "home" / "blobs" / "cd" / sha256
    picture.parent.mkdir(parents=True)
    Image.new("RGB", (2, 2)).save(picture, "PNG")
    assert server.get(f"/blobs/{sha256}")[0] == 401
    for name in ("anna", "bert"):
        status, found, _ = server.ask("GET", f"/blobs/{sha256}", server.header(name))
        assert (status, found["Content-Type"]) == (200, "image/png")
        assert "private" in found["Cache-Control"]


async def test_the_server_sends_nothing_to_a_webhook_of_a_clients(bert: Any) -> None:
    inner = "http://10.0.0.7/hook"
    for act in (
        lambda: bert.runs.create(None, "fif", input=QUESTION, context=CONTEXT, webhook=inner),
        lambda: bert.crons.create("fif", schedule="0 0 1 1 *", input=QUESTION, webhook=inner),
    ):
        assert "BACKTRAIL_WEBHOOKS" in await refused(act, 422)


# --- revoked -----------------------------------------------------------------------------------------
async def waiting(server: Closed, client: Any, slow: OpenAIServer, **more: Any) -> tuple[str, str]:
    """Thread and run of a question whose model does not answer."""
    thread = (await client.threads.create())["thread_id"]
    before = len(slow.chats)
    run = await client.runs.create(
        thread, "fif", input=QUESTION, context={**CONTEXT, "planner": "openai:slow"}, durability="sync", **more
    )
    await server.eventually(lambda: len(slow.chats) > before)
    return thread, run["run_id"]


def add(server: Closed, name: str, *, admin: bool = False) -> Any:
    server.keys[name] = add_key(name, admin=admin)
    return client_of(server, name)


async def test_the_runs_of_a_revoked_key_end(server: Closed, slow: OpenAIServer, anna: Any) -> None:
    carl = add(server, "carl")
    thread, run = await waiting(server, carl, slow)
    queued = await carl.runs.create(thread, "fif", input=QUESTION, context=CONTEXT, multitask_strategy="enqueue")
    later = (await carl.threads.create())["thread_id"]
    delayed = await carl.runs.create(later, "fif", input=QUESTION, context=CONTEXT, after_seconds=3600)
    others = await waiting(server, anna, slow)
    command = [str(Path(sys.executable).with_name("backtrail")), "keys", "revoke", "carl"]
    await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)
    await refused(lambda: carl.threads.get(thread), 401)
    again = add(server, "carl")  # another key, which shows what became of them

    async def ended() -> bool:
        found = [await again.runs.get(*one) for one in ((thread, run), (thread, queued["run_id"]))]
        found.append(await again.runs.get(later, delayed["run_id"]))
        return all(one["status"] == "interrupted" for one in found)

    await server.eventually(ended)
    assert (await again.threads.get_state(thread))["next"] != []
    assert (await anna.runs.get(*others))["status"] == "running"
    await anna.runs.cancel(*others, wait=True)
    revoke_key("carl")


async def test_crons_run_in_their_owners_name_and_fire_no_more_when_the_key_is_revoked(
    server: Closed, bert: Any
) -> None:
    carl = add(server, "carl")
    often: Any = {
        "schedule": "* * * * * *", "input": QUESTION, "context": CONTEXT, "on_run_completed": "keep"
    }  # fmt: skip
    cron = await carl.crons.create("fif", **often, metadata={"owner": "bert", "by": "carl"})

    async def fired(more_than: int = 0) -> bool:
        return await carl.threads.count(metadata={"by": "carl"}) > more_than

    await server.eventually(fired)
    [thread] = await carl.threads.search(metadata={"by": "carl"}, limit=1)
    assert thread["metadata"]["owner"] == "carl"
    await refused(lambda: bert.threads.get(thread["thread_id"]))
    revoke_key("carl")
    carl = add(server, "carl")

    async def switched_off() -> bool:
        return [one["enabled"] for one in await carl.crons.search()] == [False]

    await server.eventually(switched_off)
    before = await carl.threads.count(metadata={"by": "carl"})
    other = await bert.crons.create("fif", **often, metadata=SECONDS)

    async def time_has_passed() -> bool:
        return await bert.threads.count(metadata=SECONDS) > 1

    await server.eventually(time_has_passed)
    await bert.crons.delete(other["cron_id"])
    assert not await fired(before)
    await carl.crons.update(cron["cron_id"], enabled=True)  # its owner may go on with it
    await server.eventually(lambda: fired(before))
    await carl.crons.delete(cron["cron_id"])
    revoke_key("carl")


async def test_what_a_revoked_holder_leaves_is_an_administrators_to_delete(
    server: Closed, slow: OpenAIServer, anna: Any
) -> None:
    dora = add(server, "dora")
    thread = await asked(dora)
    at_work, _ = await waiting(server, dora, slow)
    cron = await dora.crons.create("fif", schedule="0 0 1 1 *", input=QUESTION)
    assistant = await dora.assistants.create("fif", context=CONTEXT, name="doras")
    await dora.store.put_item(["dora", "notes"], key="note", value={"secret": "of dora"})
    root = {"Authorization": f"Bearer {add_key('root', admin=True)}"}
    assert server.ask("GET", "/revoked/dora", root)[0] == 409  # while she has a key
    assert server.ask("DELETE", "/revoked/dora", root)[0] == 409
    revoke_key("dora")
    for headers, status in ((server.header("anna"), 403), (server.header("dora"), 401), ({}, 401)):
        for method, path in (("GET", "/revoked"), ("GET", "/revoked/dora"), ("DELETE", "/revoked/dora")):
            assert server.ask(method, path, headers)[0] == status
    one = {"name": "dora", "threads": 2, "crons": 1, "assistants": 1, "items": 1}
    assert one in json.loads(server.get("/revoked", root)[2])["holders"]
    body = server.get("/revoked/dora", root)[2]
    left = json.loads(body)
    assert {found["thread_id"] for found in left["threads"]} == {thread, at_work}
    assert [found["cron_id"] for found in left["crons"]] == [cron["cron_id"]]
    assert [found["assistant_id"] for found in left["assistants"]] == [assistant["assistant_id"]]
    assert left["items"] == [{"namespace": ["dora", "notes"], "key": "note"}]
    for content in (b"Voyager", b"1977", b"of dora"):
        assert content not in body
    for path in (f"/threads/{thread}", f"/threads/{thread}/state", f"/trace/{thread}"):
        assert server.ask("GET", path, root)[0] == 404  # what they hold is not an administrator's to read
    annas = await asked(anna)
    assert json.loads(server.ask("DELETE", "/revoked/dora", root)[2])["deleted"] == {
        kind: number for kind, number in one.items() if kind != "name"
    }
    assert "dora" not in server.get("/revoked", root)[2].decode()
    assert not await has_run(thread, "dora")
    again = add(server, "dora")
    assert await again.threads.search() == []
    assert (await again.store.search_items([]))["items"] == []
    assert (await anna.threads.get(annas))["thread_id"] == annas
    revoke_key("dora")
    revoke_key("root")


# --- the file of keys --------------------------------------------------------------------------------
def test_a_closed_server_stays_closed_whatever_happens_to_the_file(server: Closed) -> None:
    kept = keys_file().read_text()
    try:
        for broken in ("not = [toml", "[anna]\nsha256 = 'short'\n", "", None):
            keys_file().unlink() if broken is None else keys_file().write_text(broken)
            for headers in ({}, server.header("anna")):
                status = server.post("/threads/search", {}, headers)
                assert status == (401 if broken == "" else 500), broken
                assert server.get("/trace/any", headers)[0] == status
            assert server.ask("POST", "/internal/truncate")[0] != 200
    finally:
        keys_file().write_text(kept)
    assert server.post("/threads/search", {}, server.header("anna")) == 200


# --- SIGKILL -----------------------------------------------------------------------------------------
PLACES = (1, 2, 4)


async def begun(server: Closed, client: Any, model: OpenAIServer) -> tuple[str, str]:
    """Thread and run of a question whose model is slow somewhere."""
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "fif", input=QUESTION, context=slow_context(model), durability="sync")
    return thread, run["run_id"]


def slow_context(model: OpenAIServer) -> Any:
    # published: a decision at each step, so that there are several places to be killed at
    return {**CONTEXT, "variant": "published", "planner": f"openai-compatible:slow@{model.url}"}


async def test_runs_and_their_owners_outlive_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that the killed server had saved, at three places, and one of which it knows nothing any more.

    What was begun with a key that is taken away meanwhile is not taken up.
    """
    (tmp_path / "running").mkdir()
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    server = made(tmp_path, tmp_path / "running", {"BACKTRAIL_MODELS": "openai-compatible:*@http://127.0.0.1:*"})
    server.start()
    with ExitStack() as stack:
        stack.callback(server.kill)
        models = [stack.enter_context(OpenAIServer(slow_at(place))) for place in (*PLACES, 2)]
        stuck = stack.enter_context(OpenAIServer([late(120, reply({}))], forever=True))
        anna, carl = client_of(server, "anna"), add(server, "carl")
        carls, run = await begun(server, carl, stuck)
        saved = [await begun(server, anna, model) for model in models[:-1]]
        await server.eventually(lambda: all(len(one.chats) > at for one, at in zip(models, PLACES, strict=False)))
        await server.eventually(lambda: all(server.has_saved(one) for one in (run, *(one for _, one in saved))))
        before = server.saved_runs.read_bytes()
        forgotten, unsaved = await begun(server, anna, models[-1])
        await server.eventually(lambda: len(models[-1].chats) > 2)
        server.kill()
        server.saved_runs.write_bytes(before)  # on a slow machine the list was saved once more
        assert not server.has_saved(unsaved)
        revoke_key("carl")
        add(server, "carl")
        server.start()
        anna, bert, carl = (client_of(server, name) for name in ("anna", "bert", "carl"))
        assert (await carl.runs.get(carls, run))["status"] == "interrupted"
        calls = len(stuck.received)
        runner = CliRunner(env={"BACKTRAIL_API_KEY": KEY_OF_THE_HOST})  # which is not for what carl named
        ran = await asyncio.to_thread(runner.invoke, app, ["resume", carls])
        assert "BACKTRAIL_MODELS" in ran.output, ran.output
        assert len(stuck.received) == calls
        threads = [*(thread for thread, _ in saved), forgotten]
        for thread in threads:
            await refused(lambda thread=thread: bert.threads.create(thread_id=thread, if_exists="do_nothing"))
            await refused(lambda thread=thread: bert.threads.get_state(thread))
        await anna.threads.create(thread_id=forgotten, if_exists="do_nothing")
        await anna.runs.wait(forgotten, "fif", input=None, context=slow_context(models[-1]))
        for thread, model, place in zip(threads, models, (*PLACES, 2), strict=True):

            async def ended(thread: str = thread) -> bool:
                return (await anna.threads.get_state(thread))["next"] == []

            await server.eventually(ended)
            values = (await anna.threads.get_state(thread))["values"]
            assert ("1977" in values["answer"]["text"], values["failures"]) == (True, [])
            assert names(model) == [*NAMES[: place + 1], *NAMES[place:]], "the call in flight alone is made again"
            await refused(lambda thread=thread: bert.threads.get_state(thread))
            for name, status in (("bert", 404), ("anna", 200)):
                assert server.get(f"/trace/{thread}", server.header(name))[0] == status
