"""A home as version 0.1.0 of 22 November 2026 left it: opened, shown, asked, and its halted runs taken up again.

``fixtures/homes/2026-11-22.tar.xz`` holds a corpus of four pages with its knowledge graph, and of nine methods a
finished run and one that was stopped half-way; ``expected.json`` in it says what that version answered.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from backtrail.cli.app import app

ARCHIVE = Path(__file__).parents[1] / "fixtures" / "homes" / "2026-11-22.tar.xz"
METHODS = ("fif", "cogplanner", "vqa_planner", "hm_rag", "mmapg", "lilac", "ircot", "self_rag", "bm25")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result


def test_the_corpus_is_whole_and_is_asked(home: Path) -> None:
    assert "vienna" in run("corpus", "check", "vienna").stdout
    asked = json.loads(run("ask", "In which year was the Reichsbrücke opened?", "--corpus", "vienna", "--json").stdout)
    assert asked["answer"].startswith("1980")


def test_finished_runs_show_what_they_answered(home: Path) -> None:
    expected: dict[str, Any] = json.loads((home / "expected.json").read_text(encoding="utf-8"))
    for method in METHODS:
        shown = json.loads(run("trace", f"finished-{method}", "--json").stdout)
        assert shown["method"] == method
        assert shown["answer"] == expected[method]["answer"]
        assert [one["component"] for one in shown["citations"]] == expected[method]["citations"]
        run("trace", f"finished-{method}")


def test_halted_runs_are_resumed_to_their_end(home: Path) -> None:
    for method in METHODS:
        finished = json.loads(run("resume", f"halted-{method}", "--json").stdout)
        assert finished["answer"], method
        assert finished["stop_reason"], method


def test_a_finished_run_is_forked(home: Path) -> None:
    forked = json.loads(run("fork", "finished-fif", "--at", "1", "--json").stdout)
    assert forked["answer"].startswith("1980")
