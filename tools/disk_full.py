"""Detect errors of a full disk, whichever layer was writing."""

from __future__ import annotations

import errno
import re
import shutil
from collections.abc import Iterator

from backtrail.tools.home import home

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
# the last alternative is numpy's message for a short write; that error has no errno
_PHRASES = re.compile(r"(?:database or )?disk is full|no space left on device|disk quota exceeded|\d requested and \d")
# A full disk has no room for the shared memory of SQLite, which then reports an input/output error.
_ROOM_FOR_SQLITE = 1024 * 1024


def is_disk_full(error: BaseException) -> bool:
    """Whether an error or one of its causes reports a full disk."""
    return any(_says_full(cause) for cause in causes(error))


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those behind it: causes, contexts, SQLAlchemy's ``orig``, members of groups."""
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        cause = left.pop()
        if cause is not None and id(cause) not in seen:
            seen.add(id(cause))
            yield cause
            left += [getattr(cause, "orig", None), cause.__cause__, cause.__context__]
            left += cause.exceptions if isinstance(cause, BaseExceptionGroup) else []


def _says_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in _FULL:
        return True
    message = str(error).lower()
    return bool(_PHRASES.search(message)) or ("disk i/o error" in message and _free() < _ROOM_FOR_SQLITE)


def _free() -> int:
    """Free bytes on the disk of the home, which need not exist yet."""
    existing = next((folder for folder in (home(), *home().parents) if folder.exists()), home().parent)
    return shutil.disk_usage(existing).free
