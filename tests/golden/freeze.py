"""Freeze what methods do as published anew, on purpose: ``python tests/golden/freeze.py [RUN …]``.

Without names all runs are frozen. See what changed with ``git diff tests/golden`` and say why in the commit.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fixtures.golden_runs import FOLDER, RUNS, golden_trace


def freeze(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BACKTRAIL_HOME"] = str(Path(folder) / "home")
        trace = asyncio.run(golden_trace(name, Path(folder)))
    (FOLDER / f"{name}.json").write_text(json.dumps(trace, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{name}: {len(trace['steps'])} steps")


if __name__ == "__main__":
    for run in sys.argv[1:] or RUNS:
        freeze(run)
