"""Streaming reader of Excel workbooks (.xlsx, .xlsm); macros and external links are never opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.archive import BROKEN, Archive
from backtrail.ingest.draft import Draft, PictureDraft
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.chart import chart_table
from backtrail.ingest.office.names import R
from backtrail.ingest.office.relations import Relation, main_part, read_relations
from backtrail.ingest.sheets.number_format import cell_text, is_moment, moment
from backtrail.ingest.sheets.sheet import (
    MAX_COLUMNS,
    MAX_LINKS,
    MAX_SPANS,
    ROW_CELLS,
    SHEET_ROWS,
    CellBudget,
    Row,
    Sheet,
    cell_range,
    parse_reference,
)

STREAMED = ("xl/worksheets/",)
"""Parts that are streamed, because they may be too large for a tree."""

_FORMATS = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "d.m.yy", 15: "d.m.yy", 16: "d.m.yy", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss",
    22: "d.m.yy h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss",
    47: "mm:ss",
}  # fmt: skip
"""Built-in number formats by id (ISO/IEC 29500-1, 18.8.30)."""


@dataclass
class _Book:
    """Data shared by the sheets of a workbook. ``styles`` are number formats by cell style."""

    strings: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    since_1904: bool = False


def read_xlsx(archive: Archive, budget: CellBudget, notes: list[str]) -> Iterator[Sheet]:
    """Yield the sheets of a workbook in order, with hidden ones and chart sheets.

    Raises:
        UnreadableSource: the workbook is damaged.
    """
    main = main_part(archive)
    root = archive.tree(main)
    if root is None:
        raise archive.damaged(ValueError("it has no workbook"))
    relations = read_relations(archive, main)
    shared = {one.kind: one.target for one in relations.values() if one.target in archive}
    styles = archive.tree(shared.get("styles", ""))
    if styles is None and "styles" in shared:
        notes.append("its styles are damaged; numbers and dates read as they are stored")
    properties = root.find("{*}workbookPr")
    book = _Book(
        list(_strings(archive, shared["sharedStrings"])) if "sharedStrings" in shared else [],
        list(_styles(styles)) if styles is not None else [],
        properties is not None and properties.get("date1904") in ("1", "true"),
    )
    for number, sheet in enumerate(root.iter("{*}sheet"), start=1):
        id_ = next((value for key, value in sheet.attrib.items() if key.endswith("}id")), "")
        relation = relations.get(id_)
        if relation is not None and relation.target in archive:
            yield _read_sheet(archive, relation.target, sheet.get("name") or f"Sheet {number}", book, budget, notes)


def _strings(archive: Archive, part: str) -> Iterator[str]:
    try:
        with archive.stream(part) as stream:
            for _, element in _parsed(stream, "si"):
                yield _words(element)
    except (*BROKEN, etree.XMLSyntaxError) as error:
        raise archive.damaged(error) from error


def _words(element: Any | None) -> str:
    """Return the text of a string without its phonetic guide."""
    parts = (*element.iterfind("{*}t"), *element.iterfind("{*}r/{*}t")) if element is not None else ()
    return "".join(part.text or "" for part in parts)


def _styles(root: Any) -> Iterator[str]:
    formats = {one.get("numFmtId"): one.get("formatCode") or "" for one in root.iterfind("{*}numFmts/{*}numFmt")}
    formats = {str(number): code for number, code in _FORMATS.items()} | formats
    for style in root.iterfind("{*}cellXfs/{*}xf"):
        yield formats.get(style.get("numFmtId"), "General")


def _parsed(stream: Any, *names: str) -> Iterator[tuple[str, Any]]:
    """Yield the elements of these names in order; each is freed before the next."""
    tags = [f"{{*}}{name}" for name in names]
    events = etree.iterparse(stream, events=("end",), tag=tags, resolve_entities=False, no_network=True, load_dtd=False)
    for _, element in events:
        yield etree.QName(element).localname, element
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def _read_sheet(archive: Archive, part: str, name: str, book: _Book, budget: CellBudget, notes: list[str]) -> Sheet:
    """Read a sheet's part as a stream, and the parts it refers to.

    Raises:
        UnreadableSource: a row is wider than Excel allows.
    """
    relations = read_relations(archive, part)
    reader = _SheetReader(Sheet(name), book, budget)
    try:
        with archive.stream(part) as stream:
            for kind, element in _parsed(stream, "row", "mergeCell", "hyperlink"):
                if kind == "row":
                    reader.add(element, archive)
                elif kind == "hyperlink":
                    _add_link(element, reader.sheet, relations)
                elif len(reader.sheet.spans) < MAX_SPANS and (place := cell_range(element.get("ref"))):
                    reader.sheet.spans.append(place)
    except UnreadableSource:
        raise
    except (*BROKEN, etree.XMLSyntaxError, ValueError) as error:
        read = len(reader.sheet.rows)
        notes.append(f"sheet {name!r} is damaged; what follows row {read} was not read ({type(error).__name__})")
    notes.extend(f"sheet {name!r}: {note}" for note in reader.notes())
    notes.extend(budget.notes(name))
    parts = (one.target for one in relations.values() if one.kind in ("drawing", "chart") and not one.is_external)
    reader.sheet.drawn = [draft for part in parts for draft in _drawn(archive, part)]
    return reader.sheet


@dataclass
class _SheetReader:
    """Collector of the rows of one sheet."""

    sheet: Sheet
    book: _Book
    budget: CellBudget
    formulas: int = 0
    no_values: int = 0
    number: int = -1
    full: bool = False

    def add(self, element: Any, archive: Archive) -> None:
        """Add a row.

        Raises:
            UnreadableSource: it is wider than Excel allows.
        """
        if len(element) > ROW_CELLS:
            problem = f"it has a row of {len(element):,} cells; Excel allows {ROW_CELLS:,}"
            raise UnreadableSource(str(archive.path), problem, "Do not trust this file; export it again if it is yours")
        number = element.get("r") or ""
        self.number = int(number) - 1 if number.isdecimal() and int(number[:8]) > 0 else self.number + 1
        if self.full or self.number >= SHEET_ROWS:
            return
        row: Row = []
        width, column = 0, -1
        for cell in element:
            place = parse_reference(cell.get("r") or "")
            column = place[1] if place else column + 1
            text = self._text(cell)
            width = max(width, column + 1) if text else width
            if text and column < MAX_COLUMNS:
                row += [""] * (column + 1 - len(row))
                row[column] = text
        if width:
            self.full = not self.budget.take(self.sheet.rows, row, self.number, width)

    def notes(self) -> list[str]:
        """Return notes on cells that differ from what a spreadsheet program shows."""
        found: list[str] = []
        if self.formulas:
            problem = f"{self.formulas} formulas have no stored result"
            found.append(f"{problem}; open the file in a spreadsheet program and save it")
        if self.no_values:
            found.append(f"{self.no_values} cells hold what is no number or no day; they read #VALUE!")
        return found

    def _text(self, cell: Any) -> str:
        kind, value = cell.get("t") or "n", cell.findtext("{*}v")
        if kind == "inlineStr":
            return _words(cell.find("{*}is")).strip()
        if not value:
            self.formulas += cell.find("{*}f") is not None
            return ""
        try:
            return self._shown(kind, value.strip(), cell.get("s") or "0")
        except (ValueError, OverflowError):
            self.no_values += 1
            return "#VALUE!"

    def _shown(self, kind: str, value: str, style: str) -> str:
        if kind == "s":
            number = int(value)
            return self.book.strings[number].strip() if 0 <= number < len(self.book.strings) else ""
        if kind == "b":
            return cell_text(value == "1")
        if kind != "n":
            return value.replace("T", " ") if kind == "d" else value
        known = style.isdecimal() and int(style) < len(self.book.styles)
        shown = self.book.styles[int(style)] if known else "General"
        number = float(value) if any(sign in value for sign in ".eE") else int(value)
        return cell_text(moment(number, shown, since_1904=self.book.since_1904) if is_moment(shown) else number, shown)


def _add_link(element: Any, sheet: Sheet, relations: dict[str, Relation]) -> None:
    place = cell_range(element.get("ref"))
    relation = relations.get(next((value for key, value in element.attrib.items() if key.endswith("}id")), ""))
    location = element.get("location") or ""
    href = (relation.target if relation else "") + (f"#{location}" if location else "")
    if place is not None and href and len(sheet.links) < MAX_LINKS:
        sheet.links[place.top, place.left] = href


def _drawn(archive: Archive, part: str) -> Iterator[Draft]:
    """Yield the charts, pictures and shape texts of a drawing as drafts without a section."""
    root = archive.tree(part)
    relations = read_relations(archive, part)
    for anchor in root if root is not None else ():
        properties = next(anchor.iter("{*}cNvPr"), None)
        description = (properties.get("descr") or properties.get("title") or "") if properties is not None else ""
        for reference in anchor.iter("{*}chart", "{*}blip"):
            id_ = reference.get(f"{R}id") or reference.get(f"{R}embed") or reference.get(f"{R}link") or ""
            relation = relations.get(id_)
            if relation and relation.kind == "image":
                yield Draft("", picture=PictureDraft(relation.target, alt=normalise(description)))
            elif relation and not relation.is_external:
                chart = archive.tree(relation.target)
                table = chart_table(chart, normalise(description)) if chart is not None else None
                yield from [Draft("", table=table)] if table else []
        lines = ("".join(run.text or "" for run in one.iter("{*}t")) for one in anchor.iterfind(".//{*}txBody/{*}p"))
        words = normalise(" ".join(lines))
        yield from [Draft("", text=words)] if words else []
