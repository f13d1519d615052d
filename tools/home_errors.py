"""Explain operating system errors of the home: full, read-only, cannot be created.

Libraries name the call that failed, but neither the folder nor a remedy.
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
ELSEWHERE = "Set BACKTRAIL_HOME to a folder that you can write, or restore the permissions of this one"
_MAKE_ROOM = "Free some space and run the same command again, or `backtrail resume` for a run; what was done is kept"


def home_error(error: BaseException) -> HomeUnusable | None:
    """Return the ``HomeUnusable`` that explains an error; None where the home is not its cause."""
    if is_disk_full(error):
        return HomeUnusable(str(home()), "its disk is full", f"{_MAKE_ROOM}.")
    for cause in causes(error):
        if isinstance(cause, OSError) and cause.errno in _CLOSED and _is_ours(cause):
            return HomeUnusable(str(home()), f"this cannot be done there: {cause.strerror}", f"{ELSEWHERE}.")
    return None


def check_home() -> None:
    """Create the home and check that it is writable.

    Raises:
        HomeUnusable: it cannot be created or written.
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
