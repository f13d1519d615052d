"""Start the process that tries cases, collect its reports, and count connections to their URL."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from campaigns.hostile.trial import Outcome


def tried(names: Sequence[str], url: str, before: Sequence[str] = ()) -> Iterator[Outcome]:
    """Try cases by name in a new process, which forks one for each."""
    command = [*before, sys.executable, "-m", "campaigns.hostile.trial", url]
    paths = filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")))
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
        raise RuntimeError(f"{' '.join(command)} ended with exit status {process.returncode}")


class Listener:
    """Server on loopback that counts connections; a context manager."""

    def __init__(self) -> None:
        self.contacts = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._listen, daemon=True)

    @property
    def url(self) -> str:
        """URL of the server."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.contacts += 1
            connection.close()
