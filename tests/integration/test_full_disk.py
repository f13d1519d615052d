"""A disk that fills up at any moment is one sentence; what was stored stays, and the same command goes on later."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.command_line import run
from fixtures.small_disk import SmallDisk, small_disk
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from typer.testing import Result

from backtrail.server.corpora import ROUTES
from backtrail.server.middleware import Gate

FREE_KILOBYTES = (0, 16, 256)
SAID = ("its disk is full", "No space left")


def is_well_or_says_that_the_disk_is_full(result: Result) -> bool:
    said = any(words in result.stderr for words in SAID)
    assert result.exit_code == 0 or said, result.stderr
    assert "Traceback" not in result.stderr
    return result.exit_code == 0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", "160m") as mounted:
        yield mounted


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "alpha.html").write_text("<title>Alpha</title><p>The bridge Alpha was opened in 1970.</p>")
    return folder


def test_a_first_ingest_and_those_after_it_survive_a_full_disk(
    disk: SmallDisk, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(disk.folder / "home"))
    ingest = ("ingest", str(pages), "--corpus", "bridges")
    ask = ("ask", "When was the bridge Alpha opened?", "--corpus", "bridges")
    for size in ("1m", "56m"):
        disk.resize(size)
        is_well_or_says_that_the_disk_is_full(run(*ingest))
    disk.resize("160m")
    assert run(*ingest).exit_code == 0
    for number, free in enumerate(FREE_KILOBYTES):
        (pages / f"page{number}.html").write_text(
            f"<title>Page {number}</title><p>The bridge {number} is new.</p>" * 40
        )
        with disk.filled(free):
            is_well_or_says_that_the_disk_is_full(run(*ingest))
            is_well_or_says_that_the_disk_is_full(run(*ask))
        assert run("corpus", "check", "bridges").exit_code == 0
        assert "1970" in run(*ask).stdout
    assert run(*ingest).exit_code == 0
    assert f"page{len(FREE_KILOBYTES) - 1}.html" in run("corpus", "documents", "bridges").stdout


def test_what_is_uploaded_to_a_full_disk_is_refused_in_a_sentence_and_reads_go_on(
    disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole server whose disk fills up is tried in ``campaigns/long/test_full_disk_serving.py``."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(disk.folder / "home"))
    app = Starlette(routes=ROUTES, middleware=[Middleware(Gate)])
    with TestClient(app, "http://localhost", client=("127.0.0.1", 1)) as client:
        assert client.put("/corpora/notes/files/a.md", content=b"# A").status_code == 201
        assert client.get("/corpora").status_code == 200
        with disk.filled(0):
            refused = client.put("/corpora/notes/files/b.md", content=b"# B" + b"\n" * 300_000)
            assert (refused.status_code, SAID[0] in refused.text) == (507, True)
            assert client.get("/corpora").status_code == 200
        assert client.put("/corpora/notes/files/b.md", content=b"# B" + b"\n" * 300_000).status_code == 201
