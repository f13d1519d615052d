"""Corpora that clients bring to a server: files, an ingest as a run, and nobody else's to see."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fixtures.closed_server import Closed
from langgraph_sdk import get_client
from PIL import Image

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
    told = [
        part.data
        async for part in anna.client.runs.stream(None, "ingest", input={"corpus": "boats"}, stream_mode=["custom"])
        if part.event == "custom"
    ]
    assert {"read", "publish"} <= {one["stage"] for one in told}
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
    anna, picture = people["anna"], drawn()
    assert len(picture) > 300
    for refused in (
        await anna.http.post("/pictures", content=picture),
        await anna.http.post(
            "/runs/wait", json={"assistant_id": "bm25", "input": shown(picture), "context": {"corpus": "tiny"}}
        ),
    ):
        assert (refused.status_code, "at most 300 are allowed" in refused.text) == (422, True), refused.text
    assert (await people["bert"].http.post("/pictures", content=picture)).status_code == 201


def drawn() -> bytes:
    packed = io.BytesIO()
    Image.effect_noise((40, 40), 60).save(packed, "PNG")
    return packed.getvalue()


def shown(picture: bytes) -> dict[str, Any]:
    url = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    return {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]}
