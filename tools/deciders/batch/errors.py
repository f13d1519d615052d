"""Error of a batched request. ``status_code`` decides about retries, as for single requests."""

from __future__ import annotations


class BatchedRequestFailed(Exception):
    """A request of a batch, or the whole batch, failed."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status_code = status
