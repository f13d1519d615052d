"""The progress bar of an ingest."""

from __future__ import annotations

from backtrail.cli.show.bar import Bar

STAGES = {
    "fetch": "Fetching",
    "read": "Reading",
    "ocr": "Reading words in pictures",
    "extract": "Extracting knowledge",
    "merge": "Merging the graph",
    "describe": "Summing up descriptions",
    "link": "Resolving links",
    "embed": "Embedding",
    "pictures": "Embedding pictures",
    "vectors": "Arranging vectors",
    "words": "Indexing words",
    "index": "Building the index",
    "publish": "Publishing",
}


class IngestBar(Bar):
    """Draws one bar per stage on stderr. Used as a context manager; implements ``Progress``."""

    def __init__(self, *, shown: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn

        named = TextColumn("{task.description}")
        super().__init__(SpinnerColumn(), named, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), shown=shown)
        self._task = self._progress.add_task("Starting", total=None)

    def stage(self, name: str, total: int | None = None) -> None:
        """A stage begins."""
        self._progress.reset(self._task, total=total, description=STAGES.get(name, name.capitalize()))

    def advance(self, count: int = 1) -> None:
        """So many further items of the stage are done."""
        self._progress.advance(self._task, count)
