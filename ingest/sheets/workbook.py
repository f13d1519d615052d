"""Parsers of workbooks: one document each, with a section per sheet."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from backtrail.ingest.archive import Archive
from backtrail.ingest.finish_draft import document_of
from backtrail.ingest.images import prettify
from backtrail.ingest.office.page import meta_title
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sheets import ods, xlsx
from backtrail.ingest.sheets.drafts import SheetDrafts
from backtrail.ingest.sheets.old_excel import read_old_excel
from backtrail.ingest.sheets.sheet import CellBudget, Sheet
from backtrail.state.component import Locator


def parse_xlsx(path: Path, document_id: str) -> ParsedDocument:
    """Parse an Excel workbook (.xlsx, .xlsm).

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or not a workbook.
    """
    notes: list[str] = []
    with Archive(path, "Excel workbook", streamed=xlsx.STREAMED) as archive:
        sheets = xlsx.read_xlsx(archive, CellBudget(), notes)
        return _document(sheets, path, document_id, notes, archive)


def parse_ods(path: Path, document_id: str) -> ParsedDocument:
    """Parse an OpenDocument spreadsheet. Raises as ``parse_xlsx``."""
    notes: list[str] = []
    with Archive(path, "OpenDocument spreadsheet", streamed=ods.STREAMED) as archive:
        sheets = ods.read_ods(archive, CellBudget(), notes)
        return _document(sheets, path, document_id, notes, archive)


def parse_old_excel(path: Path, document_id: str) -> ParsedDocument:
    """Parse a workbook in one of Excel's binary formats (.xls, .xlsb). Raises as ``parse_xlsx``."""
    notes: list[str] = []
    return _document(read_old_excel(path, notes), path, document_id, notes)


def _document(
    sheets: Iterable[Sheet], path: Path, document_id: str, notes: list[str], archive: Archive | None = None
) -> ParsedDocument:
    drafts = SheetDrafts(document_id)
    for sheet in sheets:
        drafts.add(sheet)
        for drawn in sheet.drawn:  # a drawing has no row
            drawn.section, drawn.locator = sheet.name, Locator(sheet=sheet.name)
        drafts.drafts += sheet.drawn
    title = (meta_title(archive) if archive else "") or prettify(path.stem)
    find = PartPictures(archive).find if archive else None
    return document_of(drafts.drafts, document_id=document_id, title=title, path=path, notes=notes, find=find)
