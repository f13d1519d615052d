"""What a browser meets at the server's address, what it is told of files that it brings, and files of the page."""

import re
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.testclient import TestClient

from backtrail.ingest.pipeline import ingest
from backtrail.server.middleware import Gate
from backtrail.server.ui import corpora
from backtrail.server.ui.local_app import LocalPages, app
from backtrail.server.ui.pages import NoSuchPage
from backtrail.server.ui.routes import static
from backtrail.tools.access.records.ingests import note_ingest
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.uploads.files import delete_file, uploaded_files, uploads_folder

HERE = ("127.0.0.1", 50000)


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    async def ingested(self: LocalPages, request: object, corpus: str) -> None:
        note_ingest(corpus, "done", result="{}")

    monkeypatch.setattr(LocalPages, "ingest", ingested)
    return TestClient(app(), base_url="http://localhost", client=HERE)


def test_a_browser_at_the_address_of_the_server_is_led_to_the_page_and_a_probe_is_not() -> None:
    inner = Router([Route("/", lambda request: JSONResponse({"ok": True}))])
    with TestClient(Gate(inner), base_url="http://localhost", client=HERE, follow_redirects=False) as client:
        led = client.get("/", headers={"accept": "text/html,*/*;q=0.8"})
        assert (led.status_code, led.headers["location"]) == (307, "/ui")
        assert client.get("/", headers={"accept": "*/*"}).json() == {"ok": True}
        assert client.post("/", headers={"accept": "text/html"}).status_code == 405


@pytest.mark.parametrize("served", [app(), Gate(Router())], ids=["one person", "server"])
def test_an_unknown_address_is_answered_by_a_page_with_a_way_back(served: Any) -> None:
    with TestClient(served, base_url="http://localhost", client=HERE) as client:
        for path in ("/ui/nowhere", "/ui/corpora/a/b/c", "/ui/static/none.css"):
            answer = client.get(path)
            assert (answer.status_code, 'href="/ui"' in answer.text) == (404, True)
            assert "There is nothing at this address." in answer.text
            assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert client.post("/ui/nowhere", headers={"origin": "http://elsewhere"}).status_code == 403
        assert client.get("/ui/", follow_redirects=False).status_code == 307


def brought(page: TestClient, *names: str) -> tuple[int, str]:
    token = re.search(r'name="token" value="([^"]+)"', page.get("/ui/corpora").text) or pytest.fail("no token")
    files = [("files", (name, b"words", "text/plain")) for name in names]
    answer = page.post("/ui/corpora", data={"token": token[1], "corpus": "notes"}, files=files)
    return answer.status_code, answer.text


def test_each_file_that_is_not_read_is_named_and_the_rest_is_taken(page: TestClient) -> None:
    status, said = brought(page, "old.doc", "film.xyz")
    assert (status, "old.doc" in said, "film.xyz" in said, uploaded_files("notes")) == (422, True, True, [])
    status, said = brought(page, "a.txt", "old.doc", "b.md", "film<b>.xyz")
    assert status == 200
    assert [file.name for file in uploaded_files("notes")] == ["a.txt", "b.md"]
    assert "old.doc: the old format of Word is not read; save it as .docx." in said
    assert "film&lt;b&gt;.xyz" in said
    assert "a.txt:" not in said


def test_files_of_a_folder_keep_their_paths_and_none_leads_out_of_it(page: TestClient) -> None:
    status, _ = brought(page, "guide/start.md", "guide/deep/er.md", "../out.md", "a/.hidden/x.md", "start.md", "guide")
    assert status == 200
    assert [file.name for file in uploaded_files("notes")] == ["guide/deep/er.md", "guide/start.md", "start.md"]
    status, said = brought(page, "start.md/below.md")
    assert (status, "Rename one of them" in said) == (422, True)
    assert delete_file("notes", "guide/deep/er.md")
    assert not (uploads_folder("notes") / "guide" / "deep").exists()
    assert [file.name for file in uploaded_files("notes")] == ["guide/start.md", "start.md"]


@pytest.mark.parametrize(("limit", "most"), [("FILES", 3), ("UPLOADS", 2000)])
def test_without_room_for_all_none_is_kept(page: TestClient, monkeypatch: Any, limit: str, most: int) -> None:
    monkeypatch.setenv(f"BACKTRAIL_LIMIT_{limit}", str(most))
    uploads_folder("notes").mkdir(parents=True)
    (uploads_folder("notes") / "there.txt").write_text("w" * 1990)
    status, said = brought(page, "a.txt", "b.txt", "c.txt")
    assert (status, "delete some first" in said) == (422, True)
    assert [file.name for file in uploaded_files("notes")] == ["there.txt"]
    assert brought(page, "a.txt", "b.txt")[0] == 200
    assert brought(page, "a.txt", "b.txt")[0] == 200, "the same again, in place of those that are there"


def test_an_address_says_nothing_that_is_not_so(page: TestClient) -> None:
    note_ingest("notes", "done", result="{}")
    uploads_folder("notes").mkdir(parents=True)
    said = page.get("/ui/corpora/notes/ingest", params={"left_out": ["fine.txt", "<script>"]}).text
    assert "fine.txt" not in said
    assert "<script>" not in said.partition("<main")[2]


def test_times_say_where_they_hold(page: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads_folder("notes").mkdir(parents=True)
    held = {"name": "notes", "documents": 1, "components": {}, "links": 0, "problem": ""}
    answer = {**held, "updated": "2026-11-23T06:40:12+00:00"}
    monkeypatch.setattr(corpora, "_described", lambda _: answer)
    assert '<time datetime="2026-11-23T06:40:12+00:00">2026-11-23 06:40 UTC</time>' in page.get("/ui/corpora").text


@pytest.mark.parametrize("name", ["x" * 5000, "é" * 200, "%00", "..", "%2e%2e%2froutes.py", "fonts", "no.css"])
def test_a_name_that_no_file_has_is_not_found(name):
    app = Starlette(
        routes=[Route("/ui/static/{asset}", static), Route("/ui/static/fonts/{font}", static)],
        exception_handlers={NoSuchPage: lambda request, error: Response(status_code=404)},
    )
    with TestClient(app) as client:
        assert client.get("/ui/static/ui.css").status_code == 200
        assert client.get(f"/ui/static/{name}").status_code == 404
        assert client.get(f"/ui/static/fonts/{name}").status_code == 404


def test_documents_to_ask_are_suggested_and_a_wrong_predicate_is_told_beside_the_field(
    page: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = HashedEmbedder()
    bundle = write_bundle(tmp_path / "bundle", {"guide/one": ["Words."], "two": ["More."]})
    ingest([bundle], "notes", embedder="hashed", opened=embedder)
    toolbox = Toolbox(open_corpus=lambda name: open_corpus(name, embedder=embedder))
    monkeypatch.setattr("backtrail.server.ui.ask._TOOLBOX", toolbox)
    form = page.get("/ui?corpus=notes").text
    assert all(f'<option value="{entry}">' in form for entry in ("under:guide/", "guide/one", "two"))
    token = re.search(r'name="token" value="([^"]+)"', form) or pytest.fail("no token")
    for written, said in (("colour:red", "there is no field"), ("tag:", "the value is missing")):
        sent = {"token": token[1], "question": "What?", "corpus": "notes", "documents": written}
        answer = page.post("/ui/ask", data=sent)
        assert answer.status_code == 422
        problem = re.search(r'<p class="notice bad" id="documents-problem" role="alert">(.*?)</p>', answer.text)
        assert problem is not None
        assert said in problem[1]
        assert f'value="{written}"' in answer.text
