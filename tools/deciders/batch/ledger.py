"""Ledger of batches: the batch of each request, so that a restart pays for nothing twice.

One JSONL file per server, ``$BACKTRAIL_HOME/batches/<server>.jsonl``. Servers keep results for 30 days.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

KEPT_SECONDS = 29 * 24 * 3600


class Ledger:
    """Batch ids by request. Blocking."""

    def __init__(self, folder: Path, server: str) -> None:
        self._file = folder / f"{hashlib.sha256(server.encode()).hexdigest()[:16]}.jsonl"
        self._batches: dict[str, str] = {}
        for line in self._lines():
            if line["batch"] is None:
                self._batches.pop(line["request"], None)
            elif time.time() - line["at"] < KEPT_SECONDS:
                self._batches[line["request"]] = line["batch"]

    def batch_of(self, request: str) -> str | None:
        """Return the batch that a request was submitted in."""
        return self._batches.get(request)

    def went(self, requests: Iterable[str], batch: str | None) -> None:
        """Record the batch of requests; None means that they failed there and have to be submitted again."""
        now = time.time()
        lines = [json.dumps({"request": one, "batch": batch, "at": now}) + "\n" for one in requests]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab", buffering=0) as file:
            file.write("".join(lines).encode())
        for line in lines:
            request = json.loads(line)["request"]
            if batch is None:
                self._batches.pop(request, None)
            else:
                self._batches[request] = batch

    def _lines(self) -> Iterable[dict[str, Any]]:
        content = self._file.read_bytes() if self._file.exists() else b""
        if content and not content.endswith(b"\n"):  # cut off by a kill: nothing may be appended to half a line
            self._file.write_bytes(content[: content.rfind(b"\n") + 1])
        return [json.loads(line) for line in content.split(b"\n")[:-1]]
