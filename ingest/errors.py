"""Errors of ingestion. A bad file is reported and skipped; only what concerns all files is raised."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.tools.errors import BacktrailError


class IngestError(BacktrailError):
    """Something about a source that keeps it out of the corpus."""


class UnreadableSource(IngestError):
    """A file that cannot be parsed: names the file, what was found, what to do."""

    def __init__(self, source: str, problem: str, advice: str) -> None:
        super().__init__(f"{source}: {problem}. {advice}")
        self.source = source
        self.problem = problem
        self.advice = advice

    def __reduce__(self) -> tuple[type[UnreadableSource], tuple[str, str, str]]:
        """Errors cross from one process to another."""
        return type(self), (self.source, self.problem, self.advice)


class EmptySource(UnreadableSource):
    """A file in which nothing is written."""

    def __init__(
        self, source: str, problem: str = "the file is empty", advice: str = "Remove it or export it again"
    ) -> None:
        super().__init__(source, problem, advice)


def cannot_be_opened(source: object, error: OSError) -> UnreadableSource:
    """The error for a file that the system does not open."""
    problem = f"cannot be opened ({error.strerror or error})"
    return UnreadableSource(str(source), problem, "Check the path and permissions")


class NothingCameFrom(IngestError):
    """A folder whose place is to be taken, and from which the corpus holds nothing."""

    def __init__(self, corpus: str, folder: str, known: Sequence[str]) -> None:
        held = f"It holds documents from {', '.join(known[:5])}" if known else "It holds none yet"
        super().__init__(
            f"Nothing of corpus '{corpus}' was ingested from {folder}, so nothing can take its place. {held}."
        )
