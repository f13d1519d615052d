"""Titles of documents, for people: from the corpus or the web, or else from what the run noted, or else the id."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from backtrail.state.evidence import Evidence
from backtrail.tools.errors import BacktrailError
from backtrail.tools.web.contents import ContentsReader


class Titles:
    """Looks up each document once. Works without the corpus, which may have been deleted since.

    Args:
        open_contents: called when the first title is needed; reading may raise a BacktrailError.
    """

    def __init__(self, open_contents: Callable[[], ContentsReader]) -> None:
        self._open_contents: Callable[[], ContentsReader] | None = open_contents
        self.known: dict[str, str] = {}

    def note(self, evidence: Mapping[str, Evidence]) -> None:
        """Take titles from evidence."""
        self.known.update({found["document"]: found["title"] for found in evidence.values()})

    def look_up(self, documents: Collection[str]) -> None:
        """Fetch the titles that are not known yet."""
        unknown = [document for document in documents if document not in self.known]
        if unknown and self._open_contents is not None:
            try:
                held = self._open_contents().documents(unknown)
            except BacktrailError:
                self._open_contents = None  # a trace is worth showing without titles
                return
            self.known.update({key: document.title for key, document in held.items()})

    def of(self, document: str) -> str:
        """The title, or the id."""
        self.look_up([document])
        return self.known.get(document, document)
