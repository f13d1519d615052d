"""Start the process that tries cases, and take what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from campaign.trial import Outcome


def tried(names: Sequence[str], url: str, before: Sequence[str] = ()) -> Iterator[Outcome]:
    """Try cases by name in a process of their own, and processes of that."""
    command = [*before, sys.executable, "-m", "campaign.trial", url]
    paths = filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(list(names)))
        process.stdin.close()
        for line in process.stdout:
            yield Outcome(**json.loads(line))
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
