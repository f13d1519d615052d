"""Workbooks of Excel since 2007 (.xlsx, .xlsm): values as a stream, macros and outside links never touched."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from backtrail.ingest.archive import BROKEN, Archive
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.office.drawing import Drawn, read_drawing
from backtrail.ingest.office.relations import read_relations
from backtrail.ingest.sheets.bounds import CellBudget
from backtrail.ingest.sheets.cell_kinds import holds_values
from backtrail.ingest.sheets.cell_styles import CellStyles, open_unstyled
from backtrail.ingest.sheets.conditional_formats import ConditionalFormats
from backtrail.ingest.sheets.defined_names import DefinedName, DefinedNames
from backtrail.ingest.sheets.number_format import cell_text
from backtrail.ingest.sheets.sheet import MAX_COLUMNS, Row, Sheet
from backtrail.ingest.sheets.xlsx_parts import SheetParts, differential_formats, read_parts

STREAMED = ("xl/worksheets/",)
"""Parts that may be larger than what is read as a tree."""

# what damaged workbooks make openpyxl raise
_BROKEN = (
    InvalidFileException, KeyError, ValueError, TypeError, AttributeError, IndexError, SyntaxError, OSError, EOFError,
    AssertionError, OverflowError, RecursionError,
)  # fmt: skip


@dataclass
class SheetReading:
    """One sheet with what is drawn on it, and comments by cell."""

    sheet: Sheet
    drawn: list[Drawn]
    comments: dict[str, str]


def read_xlsx(archive: Archive, budget: CellBudget, notes: list[str]) -> Iterator[SheetReading]:
    """The sheets of a workbook in order, hidden ones and sheets that are one chart too.

    Raises:
        UnreadableSource: the workbook is damaged.
    """
    main = _workbook_part(archive)
    parts, formats = _sheet_parts(archive, main), differential_formats(archive, main)
    names = DefinedNames(_names(archive, main))
    with archive.path.open("rb") as stream:  # openpyxl leaves a file open that it fails on
        values = {sheet.title: sheet for sheet in _open(archive, stream, notes).worksheets}
        for number, name, part in parts:
            extras = read_parts(archive, part, formats)
            rows, emphasised = _rows(values.get(name), name, extras, budget, notes)
            if extras.formulas_without_value:
                problem = f"{extras.formulas_without_value} formulas have no stored result"
                notes.append(f"sheet {name!r}: {problem}; open the file in a spreadsheet program and save it")
            sheet = Sheet(name, rows, extras.spans, names.placed(extras.links, number), extras.tables, emphasised)
            drawn = [one for drawing in extras.drawings for one in read_drawing(archive, drawing)]
            yield SheetReading(sheet, drawn, extras.comments)


def _open(archive: Archive, stream: IO[bytes], notes: list[str]) -> openpyxl.Workbook:
    try:
        with _warnings_heard():
            return openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
    except (*_BROKEN, *BROKEN) as error:
        workbook = _opened_unstyled(stream)
        if workbook is None:
            raise archive.damaged(error) from error
        notes.append("its styles are damaged; numbers and dates read as they are stored")
        return workbook


def _opened_unstyled(stream: IO[bytes]) -> openpyxl.Workbook | None:
    """The workbook without its styles; None where not they are what is damaged."""
    try:
        with _warnings_heard():
            return open_unstyled(stream)
    except (*_BROKEN, *BROKEN):
        return None


@contextmanager
def _warnings_heard() -> Iterator[Counter[str]]:
    """What openpyxl warns of is not printed; counted are days that are none, of which a number is lost.

    The rest are headers and footers for paper, extensions, and styles, of which no cell depends.
    """
    heard: Counter[str] = Counter()

    def hear(message: Warning | str, *_: object, **__: object) -> None:
        heard["days"] += "outside the limits for dates" in str(message)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = hear
        yield heard


def title_of(archive: Archive) -> str:
    """The title that the document's properties give; empty if none."""
    root = archive.tree("docProps/core.xml")
    return " ".join((root.findtext("{*}title") or "").split()) if root is not None else ""


