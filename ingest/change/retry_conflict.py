"""Retry an ingest that another machine's publication overtook."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from backtrail.tools.corpus.errors import PublishConflict

Done = TypeVar("Done")
TRIES = 3
"""How often a change is made before its refusal is told (ours)."""
_log = logging.getLogger(__name__)


def retry_on_conflict(change: Callable[[], Done]) -> Done:
    """Make a change of a shared corpus; again, where another machine published meanwhile.

    What the first try embedded, and what models replied to it, is kept and not asked for again.

    Raises:
        PublishConflict: overtaken each time.
    """
    for _ in range(TRIES - 1):
        try:
            return change()
        except PublishConflict as error:
            _log.warning("%s This is done now.", str(error).partition(" Run the same command again")[0])
    return change()
