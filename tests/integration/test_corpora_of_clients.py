"""Corpora that clients bring to a server: files, an ingest as a run, and nobody else's to see."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fixtures.closed_server import Closed, signed_in, token_in, tool
from fixtures.sent_pictures import FORMS, photograph
from langgraph_sdk import get_client

from backtrail.tools.access.policy.gate import assistant_id

pytestmark = pytest.mark.server
BOATS = "# Boats\n\nThe ferry Amalie crosses the Palve in eleven minutes.\n"
BRIDGES = "# Bridges\n\nThe iron bridge at Dorn was opened in 1931.\n"


@pytest.fixture
def server(clients_server: Closed) -> Closed:
    return clients_server


class Person:
    def __init__(self, server: Closed, name: str) -> None:
        self.client = get_client(url=server.url, api_key=server.keys[name])
        self.http = httpx.AsyncClient(base_url=server.url, headers=server.header(name), timeout=60)

    async def put(self, path: str, text: str | bytes) -> httpx.Response:
        return await self.http.put(f"/corpora/{path}", content=text)

    async def get(self, path: str = "") -> Any:
        return (await self.http.get(f"/corpora{path}")).json()

    async def ingest(self, corpus: str) -> Any:
        return await self.client.runs.wait(None, "ingest", input={"corpus": corpus})

    async def ask(self, corpus: str, question: str) -> Any:
        context: Any = {"corpus": corpus}
        return await self.client.runs.wait(None, "bm25", input={"question": question}, context=context)


@pytest.fixture
async def people(server: Closed) -> AsyncIterator[dict[str, Person]]:
    several = {name: Person(server, name) for name in ("anna", "bert", "carl", "dora")}
    yield several
    for one in several.values():
        await one.http.aclose()
        await one.client.aclose()


async def test_files_become_a_corpus_that_follows_them(people: dict[str, Person]) -> None:
    anna = people["anna"]
    assert (await anna.put("boats/files/boats.md", BOATS)).status_code == 201
    assert (await anna.put("boats/files/bridges.md", BRIDGES)).json()["bytes"] == len(BRIDGES)
    statuses = [
        part.data
        async for part in anna.client.runs.stream(None, "ingest", input={"corpus": "boats"}, stream_mode=["custom"])
        if part.event == "custom"
    ]
    assert {"read", "publish"} <= {one["stage"] for one in statuses}
    shown = await anna.get("/boats")
    assert (shown["owner"], shown["documents"], [file["name"] for file in shown["files"]]) == (
        "you", 2, ["boats.md", "bridges.md"],
    )  # fmt: skip
    assert (shown["ingest"]["state"], json.loads(shown["ingest"]["result"])["added"]) == ("done", 2)
    answered = await anna.ask("boats", "How long does the ferry Amalie take?")
    assert "eleven minutes" in json.dumps(answered["answer"])
    # a file that is gone is gone from the corpus too
    assert (await anna.http.delete("/corpora/boats/files/bridges.md")).status_code == 200
    assert (await anna.ingest("boats"))["report"]["deleted"] == 1
    assert [one["title"] for one in (await anna.get("/boats/documents"))["documents"]] == ["Boats"]


async def test_it_is_nobody_elses_to_see(people: dict[str, Person], server: Closed) -> None:
    """Carl is in the same group, and Anna's corpus is hers alone; Bert may bring nothing."""
    anna = people["anna"]
    await anna.put("secrets/files/boats.md", BOATS)
    await anna.ingest("secrets")
    for other in (people["bert"], people["carl"]):
        assert "secrets" not in json.dumps(await other.get())
        for path in ("/secrets", "/secrets/documents"):
            assert (await other.http.get(f"/corpora{path}")).status_code == 404
        for request in (
            other.put("secrets/files/more.md", BRIDGES),
            other.http.delete("/corpora/secrets/files/boats.md"),
            other.http.delete("/corpora/secrets"),
            other.http.get("/blobs/" + "0" * 64 + "?corpus=secrets"),
        ):
            assert (await request).status_code in (403, 404)
        for begun in (other.ask("secrets", "Which ferry?"), other.ingest("secrets")):
            with pytest.raises(httpx.HTTPStatusError) as raised:
                await begun
            assert raised.value.response.status_code == 422
    assert (await people["bert"].put("berts/files/a.md", BOATS)).status_code == 403
    assert (await anna.put("tiny/files/a.md", BOATS)).status_code == 403, "the host's corpora are not written"
    assert "tiny" in json.dumps(await anna.get())
    assert server.ask("PUT", "/corpora/x/files/a.md", {}, b"x")[0] == 401


