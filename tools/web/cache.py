"""Cache of web searches, pages, pictures and robots.txt, as JSON files.

``$BACKTRAIL_HOME/cache/web/<kind>/ab/<sha256 of the key>.json``. Files are written atomically, so that several
processes can share them; concurrent requests both fetch, and the later result is kept. Errors are not cached.
Deleting the folder is always safe.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from backtrail.tools.atomic_file import write_atomically

Kind = Literal["searches", "pages", "pictures", "robots"]
# Raise it when entries change their meaning: older ones are then not found.
FORMAT = 1


class WebCache:
    """Cached results with a time to live.

    Args:
        folder: the home's cache folder.
        hours: maximum age of a result; 0 disables the cache.
    """

    def __init__(self, folder: Path, hours: float, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder / "web"
        self._seconds = hours * 3600
        self._clock = clock

    async def get(self, kind: Kind, key: Mapping[str, Any]) -> Any | None:
        """Return the result of a key, if it is young enough."""
        return await asyncio.to_thread(self._read, kind, key) if self._seconds else None

    async def put(self, kind: Kind, key: Mapping[str, Any], answer: Any) -> None:
        """Store a JSON-like result."""
        if self._seconds:
            await asyncio.to_thread(self._write, kind, key, answer)

    def _read(self, kind: Kind, key: Mapping[str, Any]) -> Any | None:
        try:
            entry = json.loads(self._path(kind, key).read_bytes())
            # abs: a clock that was set back must not make an entry last forever.
            fresh = abs(self._clock() - entry["at"]) < self._seconds
            return entry["answer"] if fresh else None
        except (OSError, ValueError, KeyError, TypeError):
            return None  # missing or damaged: fetch again

    def _write(self, kind: Kind, key: Mapping[str, Any], answer: Any) -> None:
        entry = {"at": self._clock(), "key": dict(key), "answer": answer}
        write_atomically(self._path(kind, key), json.dumps(entry, ensure_ascii=False).encode())

    def _path(self, kind: Kind, key: Mapping[str, Any]) -> Path:
        named = json.dumps([FORMAT, kind, key], sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / kind / digest[:2] / f"{digest}.json"
