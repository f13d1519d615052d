"""The vector index in Chroma: on a server, as several processes would share it, and in a command that ends."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.aegra_server import free_port
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.enrich import Enricher
from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.manage import check, delete_corpus
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.vector_stores.index_folder import wait_for_builds


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    port = free_port()
    chroma = Path(sys.executable).with_name("chroma")
    command = [chroma, "run", "--path", tmp_path_factory.mktemp("chroma"), "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v2/heartbeat", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield port
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture
def served(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "auto")
    monkeypatch.setenv("BACKTRAIL_CHROMA_URL", f"http://127.0.0.1:{port}")


def collections(port: int) -> set[str]:
    tenant = "tenants/default_tenant/databases/default_database"
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v2/{tenant}/collections", timeout=30) as reply:
        return {collection["name"] for collection in json.load(reply)}


@pytest.mark.usefixtures("served")
def test_ingest_search_and_delete_over_http(tmp_path: Path, port: int) -> None:
    source = write_bundle(tmp_path / "source", {"cats": ["cats purr"], "dogs": ["dogs bark"]})
    ingest([source], "served", embedder="hashed", opened=HashedEmbedder())
    assert check("served") == []
    corpus = open_corpus("served", embedder=HashedEmbedder())
    query = corpus.embed(["cats purr"])
    assert corpus.search_components(query, "component", 1)[0]["id"] == "cats#0"
    index = corpus._nearest._index
    assert index.search("components", query[0], 1) is not None
    for number in range(3):
        write_bundle(source, {"cats": [f"cats purr {number}"]})
        ingest([source], "served", embedder="hashed", opened=HashedEmbedder())
        wait_for_builds()
    assert check("served") == []
    assert len({name.rsplit("-", 1)[0] for name in collections(port)}) == 2  # of the newest store and the one before
    delete_corpus("served")
    assert collections(port) == set()
    assert corpus.search_components(query, "component", 1)[0]["id"] == "cats#0"  # a reader that had it open


def test_an_ingest_of_changes_leaves_a_new_vector_index(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "chroma")
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(30):
        (pages / f"p{number}.md").write_text(f"# Page {number}\n\nPump {number} stands in hall {number}.\n")
    ingest([pages], "pages", enricher=Enricher())
    assert stores(home) == 1
    for number in range(8):  # more than a tenth of the vectors, and fewer than half of the documents
        (pages / f"p{number}.md").write_text(f"# Page {number}\n\nValve {number} is kept in the cellar.\n")
    command = [sys.executable, "-m", "backtrail.cli.app", "ingest", str(pages), "--corpus", "pages", "--no-ocr"]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)
    assert "was not built" not in done.stderr
    assert stores(home) == 2


def stores(home: Path) -> int:
    folder = home / "corpora" / "pages" / "vector_index" / "contents"
    return sum(entry.is_dir() and not entry.suffix for entry in folder.iterdir())
