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

SHORT = ("--set", "offline.short_from=low")
"""What is read counts here, not how sure it is; that version always answered in short."""


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
    ask = ("ask", "In which year was the Reichsbrücke opened?", "--corpus", "vienna", "--json")
    assert json.loads(run(*ask, *SHORT).stdout)["answer"].startswith("1980")
    assert "1980" in json.loads(run(*ask).stdout)["answer"]  # rules may be too unsure to say more than quotes


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
    fork = ("fork", "finished-fif", "--at", "1", "--json")
    assert json.loads(run(*fork, *SHORT).stdout)["answer"].startswith("1980")
    assert "1980" in json.loads(run(*fork).stdout)["answer"]
