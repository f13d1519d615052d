"""How a file was when it was read, and whether it is so still.

A time of change tells two contents apart only where it is older than the reading by more than clocks and file systems
are coarse: of a file written less than two seconds before it was read, the contents are compared.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from pathlib import Path
from typing import NamedTuple

UNSURE = 2_000_000_000
"""Nanoseconds: a file changed so shortly before it was read may change again without another time of change."""


class FileState(NamedTuple):
    """A file that was read. ``size`` is -1 where there was none, ``changed`` 0 where its contents have to be compared.

    ``changed`` is its time of change in nanoseconds, ``digest`` the sha256 of its contents.
    """

    path: str
    size: int
    changed: int
    digest: str

    def holds(self) -> bool:
        """Whether the file is as it was. Its contents are read only where its size and time of change do not tell."""
        return self.renewed() is not None

    def renewed(self) -> FileState | None:
        """The same with the time of change that it has now, which spares comparing again; None if it differs."""
        found = _found(self.path)
        if found is None or self.size < 0:
            return self if found is None and self.size < 0 else None
        if found.st_size != self.size:
            return None
        if self.changed and found.st_mtime_ns == self.changed:
            return self
        sure = time.time_ns() - found.st_mtime_ns > UNSURE  # asked before the contents are read
        try:
            same = _digest(self.path) == self.digest
        except OSError:
            return None
        return self._replace(changed=found.st_mtime_ns if sure else 0) if same else None


def state_of(path: Path | str, digest: str = "") -> FileState:
    """How a file is now; ``digest`` is the sha256 of its contents where that is known. Ask before reading it."""
    found = _found(path)
    try:
        if found is not None:
            sure = time.time_ns() - found.st_mtime_ns > UNSURE
            return FileState(str(path), found.st_size, found.st_mtime_ns if sure else 0, digest or _digest(path))
    except OSError:  # it went meanwhile
        pass
    return FileState(str(path), -1, 0, "")


def _found(path: Path | str) -> os.stat_result | None:
    """What is known of a file; None where there is none: folders and pipes are none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # ValueError: no name that a file can have
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _digest(path: Path | str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
