"""Errors of engines. Each says what was lost, what is kept, and what to do.

EngineError
├── EngineUnavailable   Ray cannot be reached, its workers cannot be started, or are lost again and again
└── WorkersDiffer       a worker has another version of what it works with than the command
"""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError


class EngineError(BacktrailError):
    """Work that cannot be done where it was to be done."""


class EngineUnavailable(EngineError):
    """Transient: the same command again goes on with what is not done yet."""


class WorkersDiffer(EngineError):
    """Results would be mixed that do not belong together; the message says what differs, and where."""
