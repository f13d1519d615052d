"""Recognise that a disk ran full, whichever layer was writing."""

from __future__ import annotations

import errno

_PHRASES = ("database or disk is full", "no space left on device", "disk quota exceeded")


def is_disk_full(error: BaseException | None) -> bool:
    """Whether an error, or one that led to it, says that there is no space left."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if any(phrase in str(error).lower() for phrase in _PHRASES):
            return True
        error = error.__cause__ or error.__context__
    return False
