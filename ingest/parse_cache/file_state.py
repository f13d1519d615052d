"""State of a file when it was read, and comparison with its current state.

A modification time is reliable only if it is older than the reading by more than the resolution of clocks and file
systems: for a file written less than two seconds before it was read, the contents are compared.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from pathlib import Path
from typing import NamedTuple

UNSURE = 2_000_000_000
"""Nanoseconds before a reading within which a change may leave the modification time unchanged."""


class FileState(NamedTuple):
    """State of a file. ``size`` is -1 for a missing file, ``changed`` 0 if contents must be compared.

    ``changed`` is the modification time in nanoseconds, ``digest`` the sha256 of the contents.
    """

    path: str
    size: int
    changed: int
    digest: str

    def holds(self) -> bool:
        """Return whether the file is unchanged, reading its contents only if size and time do not decide."""
        return self.renewed() is not None

    def renewed(self) -> FileState | None:
        """Return the state with the current modification time; None if the file has changed."""
        found = _found(self.path)
        if found is None or self.size < 0:
            return self if found is None and self.size < 0 else None
        if found.st_size != self.size:
            return None
        if self.changed and found.st_mtime_ns == self.changed:
            return self
        sure = time.time_ns() - found.st_mtime_ns > UNSURE  # before the contents are read
        try:
            same = _digest(self.path) == self.digest
        except OSError:
            return None
        return self._replace(changed=found.st_mtime_ns if sure else 0) if same else None


def state_of(path: Path | str, digest: str = "") -> FileState:
    """Return the state of a file, before it is read; ``digest`` is its sha256 if known."""
    found = _found(path)
    try:
        if found is not None:
            sure = time.time_ns() - found.st_mtime_ns > UNSURE
            return FileState(str(path), found.st_size, found.st_mtime_ns if sure else 0, digest or _digest(path))
    except OSError:  # deleted meanwhile
        pass
    return FileState(str(path), -1, 0, "")


def _found(path: Path | str) -> os.stat_result | None:
    """Return the stat of a regular file; None if there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # ValueError: invalid file name
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _digest(path: Path | str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
