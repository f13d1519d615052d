"""What was asked of the web before: searches, pages, pictures, robots.txt, as small files of JSON.

``$BACKTRAIL_HOME/cache/web/<kind>/ab/<sha256 of the key>.json``. Written whole or not at all, so several
processes share it; when two ask at once, both fetch and the later one stays. Only answers are kept, never
errors. Removing the folder is always safe.
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
# Raised when what is kept changes its meaning: older entries are then not found.
FORMAT = 1


class WebCache:
    """Answers with a time to live.

    Args:
        folder: where everything that can be made again is.
        hours: how old an answer may be; 0 keeps and finds nothing.
    """

    def __init__(self, folder: Path, hours: float, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder / "web"
        self._seconds = hours * 3600
        self._clock = clock

    async def get(self, kind: Kind, key: Mapping[str, Any]) -> Any | None:
        """The answer kept for a key, if it is young enough."""
        return await asyncio.to_thread(self._read, kind, key) if self._seconds else None

    async def put(self, kind: Kind, key: Mapping[str, Any], answer: Any) -> None:
        """Keep an answer, which is JSON-like."""
        if self._seconds:
            await asyncio.to_thread(self._write, kind, key, answer)

    def _read(self, kind: Kind, key: Mapping[str, Any]) -> Any | None:
        try:
            entry = json.loads(self._path(kind, key).read_bytes())
            # A clock that was set back must not make an entry immortal.
            fresh = abs(self._clock() - entry["at"]) < self._seconds
            return entry["answer"] if fresh else None
        except (OSError, ValueError, KeyError, TypeError):
            return None  # not there, or damaged: ask again

    def _write(self, kind: Kind, key: Mapping[str, Any], answer: Any) -> None:
        entry = {"at": self._clock(), "key": dict(key), "answer": answer}
        write_atomically(self._path(kind, key), json.dumps(entry, ensure_ascii=False).encode())

    def _path(self, kind: Kind, key: Mapping[str, Any]) -> Path:
        named = json.dumps([FORMAT, kind, key], sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / kind / digest[:2] / f"{digest}.json"
