"""Map components to pages of documents, the unit of document benchmarks.

A place is ``document#page``, or the document alone where it has no pages. A long PDF is stored as several documents,
one per section, whose ids begin with that of the file; here they count as the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.evals.questions import Question

_DIVIDED = (".pdf",)
"""Files whose sections are separate documents."""


def place_of(found: Mapping[str, Any]) -> str:
    """Return the place of a piece of evidence or a citation."""
    locator = found.get("locator") or {}
    return place(str(found.get("document", "")), locator.get("page") or locator.get("slide"))


def place(document: str, page: int | None) -> str:
    """Return the name of a place."""
    return f"{file_of(document)}#{page}" if page is not None else file_of(document)


def file_of(document: str) -> str:
    """Return the file that a document, or a section of one, was read from."""
    for ending in _DIVIDED:
        head, found, _ = document.partition(f"{ending}/")
        if found:
            return head + ending
    return document


def document_of(place_: str) -> str:
    """Return the document of a place."""
    head, found, page = place_.rpartition("#")
    return head if found and page.isdigit() else place_


def gold_places(question: Question) -> tuple[str, ...]:
    """Return the places of the evidence of a question."""
    return tuple(dict.fromkeys(place(piece.document, piece.page) for piece in question.evidence))


def gold_documents(question: Question) -> tuple[str, ...]:
    """Return the documents of the evidence; without evidence those of the tag ``documents``."""
    named = [document_of(one) for one in gold_places(question)] or question.tags.get("documents") or []
    return tuple(dict.fromkeys(str(one) for one in named))