def _workbook_part(archive: Archive) -> str:
    return next((one.target for one in read_relations(archive, "").values() if one.kind == "officeDocument"), "")


def _names(archive: Archive, main: str) -> Iterator[DefinedName]:
    root = archive.tree(main)
    for one in root.iterfind("{*}definedNames/{*}definedName") if root is not None else ():
        sheet = one.get("localSheetId") or ""
        yield DefinedName(one.get("name") or "", one.text or "", int(sheet) if sheet.isdecimal() else None)


def _sheet_parts(archive: Archive, main: str) -> list[tuple[int, str, str]]:
    """Number, name and part of every sheet that has cells or a chart, in the workbook's order."""
    root = archive.tree(main)
    if root is None:
        raise archive.damaged(ValueError("it has no workbook"))
    relations = read_relations(archive, main)
    found: list[tuple[int, str, str]] = []
    for number, sheet in enumerate(root.iter("{*}sheet")):
        id_ = next((value for key, value in sheet.attrib.items() if key.endswith("}id")), "")
        relation = relations.get(id_)
        if relation is not None and relation.target in archive:
            found.append((number, sheet.get("name") or f"Sheet {len(found) + 1}", relation.target))
    return found


def _rows(
    values: Any, name: str, extras: SheetParts, budget: CellBudget, notes: list[str]
) -> tuple[list[Row], set[int]]:
    """The text of all cells up to the bounds, and which rows without values are set in bold or on colour."""
    rows: list[Row] = []
    emphasised: set[int] = set()
    if values is None:  # a sheet that is one chart
        return rows, emphasised
    heard: Counter[str] = Counter()
    styles = CellStyles()
    try:
        with _warnings_heard() as heard:
            if not _read_rows(values, extras, budget, styles, rows, emphasised):
                notes.append(f"sheet {name!r}: its conditional formats are too many; the last rows are without them")
    except (*_BROKEN, UnreadableSource) as error:
        notes.append(f"sheet {name!r} is damaged; what follows row {len(rows)} was not read ({type(error).__name__})")
    if heard["days"]:
        notes.append(f"sheet {name!r}: {heard['days']} cells hold a number that is no day; they read #VALUE!")
    if styles.unknown:
        problem = f"numbers of a style that the file has not, which read as they are stored: {styles.unknown}"
        notes.append(f"sheet {name!r}: {problem}")
    notes.extend(f"sheet {name!r}: {note}" for note in budget.notes())
    return rows, emphasised


def _read_rows(
    values: Any, extras: SheetParts, budget: CellBudget, styles: CellStyles, rows: list[Row], emphasised: set[int]
) -> bool:
    """Add the rows; whether all that formats under conditions had to decide was decided."""
    values.reset_dimensions()  # what the file says of its size is not to be trusted
    formats = _formats(values, extras)
    read = islice(values.iter_rows(), extras.last_row)  # openpyxl reads what stands behind them at great length
    for number, cells in enumerate(read):
        row = [_text(cell, formats, styles, number, column) for column, cell in enumerate(cells[:MAX_COLUMNS])]
        while row and not row[-1]:
            row.pop()
        beyond = (n for n in range(len(cells), MAX_COLUMNS, -1) if cells[n - 1].value not in (None, ""))
        if not budget.take(rows, row, next(beyond, len(row))):
            break
        if row and not holds_values(row) and styles.emphasised(cells):
            emphasised.add(number)
    return not formats.gave_up


def _formats(values: Any, extras: SheetParts) -> ConditionalFormats:
    """The formats that conditions give to numbers of a sheet, with the cells that decide on them."""
    formats = ConditionalFormats(extras.format_rules)
    if formats.places:
        rows = values.iter_rows(max_row=max(row for row, _ in formats.places) + 1, values_only=True)
        formats.learn(islice(rows, extras.last_row), blank_is_known=not extras.formulas_without_value)
    return formats


def _text(cell: Any, formats: ConditionalFormats, styles: CellStyles, row: int, column: int) -> str:
    value = cell.value
    if value is None or isinstance(value, str):
        return (value or "").strip()
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    conditional = formats.of(row, column, value) if is_number else ""
    return cell_text(value, conditional or styles.number_format(cell))
