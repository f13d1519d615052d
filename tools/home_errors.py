"""Explain operating system errors of the home: full, read-only, cannot be created.

Whatever was writing, the sentence is the same; libraries name the call that failed, and not the folder or what to do.
"""

from __future__ import annotations

import errno
import tempfile

from backtrail.tools.disk_full import causes, is_disk_full
from backtrail.tools.errors import HomeUnusable
from backtrail.tools.home import home

INSUFFICIENT_STORAGE = 507
"""Status of HTTP."""

_CLOSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENOENT, errno.EEXIST})
ELSEWHERE = "Set BACKTRAIL_HOME to a folder that you can write, or give this one back its rights"
_MAKE_ROOM = "Free some space and run the same command again, or `backtrail resume` for a run; what was done is kept"


def home_trouble(error: BaseException) -> HomeUnusable | None:
    """The trouble with the home that stands behind an error; None when it is another."""
    if is_disk_full(error):
        return HomeUnusable(str(home()), "its disk is full", f"{_MAKE_ROOM}.")
    for cause in causes(error):
        if isinstance(cause, OSError) and cause.errno in _CLOSED and _is_ours(cause):
            return HomeUnusable(str(home()), f"this cannot be done there: {cause.strerror}", f"{ELSEWHERE}.")
    return None


def check_home() -> None:
    """Make the home and try whether it can be written.

    Raises:
        HomeUnusable: it cannot.
    """
    folder = home()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise HomeUnusable(str(folder), f"this cannot be done there: {error.strerror}", f"{ELSEWHERE}.") from error


def _is_ours(error: OSError) -> bool:
    return str(error.filename or "").startswith(str(home())) or str(home()).startswith(f"{error.filename}/")
