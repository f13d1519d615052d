"""What goes wrong with a request of a batch. ``status_code`` says what is to be done, as with a request of its own."""

from __future__ import annotations


class BatchedRequestFailed(Exception):
    """One request, or the whole batch it was in, came to nothing."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status_code = status
