"""Elements: the parts of all pages in order, joined across columns and pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from backtrail.ingest.pdf.layout import PageLayout, Part
from backtrail.ingest.pdf.paragraphs import Block, block_text
from backtrail.ingest.pdf.tables.grid import Cell, FoundTable, as_table, count_rows
from backtrail.ingest.pdf.tables.names import is_numeric

_END = re.compile(r"""[.!?:;…。！？]["'”’»)\]]*$""")
# Words that no sentence ends with. Off: 8 of 363 files have divided paragraphs; one paper gets better.
_OPEN = re.compile(
    r"\b(the|a|an|of|and|or|to|in|by|for|with|from|that|which|as|at|on|its|their|is|are|was|were|der|die|das|und|von|mit)$"
)
_MARK = re.compile(r"^\W{0,3}(\d{1,2}|[A-Za-z]|[ivxlc]{1,5})[.)]\s")  # off: items are joined in 2 of 363 files
_WORDS = re.compile(r"^[\w(“\"'‘«][^:]{15}")
_NOTE = re.compile(r"^(\d{1,3}|[*†‡§¶]{1,3})\s?\D")
_NOTE_SIZE = 0.92  # maximum size of a footnote, of the body's; at 1, 33 of 363 files have other paragraphs
_SAME_EDGE = 6.0  # points by which the columns of a continued table may differ; at 1 or 40 one of 363 files changes
# Of the page's height: a table that ends below it may continue on the next page. Off: in 1 of 26 long filings the
# table of another year is appended.
_LAST = 0.55


@dataclass
class Element:
    """A part with its first page and the text of its lines.

    ``heading`` is the level of a heading; ``continued`` the first row and page of each later part of a table.
    """

    page: int
    part: Part
    text: str = ""
    note: bool = False
    heading: int | None = None
    continued: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


def body_size(pages: Sequence[PageLayout]) -> float:
    """Return the font size of most letters."""
    letters: Counter[float] = Counter()
    for page in pages:
        for part in page.parts:
            for line in part.block.lines if part.block else ():
                letters[round(line.size, 1)] += len(line.text)
    return letters.most_common(1)[0][0] if letters else 10.0


def read_elements(pages: Sequence[PageLayout], body: float) -> list[Element]:
    """Return all parts in reading order; tables and paragraphs are joined across breaks."""
    known = _known_words(pages)
    elements: list[Element] = []
    for page in pages:
        continued = _continued_table(elements, page)
        for part in page.parts:
            if part is continued:
                continue
            element = Element(page.number, part)
            if part.block is not None:
                element.text = block_text(part.block, known)
                element.note = _is_note(part.block, element.text, body)
                before = _text_before(elements)
                if not element.note and not part.aside and before is not None and _goes_on(before, element):
                    before.text = _joined(before, element, known)
                    before.part.jumps += part.jumps
                    continue
            if part.caption is not None:
                element.text = " ".join(block_text(part.caption, known).split())
            elements.append(element)
    return elements


def _known_words(pages: Iterable[PageLayout]) -> set[str]:
    """Return the words within lines, which show whether a word divided at a line end has its own hyphen."""
    known: set[str] = set()
    for page in pages:
        for part in page.parts:
            for line in part.block.lines if part.block else ():
                known.update(word.strip(".,;:()[]\"'“”").casefold() for word in line.text.split()[:-1])
    return known


def _is_note(block: Block, text: str, body: float) -> bool:
    """Whether a block is a footnote: small, with its mark."""
    return block.size <= _NOTE_SIZE * body and bool(_NOTE.match(text))


def _text_before(elements: Sequence[Element]) -> Element | None:
    """Return the last paragraph, skipping notes, tables and pictures."""
    for element in reversed(elements):
        if element.part.block is not None and not element.note and not element.part.aside:
            return element
    return None


def _goes_on(before: Element, element: Element) -> bool:
    """Whether a paragraph continues the one before it, in the next column or on the next page."""
    one, other = before.part.block, element.part.block
    if one is None or other is None or not element.text or not before.text:
        return False
    last, first = one.lines[-1], other.lines[0]
    if abs(last.size - first.size) > 0.05 * last.size or one.bold != other.bold or element.page - before.page > 1:
        return False
    if _END.search(before.text) or len(before.text) < 40:
        return False
    if _breaks_off(before.text, element.text):
        return True
    cased = element.text[0].isalpha() and element.text[0].lower() != element.text[0].upper()
    if cased:
        return element.text[0].islower()
    return before.text[-1] == "-" or (before.text[-1].isalpha() and element.text[0].isalpha())


def _breaks_off(before: str, after: str) -> bool:
    """Whether a paragraph ends with a word that no sentence ends with: the next continues it, even with a capital."""
    return bool(_OPEN.search(before) and _WORDS.match(after) and not _MARK.match(after))


def _joined(before: Element, element: Element, known: set[str]) -> str:
    one, other = before.part.block, element.part.block
    assert one is not None
    assert other is not None
    both = Block([*one.lines, *other.lines], one.breaks | {number + len(one.lines) for number in other.breaks})
    before.part.block = both
    return block_text(both, known)


def _continued_table(elements: Sequence[Element], page: PageLayout) -> Part | None:
    """Append the page's first table to the last one of the page before, if it continues it; return its part."""
    part = page.parts[0] if page.parts else None
    last = next((element for element in reversed(elements) if element.part.block is None or not element.note), None)
    if part is None or last is None or part.table is None or last.part.table is None or part.caption is not None:
        return None
    one, other = last.part.table, part.table
    before = last.continued[-1][1] if last.continued else last.page
    if before != page.number - 1 or last.part.box[3] < _LAST * page.height:
        return None
    if len(one.xs) != len(other.xs) or any(abs(a - b) > _SAME_EDGE for a, b in zip(one.xs, other.xs, strict=True)):
        return None
    if is_numeric(as_table(other)) and _has_other_heads(one, other):
        return None
    last.continued.append((count_rows(one), page.number))
    append_rows(one, other)
    last.part.jumps += part.jumps
    return part


def _has_other_heads(above: FoundTable, below: FoundTable) -> bool:
    return bool(below.heads) and above.slots()[: above.heads] != below.slots()[: below.heads]


def append_rows(table: FoundTable, more: FoundTable) -> None:
    """Append the rows of a continued table; a repeated header is left out, another one becomes a row."""
    skipped = 0 if _has_other_heads(table, more) else more.heads
    below = table.rows - skipped
    for cell in more.cells:
        if cell.row >= skipped:
            moved = Cell(cell.text, cell.row + below, cell.column, cell.end_row + below, cell.end_column, cell.box)
            table.cells.append(moved)
