"""The walk over a document's blocks: paragraphs, headings, lists, tables become elements of a page."""

from __future__ import annotations

import re
from typing import Any

from backtrail.ingest.word.elements import add_text, child, new, says
from backtrail.ingest.word.names import W, is_on, local
from backtrail.ingest.word.numbering import Numbering
from backtrail.ingest.word.package import Package
from backtrail.ingest.word.runs import InlineReader
from backtrail.ingest.word.styles import Style, Styles, numbering_of, outline_level
from backtrail.ingest.word.tables import table_with_header

MAX_DEPTH = 20
"""How deep tables, text boxes and content controls may stand in each other; ours."""

CAPTION = "data-caption"
"""Marks a caption until it is joined with what it describes."""

_THROUGH = frozenset({"sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"})
_HEADING_CHARACTERS = 120
_NOT_READ = {"altChunk": "a part in another format", "subDoc": "a document of its own that is only linked"}


class BodyReader:
    """Turns block content into elements of a page.

    Args:
        package: the document.
        styled: whether its headings have styles; where none has, short bold paragraphs are taken for headings.
    """

    def __init__(self, package: Package, *, styled: bool, styles: Styles, numbering: Numbering) -> None:
        self.inline = InlineReader(package)
        self.title = ""
        self.notes: list[str] = []
        self._styles = styles
        self._numbering = numbering
        self._styled = styled
        self._depth = 0

    def read(self, blocks: Any, into: Any) -> None:
        """Write block content into an element."""
        if self._depth >= MAX_DEPTH:
            self.notes.append(f"what is nested more than {MAX_DEPTH} levels deep was not read")
            return
        self._depth += 1
        for block in blocks:
            kind = local(block)
            if kind == "p" and len(block) == 0 and _ends_blank(into):
                continue  # a second blank line says what the first said
            if kind == "p":
                self._paragraph(block, into)
            elif kind == "tbl":
                into.append(table_with_header(block, self._cell))
            elif kind in _THROUGH:
                self.read(block, into)
            elif kind in _NOT_READ:
                self.notes.append(f"{_NOT_READ[kind]} was not read")
        self._depth -= 1

    def _cell(self, cell: Any, into: Any) -> None:
        self.read(cell, into)

    def _paragraph(self, paragraph: Any, into: Any) -> None:
        style = self._styles.of(paragraph)
        if style.is_contents:
            return
        element = new("p")
        self.inline.read(paragraph, element)
        words = says(element)
        level = outline_level(paragraph) or style.level
        label = self._label(paragraph, style) if words else None
        if style.is_title and words and not self.title:
            self.title = words
            element.tag = "h1"
        elif words and (level or self._looks_like_heading(paragraph, words, into)):
            element.tag = f"h{min(level or 2, 6)}"
            element.text = f"{label} {element.text or ''}" if label else element.text
        elif style.is_caption or self.inline.counted:
            element.set(CAPTION, self.inline.counted or "caption")
        elif words and (label is not None or style.is_list):
            _add_item(into, element, label)
            element = None
        if element is not None:
            into.append(element)
        self._what_floats(into)

    def _what_floats(self, into: Any) -> None:
        """Text boxes and charts of the paragraph, after it."""
        tables, self.inline.tables = self.inline.tables, []
        boxes, self.inline.boxes = self.inline.boxes, []
        for table in tables:
            into.append(table)
        for box in boxes:
            self.read(box, into)

    def _label(self, paragraph: Any, style: Style) -> str | None:
        own = numbering_of(paragraph)
        list_, level = own or style.numbering or ("0", 0)
        if own and style.numbering and list_ == "0":
            return None
        if style.numbering and not own and style.level:
            level = style.level - 1
        return self._numbering.next_label(list_, level) if list_ != "0" else None

    def _looks_like_heading(self, paragraph: Any, words: str, into: Any) -> bool:
        """In a document without heading styles: a short bold line of its own, outside tables."""
        if self._styled or into.tag != "body" or len(words) > _HEADING_CHARACTERS or words[-1] in ".,;:!?":
            return False
        return numbering_of(paragraph) is None and is_bold(paragraph) and re.search(r"\w", words) is not None


def is_bold(paragraph: Any) -> bool:
    """Whether all text of a paragraph is set in bold by hand."""
    runs = [run for run in paragraph.iter(f"{W}r") if any((text.text or "").strip() for text in run.iter(f"{W}t"))]
    return bool(runs) and all(is_on(run.find(f"{W}rPr/{W}b")) for run in runs)


def _ends_blank(into: Any) -> bool:
    last = into[-1] if len(into) else None
    return last is not None and last.tag == "p" and len(last) == 0 and not last.text and not last.attrib


def _add_item(into: Any, element: Any, label: str | None) -> None:
    """A list item; consecutive ones make one list."""
    last = into[-1] if len(into) else None
    list_ = last if last is not None and last.tag == "ul" else child(into, "ul")
    item = child(list_, "li")
    if label:
        add_text(item, f"{label} ")
    element.tag = "span"
    item.append(element)
