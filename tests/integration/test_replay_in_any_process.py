"""What was recorded in one process is replayed in any other: no prompt depends on how a process hashes."""

import json
import os
import subprocess
import sys
from pathlib import Path

from fixtures.replayed_runs import ends, make_corpus

TESTS = Path(__file__).parents[1]


def test_recordings_replay_under_another_hash_seed(tmp_path: Path) -> None:
    make_corpus(tmp_path)
    recorded = list(ends(tmp_path / "records", False))
    assert [end for end in recorded if end["ranking"]]
    done = subprocess.run(
        [sys.executable, str(TESTS / "fixtures" / "replayed_runs.py"), str(tmp_path / "records")],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(TESTS)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == json.loads(json.dumps(recorded))
