"""What a parser gives for one document, before links are resolved and anything is stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from backtrail.state.component import Component, Document


@dataclass(frozen=True)
class Problem:
    """A source, or a part of one, that is not in the corpus, and why."""

    source: str
    reason: str


class EmptyFile(Problem):
    """A file in which nothing is written: no failure, unless the corpus holds what was written in it before."""


class RefusedPicture(Problem):
    """A picture of a page that is not stored; there may be hundreds, which are summed up for people."""


@dataclass(frozen=True)
class SkippedPart:
    """A part of a document that could not be read (a truncated picture, say), with the reason.

    ``picture`` says for a picture that was refused why, without names and numbers, so that the like can be counted;
    ``host`` where on the web it lies, if it does.
    """

    source: str
    reason: str
    picture: str = ""
    host: str = ""

    @property
    def problem(self) -> Problem:
        """The same for a report."""
        return RefusedPicture(self.source, self.reason) if self.picture else Problem(self.source, self.reason)


@dataclass(frozen=True)
class ParsedDocument:
    """One document with its components in reading order.

    Links are as written: kind 'external' for URLs, otherwise 'internal' with ``target`` the document
    id it would have (path relative to the ingested folder) and ``component`` the raw fragment, if any.
    The link resolver turns fragments into component ids and marks links to nowhere as dead.

    ``fragments`` maps every element id of the source to the component that holds it.
    ``blobs`` maps the sha256 of each picture file to where its bytes are (path) or the bytes.
    ``left_out`` counts what stands in the source and was not evaluated, by kind and name ("shortcode chart").
    ``content_hash`` covers everything the parser read, so an equal hash means nothing to do.
    """

    document: Document
    components: list[Component]
    content_hash: str
    fragments: dict[str, str] = field(default_factory=dict)
    blobs: dict[str, Path | bytes] = field(default_factory=dict)
    skipped: list[SkippedPart] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
