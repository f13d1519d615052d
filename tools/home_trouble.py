"""What an error of the operating system or of SQLite means for the home: full, read-only, not to be made.

Whatever was writing, the sentence is the same; libraries name the call that failed, and not the folder or what to do.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator

from backtrail.tools.errors import HomeUnusable
from backtrail.tools.home import home

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_CLOSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENOENT, errno.EEXIST})
_SQLITE = {
    "disk is full": "its disk is full",
    "readonly database": "it is read-only",
    "unable to open database file": "it cannot be made or written",
}
_ELSEWHERE = "Set BACKTRAIL_HOME to a folder that you can write, or give this one back its rights"
_MAKE_ROOM = "Free some space and run the same command again, or `backtrail resume` for a run; what was done is kept"


def home_trouble(error: BaseException) -> HomeUnusable | None:
    """The trouble with the home that stands behind an error; None when it is another."""
    for cause in _causes(error):
        if isinstance(cause, OSError) and cause.errno in _FULL:
            return HomeUnusable(str(home()), "its disk is full", f"{_MAKE_ROOM}.")
        if isinstance(cause, OSError) and cause.errno in _CLOSED and _is_ours(cause):
            return HomeUnusable(str(home()), f"this cannot be done there: {cause.strerror}", f"{_ELSEWHERE}.")
        if isinstance(cause, sqlite3.Error):
            for mark, problem in _SQLITE.items():
                if mark in str(cause):
                    advice = _MAKE_ROOM if "full" in mark else _ELSEWHERE
                    return HomeUnusable(str(home()), problem, f"{advice}.")
    return None


def _is_ours(error: OSError) -> bool:
    return str(error.filename or "").startswith(str(home())) or str(home()).startswith(f"{error.filename}/")


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        cause = left.pop()
        if cause is not None and id(cause) not in seen:
            seen.add(id(cause))
            yield cause
            left += [getattr(cause, "orig", None), cause.__cause__, cause.__context__]
            left += cause.exceptions if isinstance(cause, BaseExceptionGroup) else []
