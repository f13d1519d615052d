"""Errors of ingestion. Bad files are reported and skipped; errors that concern all files are raised."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.tools.errors import BacktrailError


class IngestError(BacktrailError):
    """A source cannot be ingested."""


class UnreadableSource(IngestError):
    """A file cannot be parsed: the message names the file, the problem and what to do."""

    def __init__(self, source: str, problem: str, advice: str) -> None:
        super().__init__(f"{source}: {problem}. {advice}")
        self.source = source
        self.problem = problem
        self.advice = advice

    def __reduce__(self) -> tuple[type[UnreadableSource], tuple[str, str, str]]:
        """Support pickling, since errors cross processes."""
        return type(self), (self.source, self.problem, self.advice)


class EmptySource(UnreadableSource):
    """The file is empty."""

    def __init__(
        self, source: str, problem: str = "the file is empty", advice: str = "Remove it or export it again"
    ) -> None:
        super().__init__(source, problem, advice)


def cannot_be_opened(source: object, error: OSError) -> UnreadableSource:
    """Return the error for a file that cannot be opened."""
    problem = f"cannot be opened ({error.strerror or error})"
    return UnreadableSource(str(source), problem, "Check the path and permissions")


class NothingCameFrom(IngestError):
    """The corpus has no documents from the folder to replace."""

    def __init__(self, corpus: str, folder: str, known: Sequence[str]) -> None:
        held = f"It has documents from {', '.join(known[:5])}" if known else "It has none yet"
        super().__init__(f"Nothing of corpus '{corpus}' was ingested from {folder}, so nothing can replace it. {held}.")
