"""A local model whose process ends."""

from __future__ import annotations

import subprocess
import sys

import pytest
from fixtures.local_models import Checkpoints

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.mark.long
def test_the_process_ends_in_the_middle_of_a_generation(checkpoints: Checkpoints) -> None:
    """A daemon thread inside torch would bring the interpreter down with a signal."""
    script = (
        "import sys; from pathlib import Path; from langchain_core.messages import HumanMessage\n"
        "from backtrail.tools.local.chat import open_local_chat\n"
        "model = open_local_chat(Path(sys.argv[1]))\n"
        "request = model.request([HumanMessage('x')], max_tokens=16000)\n"
        "model.engine.submit(request)\n"
        "import time\nwhile not request.started: time.sleep(0.01)\n"
        "print('leaving')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, str(checkpoints["text"])], capture_output=True, text=True, timeout=120
    )
    assert (ended.returncode, ended.stdout) == (0, "leaving\n"), ended.stderr
