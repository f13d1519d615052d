"""Retry an ingest after a conflict with another machine's publication."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from backtrail.tools.corpus.errors import PublishConflict

Done = TypeVar("Done")
TRIES = 3
"""Maximum number of attempts (ours)."""
_log = logging.getLogger(__name__)


def retry_on_conflict(change: Callable[[], Done]) -> Done:
    """Apply a change to a shared corpus, and again if another machine published meanwhile.

    Embeddings and model replies of the first attempt are cached.

    Raises:
        PublishConflict: conflict on every attempt.
    """
    for _ in range(TRIES - 1):
        try:
            return change()
        except PublishConflict as error:
            _log.warning("%s Retrying now.", str(error).partition(" Run the same command again")[0])
    return change()
