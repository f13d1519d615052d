"""A folder that is ingested again whenever its files change."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from fixtures.command_line import run


def test_changes_are_ingested_until_ctrl_c_and_a_bad_file_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "first.txt").write_text("The bridge was opened in 1980.")
    command = ["ingest", str(tmp_path), "--corpus", "notes", "--watch", "--json"]
    program = "from backtrail.cli.app import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", program, *command],
        stdout=subprocess.PIPE,
        text=True,
        # A shell starts background jobs with Ctrl-C ignored, and what they start inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as watching:
        assert watching.stdout
        try:
            assert _next(watching.stdout)["added"] == 1
            (tmp_path / "second.txt").write_text("The tunnel was opened in 1990.")
            assert _next(watching.stdout)["added"] == 1
            (tmp_path / "broken.pdf").write_text("This is no PDF.")
            assert len(_next(watching.stdout)["failed"]) == 1
            (tmp_path / "first.txt").unlink()
            assert _next(watching.stdout)["deleted"] == 1
        finally:
            watching.send_signal(signal.SIGINT)
            watching.wait(timeout=120)
    assert watching.returncode == 0


def _next(lines: Any) -> dict[str, Any]:
    return json.loads(lines.readline())


def test_only_files_can_be_watched() -> None:
    result = run("ingest", "https://example.org", "--watch")
    assert (result.exit_code, "--watch" in result.stderr) == (2, True)
