"""Workbooks of any format as one document: sheets are sections, tables are found on them, charts become tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from backtrail.ingest.archive import Archive
from backtrail.ingest.draft import Draft, PictureDraft
from backtrail.ingest.drafted import document_of
from backtrail.ingest.images import prettify
from backtrail.ingest.office.captions import join_picture_captions
from backtrail.ingest.office.drawing import Drawn
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sheets import ods, xlsx
from backtrail.ingest.sheets.bounds import CellBudget
from backtrail.ingest.sheets.drafts import SheetDrafts
from backtrail.ingest.sheets.old_excel import read_old_excel
from backtrail.ingest.sheets.xlsx import SheetReading
from backtrail.state.component import Locator


def parse_xlsx(path: Path, document_id: str) -> ParsedDocument:
    """Parse a workbook of Excel since 2007.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or no workbook.
    """
    notes: list[str] = []
    with Archive(path, "Excel workbook", streamed=xlsx.STREAMED) as archive:
        sheets = xlsx.read_xlsx(archive, CellBudget(), notes)
        return _document(sheets, path, document_id, xlsx.title_of(archive), notes, PartPictures(archive))


def parse_ods(path: Path, document_id: str) -> ParsedDocument:
    """Parse a spreadsheet of OpenDocument. Raises as ``parse_xlsx``."""
    notes: list[str] = []
    with Archive(path, "OpenDocument spreadsheet", streamed=ods.STREAMED) as archive:
        sheets = ods.read_ods(archive, CellBudget(), notes)
        return _document(sheets, path, document_id, ods.title_of(archive), notes, PartPictures(archive))


def parse_old_excel(path: Path, document_id: str) -> ParsedDocument:
    """Parse a workbook in one of Excel's binary formats (.xls, .xlsb). Raises as ``parse_xlsx``."""
    notes: list[str] = []
    return _document(iter(read_old_excel(path, notes)), path, document_id, "", notes, None)


def _document(
    sheets: Iterator[SheetReading],
    path: Path,
    document_id: str,
    title: str,
    notes: list[str],
    pictures: PartPictures | None,
) -> ParsedDocument:
    drafts = SheetDrafts(document_id)
    for reading in sheets:
        known = len(drafts.drafts)
        drafts.add(reading.sheet)
        drafts.drafts[known:] = _with_drawn(drafts.drafts[known:], reading)
        for cell, words in reading.comments.items():
            row = int("".join(filter(str.isdigit, cell)) or 1)
            locator = Locator(sheet=reading.sheet.name, first_row=row)
            drafts.drafts.append(Draft(reading.sheet.name, text=f"Comment on {cell}: {words}", locator=locator))
    drafts.resolve()
    return document_of(
        drafts.drafts,
        document_id=document_id,
        title=title or prettify(path.stem),
        path=path,
        notes=notes,
        find=pictures.find if pictures else None,
    )


def _with_drawn(drafts: list[Draft], reading: SheetReading) -> list[Draft]:
    """The drafts of a sheet with what is drawn on it where it stands, pictures with their captions."""
    placed = list(drafts)
    for drawn in reading.drawn:
        below = (n for n, draft in enumerate(placed) if (draft.locator.first_row or 0) > drawn.row + 1)
        placed.insert(next(below, len(placed)), _drawn(drawn, reading.sheet.name))
    return join_picture_captions(placed)


def _drawn(drawn: Drawn, sheet: str) -> Draft:
    """A chart, a picture or the words of a shape; the locator names the sheet only, as they stand on no row."""
    picture = PictureDraft(drawn.picture, alt=drawn.alt) if drawn.picture else None
    return Draft(sheet, text=drawn.words, table=drawn.table, picture=picture, locator=Locator(sheet=sheet))
