"""Errors of engines. Each says what was lost, what is kept, and what to do.

EngineError
├── EngineUnavailable   Ray cannot be reached, its workers cannot be started, or are lost again and again
├── FilesUnseen         a node does not see the files that the command was given
└── WorkersDiffer       a worker has another version of what it works with than the command
"""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError


class EngineError(BacktrailError):
    """Work that cannot be done where it was to be done."""


class EngineUnavailable(EngineError):
    """Transient: the same command again goes on with what is not done yet."""


class FilesUnseen(EngineError):
    """A node has not the file that it should parse, or another one at its path. Nothing was changed.

    Args:
        host: the node.
        path: of the file.
        problem: what the node has instead.
    """

    def __init__(self, host: str, path: str, problem: str) -> None:
        self.host, self.path = host, path
        super().__init__(
            f"Node {host} of Ray cannot parse {path}: it {problem}. Files have to lie at the same path on every node, "
            "on a volume that they share, say. BACKTRAIL_PARSE_WORKERS=1 parses here, and leaves the rest to Ray."
        )


class WorkersDiffer(EngineError):
    """Results would be mixed that do not belong together; the message says what differs, and where."""
