"""Lock of a corpus's writer within a home, with a note of its holder.

``writing_session.py`` locks between homes that share a database.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from backtrail.tools.corpus.errors import CorpusLocked


@contextmanager
def writer_lock(name: str, folder: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold the writer's lock of a corpus; the system releases it when the process dies.

    Args:
        patience: seconds to wait for another holder.

    Raises:
        CorpusLocked: another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / "writer.json"
    lock = FileLock(folder / "writer.lock")
    try:
        lock.acquire(timeout=patience)
    except Timeout:
        raise CorpusLocked(name, *_holder(note)) from None
    try:
        note.write_text(json.dumps({"pid": os.getpid(), "since": now()}))
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release()


def _holder(note: Path) -> tuple[int | None, str]:
    try:
        holder = json.loads(note.read_text())
        return int(holder["pid"]), str(holder["since"])
    except (OSError, ValueError, KeyError):
        return None, ""  # the holder is starting or ending


def now() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
