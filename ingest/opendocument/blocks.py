"""Conversion of OpenDocument content to HTML elements: paragraphs, headings, lists, tables, frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.elements import add_text, child, new, says, styled, unwrap_only_paragraph
from backtrail.ingest.office.page import MAX_DEPTH, TextReader
from backtrail.ingest.opendocument.names import DRAW, OFFICE, SVG, TABLE, TEXT, XLINK, count
from backtrail.ingest.opendocument.styles import Styles

_MOST_SPACES = 100
_MOST_COLUMNS = 500
_LEFT_OUT = frozenset(
    f"{TEXT}{name}"
    for name in ("table-of-content", "alphabetical-index", "illustration-index", "table-index", "object-index",
                 "user-index", "tracked-changes", "sequence-decls", "user-field-decls", "variable-decls",
                 "soft-page-break", "ruby-text", "note-citation")
)  # fmt: skip
_ROW_GROUPS = frozenset(f"{TABLE}{name}" for name in ("table-header-rows", "table-rows", "table-row-group"))
_MARKS = frozenset(f"{TEXT}{name}" for name in ("bookmark", "bookmark-start", "reference-mark", "reference-mark-start"))
_REFERENCES = frozenset({f"{TEXT}bookmark-ref", f"{TEXT}reference-ref"})


class BlockReader(TextReader):
    """Converter of block content to HTML elements.

    Args:
        archive: the document with its embedded charts and formulas.
        parts: the parts that define its styles.
    """

    def __init__(self, archive: Archive, parts: list[Any]) -> None:
        super().__init__(archive)
        self._styles = Styles(parts)

    def _block(self, block: Any, into: Any) -> None:
        tag = block.tag
        if tag in (f"{TEXT}p", f"{TEXT}h"):
            self._paragraph(block, into)
        elif tag == f"{TEXT}list":
            self._list(block, into)
        elif tag == f"{TABLE}table":
            self._table(block, child(into, "table"))
        elif tag.startswith(DRAW):
            self._shape(block, into)
        elif tag not in _LEFT_OUT and len(block):
            self.read([part for part in block if part.tag.startswith((TEXT, TABLE, DRAW))], into)

    def _paragraph(self, paragraph: Any, into: Any) -> None:
        style = paragraph.get(f"{TEXT}style-name") or ""
        element = new("p")
        self.read_inline(paragraph, styled(element, "b" if self._styles.way(style) == "b" else ""))
        words = says(element)
        if words and self._styles.is_title(style) and not self.title:
            self.title = words
            element.tag = "h1"
        elif words and paragraph.tag == f"{TEXT}h" and into.tag not in ("li", "td", "th"):
            element.tag = f"h{count(paragraph, f'{TEXT}outline-level', 6)}"
        into.append(element)
        floating, self._floating = self._floating, []
        self.read(floating, into)

    def _list(self, block: Any, into: Any) -> None:
        list_ = child(into, "ul")
        for item in block.iterchildren(f"{TEXT}list-item", f"{TEXT}list-header"):
            entry = child(list_, "li")
            self.read(item, entry)
            if len(entry) and entry[0].tag == "p":
                entry[0].tag = "span"

    def _table(self, table: Any, made: Any) -> None:
        for row, in_header in _rows(table):
            line = child(made, "tr")
            for cell in row.iterchildren(f"{TABLE}table-cell"):  # covered cells have another tag
                rows, columns, repeated = (
                    count(cell, f"{TABLE}number-{name}", _MOST_COLUMNS)
                    for name in ("rows-spanned", "columns-spanned", "columns-repeated")
                )  # a repeated cell becomes one that spans
                element = child(line, "th" if in_header else "td", rowspan=str(rows), colspan=str(columns * repeated))
                self.read(cell, element)
                unwrap_only_paragraph(element)
            while len(line) and not says(line[-1]) and line[-1].find(".//img") is None:
                line.remove(line[-1])

    def _shape(self, shape: Any, into: Any) -> None:
        """Convert a frame, or a shape with text."""
        if _is_picture(shape):
            _add_picture(shape, child(into, "p"))
            return
        for part in shape:
            if part.tag == f"{DRAW}text-box":
                self.read(part, into)
            elif part.tag in (f"{DRAW}frame", f"{DRAW}g") or part.tag.startswith((DRAW + "custom", TEXT, TABLE)):
                self.read([part], into)
            elif part.tag == f"{DRAW}object":
                self._object(part, into)

    def _object(self, part: Any, into: Any) -> None:
        """Convert the tables of an embedded chart or spreadsheet, or a formula."""
        root = self._archive.tree(f"{(part.get(f'{XLINK}href') or '').removeprefix('./')}/content.xml")
        if root is None:
            return
        if root.tag.endswith("}math"):
            child(into, "p").append(root)
            return
        titles = (one for one in root.iter("{*}title") if one.tag.endswith("chart:1.0}title"))
        title = normalise(" ".join("".join(one.itertext()) for one in titles))
        for table in root.iter(f"{TABLE}table"):
            made = child(into, "table")
            add_text(child(made, "caption"), title)
            self._table(table, made)

    def read_inline(self, paragraph: Any, into: Any) -> None:
        """Write the content of a paragraph into an element."""
        add_text(into, paragraph.text or "")
        for part in paragraph:
            self._inline(part, into)
            add_text(into, part.tail or "")

    def _inline(self, part: Any, into: Any) -> None:
        tag = part.tag
        if tag in _LEFT_OUT or tag == f"{OFFICE}annotation":
            return
        if tag in (f"{TEXT}s", f"{TEXT}tab"):
            add_text(into, " " * count(part, f"{TEXT}c", _MOST_SPACES))
        elif tag == f"{TEXT}line-break":
            child(into, "br")
        elif tag == f"{TEXT}a":
            self.read_inline(part, child(into, "a", href=part.get(f"{XLINK}href") or ""))
        elif tag in _REFERENCES:
            self.read_inline(part, child(into, "a", href=f"#{part.get(f'{TEXT}ref-name') or ''}"))
        elif tag in _MARKS:
            child(into, "span", id=part.get(f"{TEXT}name") or "")
        elif tag == f"{TEXT}note":
            body = part.find(f"{TEXT}note-body")
            if body is not None:
                self._call(part.get(f"{TEXT}note-class") or "footnote", body, into)
        elif tag == f"{DRAW}a":
            for inner in part:
                self._inline(inner, child(into, "a", href=part.get(f"{XLINK}href") or ""))
        elif tag.startswith(DRAW) and _is_picture(part):
            _add_picture(part, into)
        elif tag.startswith(DRAW):
            self._floating.append(part)
        else:
            way = self._styles.way(part.get(f"{TEXT}style-name") or "") if tag == f"{TEXT}span" else ""
            self.read_inline(part, styled(into, way))


def _rows(table: Any, in_header: bool = False, depth: int = 0) -> Iterator[tuple[Any, bool]]:
    """Yield the rows of a table, without nested tables, and whether each is a marked header row."""
    for part in table:
        if part.tag == f"{TABLE}table-row":
            yield part, in_header
        elif part.tag in _ROW_GROUPS and depth < MAX_DEPTH:
            yield from _rows(part, in_header or part.tag == f"{TABLE}table-header-rows", depth + 1)


def _is_picture(shape: Any) -> bool:
    """Return whether a shape is a frame with a picture and no object, text box or table instead."""
    kinds = {part.tag for part in shape} if shape.tag == f"{DRAW}frame" else set()
    return f"{DRAW}image" in kinds and not kinds & {f"{DRAW}object", f"{DRAW}text-box", f"{TABLE}table"}


def _add_picture(frame: Any, into: Any) -> None:
    """Add the picture of a frame, with its title and description."""
    texts = (normalise(frame.findtext(f"{SVG}{name}") or "") for name in ("title", "desc"))
    source = frame.find(f"{DRAW}image").get(f"{XLINK}href") or ""
    if source:
        child(into, "img", src=source.removeprefix("./"), alt=". ".join(filter(None, texts)))
