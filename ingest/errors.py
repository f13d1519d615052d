"""Errors of ingestion. A bad file is reported and skipped; only what concerns all files is raised."""

from __future__ import annotations

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
