"""Documents of office programs as pages of elements, which are read the way of HTML."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backtrail.ingest.captions_beside import with_captions
from backtrail.ingest.draft import Draft
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.rewrites.standardise import standardise
from backtrail.ingest.html.text import normalise
from backtrail.ingest.html.walk import PageWalker
from backtrail.ingest.office.elements import add_text, child, says

MAX_DEPTH = 20
"""Levels of tables, lists and text boxes within each other; ours."""

HEADING_CHARACTERS = 120


def drafts_of(body: Any, title: str, targets: LinkTargets) -> list[Draft]:
    """The drafts of a page in reading order."""
    standardise(body)
    return with_captions(PageWalker(title, targets).walk(body))


def add_lines(body: Any, heading: str, lines: Iterable[str]) -> None:
    """A section at the end, a paragraph for each line; none without lines."""
    for number, line in enumerate(lines):
        if not number:
            add_text(child(body, "h1"), heading)
        add_text(child(body, "p"), line)


def is_bold_line(element: Any) -> bool:
    """Whether a paragraph is short and bold throughout: a heading, in a document that marks none."""
    words = says(element)
    if not 0 < len(words) <= HEADING_CHARACTERS or words[-1] in ".,;:!?" or not any(map(str.isalpha, words)):
        return False
    return "".join(words.split()) == "".join("".join("".join(part.itertext()) for part in element.iter("b")).split())


def only_heading(body: Any) -> str:
    """A first-level heading on top that is the only one: a title in all but style."""
    headings = body.findall("h1")
    return normalise(says(headings[0])) if len(headings) == 1 and headings[0].getprevious() is None else ""
