"""Errors of engines. Each says what was lost, what is kept, and what to do.

EngineError
├── EngineUnavailable   Ray cannot be reached, its workers cannot be started, or are lost repeatedly
├── FilesUnseen         a node cannot read the files of the command
└── WorkersDiffer       a worker has another version of its model or parser than the command
"""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError


class EngineError(BacktrailError):
    """Work cannot be done on its engine."""


class EngineUnavailable(EngineError):
    """Transient: the same command continues the unfinished work."""


class FilesUnseen(EngineError):
    """A node lacks the file to parse, or has another one at its path. Nothing was changed.

    Args:
        host: name of the node.
        path: path of the file.
        problem: problem on the node, as a clause after "it".
    """

    def __init__(self, host: str, path: str, problem: str) -> None:
        self.host, self.path = host, path
        super().__init__(
            f"Node {host} of Ray cannot parse {path}: it {problem}. Files must have the same path on every node, "
            "for example on a shared volume. BACKTRAIL_PARSE_WORKERS=1 parses here, and leaves the rest to Ray."
        )


class WorkersDiffer(EngineError):
    """Workers would give inconsistent results; the message says what differs, and where."""
