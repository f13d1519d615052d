"""Pages that are pictures of print are read by OCR and laid out as if they had letters."""

from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest
from fixtures.drawn_pdf import noise
from fixtures.ocr import WrittenOcr, needs_tesseract, written
from fixtures.parsed import tables, texts
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.pdf import page_words
from backtrail.ingest.pdf.parse import parse_pdf
from backtrail.ingest.pdf.reading import read_file
from backtrail.ingest.pdf.scans import BY_OCR, read_scans
from backtrail.ingest.picture_words import PictureReader, PictureWords
from backtrail.state.component import Component
from backtrail.tools.ocr.lines import Line
from backtrail.tools.ocr.open import open_ocr

LEFT = ["The ferry leaves the old harbour of", "Lindau every morning and returns", "from Bregenz before the evening."]
RIGHT = [
    "Cyclists pay a little more than those",
    "who walk, and children who travel",
    "with a grown person pay nothing.",
]
ROWS = [("Crossing", "Minutes", "Fare"), ("Bregenz", "22", "6.40"), ("Rorschach", "55", "12.80")]
ALL = [*LEFT, "Cyclists pay a little more than those", "who walk, and children who travel"]


def scanned(folder: Path, draw) -> Path:
    """What is drawn, as a picture at 200 dots an inch on the page of a PDF."""
    drawing = folder / "drawn.pdf"
    sheet = Canvas(str(drawing), pagesize=(595, 842))
    draw(sheet)
    sheet.save()
    path = folder / "scan.pdf"
    scan = Canvas(str(path), pagesize=(595, 842))
    for page in pypdfium2.PdfDocument(drawing):
        scan.drawImage(ImageReader(page.render(scale=200 / 72).to_pil()), 0, 0, 595, 842)
        scan.showPage()
    scan.save()
    return path


def timetable(sheet: Canvas) -> None:
    sheet.setFont("Helvetica-Bold", 22)
    sheet.drawString(60, 760, "Ferries and fares")
    sheet.setFont("Helvetica", 11)
    for column, lines in ((60, LEFT), (320, RIGHT)):
        for place, line in enumerate(lines):
            sheet.drawString(column, 710 - 15 * place, line)
    for place, row in enumerate(ROWS):
        for column, cell in zip((60, 250, 420), row, strict=True):
            sheet.drawString(column, 600 - 22 * place, cell)


def of(parsed: ParsedDocument, modality: str) -> list[Component]:
    return [component for component in parsed.components if component.modality == modality]


def reading(*pages: Sequence[Line]):
    """OCR that sees the given lines, page by page."""

    def read(pictures: Sequence[bytes]) -> list[PictureWords]:
        return [PictureWords(tuple(lines)) for lines in pages[: len(pictures)]]

    return read


def lines(*texts: str, top: int = 100, height: int = 20, paragraph: str = "1") -> list[Line]:
    return [written(text, 100, top + 2 * height * place, height, paragraph) for place, text in enumerate(texts)]


@needs_tesseract
def test_a_scan_gives_headings_columns_and_tables_with_their_places(tmp_path: Path) -> None:
    path = scanned(tmp_path, timetable)
    (parsed,) = parse_pdf(path, "scan.pdf", None, PictureReader(open_ocr("tesseract:eng")).read_pages)
    assert parsed.skipped == []
    assert [" ".join(text.split()) for text in texts(parsed)] == [" ".join(LEFT), " ".join(RIGHT)]
    assert parsed.document.title == "Ferries and fares"
    (table,) = tables(parsed)
    assert [table.header, *table.rows] == ROWS
    first = of(parsed, "text")[0].locator
    assert first is not None
    assert first.page == 1
    assert first.box == pytest.approx((60, 842 - 718, 60 + stringWidth(LEFT[0], "Helvetica", 11), 842 - 677), abs=4)
    assert len(of(parsed, "image")) == 1


def test_without_ocr_or_without_time_the_page_is_a_picture_and_reported(tmp_path: Path) -> None:
    path, ocr = scanned(tmp_path, timetable), WrittenOcr({})
    for reads in (None, PictureReader(ocr, most_seconds=0.0).read_pages):
        (parsed,) = parse_pdf(path, "scan.pdf", None, reads)
        assert [component.modality for component in parsed.components] == ["image"]
        told = "no text layer; ingest it with --ocr (needs Tesseract) to make its text searchable"
        assert reads or [(part.source, part.reason) for part in parsed.skipped] == [("scan.pdf: page 1", told)]
    assert ocr.read_pictures == []


def test_pages_with_letters_are_not_given_to_ocr(tmp_path: Path) -> None:
    sheet = Canvas(str(tmp_path / "letters.pdf"), pagesize=(595, 842))
    sheet.drawString(60, 700, "A page with a sentence of its own.")
    sheet.drawImage(noise(200, 200), 60, 100, 400, 400)
    sheet.save()
    ocr = WrittenOcr({})
    parse_pdf(tmp_path / "letters.pdf", "letters.pdf", None, PictureReader(ocr).read_pages)
    assert ocr.read_pictures == []


@pytest.mark.parametrize("seen", [True, False])
def test_pages_whose_fonts_do_not_say_their_letters_are_read_by_ocr_or_left_out(tmp_path, monkeypatch, seen):
    path = tmp_path / "drawn.pdf"
    sheet = Canvas(str(path))
    timetable(sheet)
    sheet.save()
    known = page_words.read_glyphs
    monkeypatch.setattr(page_words, "read_glyphs", lambda *given: (known(*given)[0][:9], 300))
    laid_out = read_file(path, {})
    if seen:
        read_scans(laid_out, reading(lines(*ALL)))
        assert [part.block.lines[0].text for part in laid_out.pages[0].parts if part.block][:1] == [LEFT[0]]
        assert laid_out.notes == [(1, BY_OCR)]
    else:
        read_scans(laid_out, None)
        assert laid_out.pages[0].parts == []
        assert laid_out.notes == [(1, page_words.UNREADABLE)]
