"""Result of parsing a document, before links are resolved and anything is stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from backtrail.state.component import Component, Document


@dataclass(frozen=True)
class Problem:
    """Source or part of one that is not in the corpus, and the reason."""

    source: str
    reason: str


class EmptyFile(Problem):
    """Empty file: no failure, unless the corpus has its earlier contents."""


class RefusedPicture(Problem):
    """Picture of a page that is not stored; reports for people count them."""


@dataclass(frozen=True)
class SkippedPart:
    """Part of a document that could not be read, such as a truncated picture, with the reason.

    ``picture`` is the cause for a refused picture, without names and numbers, for counting; ``host`` its web host, if
    any.
    """

    source: str
    reason: str
    picture: str = ""
    host: str = ""

    @property
    def problem(self) -> Problem:
        """Problem for the report."""
        return RefusedPicture(self.source, self.reason) if self.picture else Problem(self.source, self.reason)


@dataclass(frozen=True)
class ParsedDocument:
    """Document with its components in reading order.

    Links are as written: kind 'external' for URLs, otherwise 'internal' with ``target`` the document
    id it would have (path relative to the ingested folder) and ``component`` the raw fragment, if any.
    The link resolver turns fragments into component ids and marks links to nowhere as dead.

    ``fragments`` maps every element id of the source to its component.
    ``blobs`` maps the sha256 of each picture to its path or bytes.
    ``left_out`` counts constructs of the source that were not evaluated, by kind and name ("shortcode chart").
    ``content_hash`` covers everything the parser read, so that an equal hash means no change.
    """

    document: Document
    components: list[Component]
    content_hash: str
    fragments: dict[str, str] = field(default_factory=dict)
    blobs: dict[str, Path | bytes] = field(default_factory=dict)
    skipped: list[SkippedPart] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
