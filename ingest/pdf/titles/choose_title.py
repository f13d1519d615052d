"""Choose between the printed title and the metadata title (ours).

In this order: a metadata title of several words that the first page contains; its largest line; the metadata title
unless it is a file name; the first line; the file's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from backtrail.ingest.images import prettify
from backtrail.ingest.pdf.elements import Element, body_size
from backtrail.ingest.pdf.reading import Reading
from backtrail.ingest.pdf.titles.metadata_title import MetadataTitle, clean_metadata_title, words_of
from backtrail.ingest.pdf.titles.printed_title import first_line, largest_line, read_first_page

_SAID = 0.75  # minimum share of a title's words on the first page


def title_of(reading: Reading, elements: Sequence[Element], path: Path) -> str:
    """Return the title of a file.

    Args:
        reading: its pages and its metadata title.
        elements: elements of all pages, with headings marked.
        path: the file.
    """
    stated = clean_metadata_title(reading.title)
    is_said = _is_said(stated, elements)
    if is_said and len(stated.words) > 1 and not stated.is_name:
        return stated.text
    page = read_first_page(elements, {one.number: one.height for one in reading.pages}, body_size(reading.pages))
    own = "" if stated.is_name else stated.text
    shown = largest_line(page)
    if " " not in shown and " " in own:  # the name of a magazine, or the kind of paper
        shown = ""
    return shown or own or first_line(page) or prettify(path.stem)


def _is_said(stated: MetadataTitle, elements: Sequence[Element]) -> bool:
    """Whether the first page contains most words of the title."""
    found: set[str] = set()
    for element in elements:
        if element.page > 1:
            break
        found.update(words_of(element.text))
        for cell in element.part.table.cells if element.part.table else ():
            found.update(words_of(cell.text))
    return sum(word in found for word in stated.words) >= _SAID * len(stated.words) > 0
