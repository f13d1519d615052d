"""Titles of documents from the corpus or the web, from the run's evidence, or the id as a fallback."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from backtrail.state.evidence import Evidence
from backtrail.tools.errors import BacktrailError
from backtrail.tools.web.contents import ContentsReader


class Titles:
    """Cache of document titles. Works without the corpus, which may have been deleted.

    Args:
        open_contents: called for the first title; reading may raise a BacktrailError.
    """

    def __init__(self, open_contents: Callable[[], ContentsReader]) -> None:
        self._open_contents: Callable[[], ContentsReader] | None = open_contents
        self.known: dict[str, str] = {}

    def note(self, evidence: Mapping[str, Evidence]) -> None:
        """Store the titles of evidence."""
        self.known.update({found["document"]: found["title"] for found in evidence.values()})

    def look_up(self, documents: Collection[str]) -> None:
        """Fetch unknown titles."""
        unknown = [document for document in documents if document not in self.known]
        if unknown and self._open_contents is not None:
            try:
                found = self._open_contents().documents(unknown)
            except BacktrailError:
                self._open_contents = None  # show the trace without titles
                return
            self.known.update({key: document.title for key, document in found.items()})

    def of(self, document: str) -> str:
        """Return the title, or the id."""
        self.look_up([document])
        return self.known.get(document, document)
