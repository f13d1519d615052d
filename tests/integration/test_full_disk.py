"""A disk that fills up at any moment is one sentence; what was stored stays, and the same command goes on later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.small_disk import SmallDisk, small_disk
from typer.testing import CliRunner, Result

from backtrail.cli.app import app

FREE_KILOBYTES = (0, 16, 256)
SAID = ("its disk is full", "No space left")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


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
