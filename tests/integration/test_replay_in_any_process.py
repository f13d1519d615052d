"""What was recorded in one process is replayed in any other: no prompt depends on how a process hashes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fixtures.replayed_runs import make_corpus

TESTS = Path(__file__).parents[1]


def run(folder: Path, verb: str, seed: int) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, str(TESTS / "fixtures" / "replayed_runs.py"), str(folder), verb],
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(TESTS)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_recordings_replay_under_another_hash_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    make_corpus(tmp_path)
    recorded = run(tmp_path / "records", "record", 0)
    assert [end for end in recorded if end["ranking"]]
    assert run(tmp_path / "records", "replay", 1) == recorded