async def test_a_group_shares_a_corpus(people: dict[str, Person]) -> None:
    anna, carl = people["anna"], people["carl"]
    await anna.put("shared/files/boats.md?shared=yes", BOATS)
    await carl.put("shared/files/bridges.md", BRIDGES)
    assert (await carl.ingest("shared"))["report"]["added"] == 2
    assert (await anna.get("/shared"))["owner"] == "group"
    assert "shared" not in json.dumps(await people["bert"].get())
    assert (await carl.http.delete("/corpora/shared")).status_code == 200
    assert (await anna.http.get("/corpora/shared")).status_code == 404
    assert (await anna.put("shared/files/again.md", BOATS)).status_code == 201, "the name is free again"
    assert (await anna.get("/shared"))["owner"] == "you"


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("anew/files/..%2Fkeys.toml", b"x", 422),
        ("anew/files/.hidden", b"x", 422),
        ("anew/files/" + "x" * 300, b"x", 422),
        ("anew/files/a.md", b"", 422),
        ("anew/files/large.md", b"x" * 100_001, 413),
        ("..%2Fevil/files/a.md", b"x", 404),
        ("b@d/files/a.md", b"x", 422),
    ],
)
async def test_what_cannot_be_taken_is_refused(people: dict[str, Person], path: str, body: bytes, status: int) -> None:
    answer = await people["anna"].put(path, body)
    assert answer.status_code == status, answer.text
    assert not (await people["anna"].get("/anew")).get("files")


async def test_all_files_of_a_corpus_are_bounded_together(people: dict[str, Person]) -> None:
    anna = people["anna"]
    statuses = [(await anna.put(f"full/files/{name}.md", b"x" * 90_000)).status_code for name in ("a", "b", "c")]
    assert statuses == [201, 201, 413]
    assert len((await anna.get("/full"))["files"]) == 2
    answer = await anna.put("anew/files/large.md", b"x" * 20_000_000)
    assert (answer.status_code, "at most 100,000 bytes" in answer.text) == (413, True)


async def test_what_cannot_be_read_is_told(people: dict[str, Person]) -> None:
    anna = people["anna"]
    await anna.put("broken/files/broken.pdf", b"no pdf at all")
    with pytest.raises(Exception, match=r"(?s)IngestFailed: The uploads of 'broken' were not .*this is not a PDF"):
        await anna.ingest("broken")
    assert (await anna.get("/broken"))["ingest"]["state"] == "failed"


async def test_what_one_client_brings_is_bounded_in_all(people: dict[str, Person]) -> None:
    """Bytes over all of their corpora, files of one, and documents that the files hold."""
    dora = people["dora"]
    assert (await dora.put("one/files/a.md", b"x" * 600)).status_code == 201
    refused = await dora.put("two/files/a.md", b"x" * 600)
    assert (refused.status_code, "All your files together" in refused.text) == (413, True)
    assert (await dora.put("one/files/a.md", b"# A\n\nanother")).status_code == 201, "in place of the other"
    assert (await dora.put("one/files/b.html", "<h1>B</h1><p>Words.</p>")).status_code == 201
    assert (await dora.ingest("one"))["report"]["added"] == 2
    assert (await dora.put("one/files/c.md", b"# C\n\nanother")).status_code == 201
    refused = await dora.put("one/files/d.md", b"D")
    assert (refused.status_code, "A corpus may have 3 files here" in refused.text) == (413, True)
    with pytest.raises(Exception, match="contain more than 2 documents"):
        await dora.ingest("one")
    assert (await dora.get("/one"))["documents"] == 2, "what can be searched is as it was"


async def test_a_picture_may_have_so_many_bytes(people: dict[str, Person]) -> None:
    anna, picture = people["anna"], photograph(400)
    sent = {"messages": [{"role": "user", "content": [FORMS["OpenAI"](picture)]}]}
    asked = {"assistant_id": "bm25", "input": sent, "context": {"corpus": "tiny"}}
    for refused in (
        await anna.http.post("/pictures", content=picture),
        await anna.http.post("/runs/wait", json=asked),
    ):
        assert (refused.status_code, "at most 300 are allowed" in refused.text) == (422, True), refused.text
    assert (await people["bert"].http.post("/pictures", content=picture)).status_code == 201


# --- one that is not a client's to read is answered in the words of one that does not exist -----------
OTHERS, HOSTS = "annas-notes", "internal"
NAMES = (OTHERS, HOSTS, "nowhere", "unheard-of")
ASKED = {"question": "When was Voyager 2 launched?"}


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
