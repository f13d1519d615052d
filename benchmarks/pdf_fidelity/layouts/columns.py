"""Running text in one column, in several, and around content across them."""

from __future__ import annotations

from benchmarks.pdf_fidelity.layouts.parts import FULL, LABELS, ruled_table, running_head
from benchmarks.pdf_fidelity.sheet import MARGIN, Sheet


def one_column(sheet: Sheet) -> None:
    """Report: title, numbered headings of two levels, running head, page numbers, divided words, 3 pages."""
    running_head(sheet, "Overview")
    sheet.heading(MARGIN, 90, "Alluvial Assessment Report", 20)
    y = 110.0
    for number, name in enumerate(("Introduction", "Instruments", "Findings", "Conclusions"), start=1):
        sheet.heading(MARGIN, y + 14, f"{number} {name}", 14)
        y = sheet.paragraph(MARGIN, y + 22, FULL, sheet.prose(120), hyphens=True)
        sheet.heading(MARGIN, y + 12, f"{number}.1 {LABELS[number]} details", 10)
        y = sheet.paragraph(MARGIN, y + 20, FULL, sheet.prose(130), hyphens=True)
        y = sheet.paragraph(MARGIN, y, FULL, sheet.prose(60), hyphens=True)
        if number in (1, 2, 3):
            sheet.next_page()
            running_head(sheet, "Overview")
            y = 70


def _columns(sheet: Sheet, top: float, gutter: float, count: int = 2, words: int = 70, bottom: float = 700) -> None:
    width = (FULL - (count - 1) * gutter) / count
    for column in range(count):
        y = top
        while y < bottom - 110:
            y = sheet.paragraph(MARGIN + column * (width + gutter), y, width, sheet.prose(words), hyphens=True)


def two_columns(sheet: Sheet) -> None:
    """Two justified columns, 11 points apart: the gutter is narrower than some stretched spaces."""
    _columns(sheet, 70, 11)


def woven_columns(sheet: Sheet) -> None:
    """Two columns drawn line by line across both, so that drawing order differs from reading order."""
    width, gutter, size = (FULL - 20) / 2, 20, 10
    texts = [sheet.prose(200), sheet.prose(200)]
    columns = [sheet.wrap(text, width, size, "Times-Roman", hyphens=True) for text in texts]
    for number, pair in enumerate(zip(*columns, strict=False)):
        for column, line in enumerate(pair):
            sheet.line(MARGIN + column * (width + gutter), 80 + 12 * number, line)
    shown = min(map(len, columns))
    for lines in columns:
        sheet.truth.paragraphs.append("".join(f"{line} " for line in lines[:shown]).replace("- ", ""))


def three_columns(sheet: Sheet) -> None:
    """Newspaper: three columns, 12 points apart."""
    sheet.heading(MARGIN, 60, "Harvest Gazette", 24)
    _columns(sheet, 80, 12, count=3, words=45)


def mixed(sheet: Sheet) -> None:
    """Title and abstract over the full width, two columns with headings, a table across both, columns."""
    sheet.heading(MARGIN, 70, "Observatory Yearbook Abstracts", 18)
    y = sheet.paragraph(MARGIN + 40, 84, FULL - 80, sheet.prose(60), size=9)
    width, gutter = (FULL - 16) / 2, 16
    for column, name in enumerate(("1 Motivation", "2 Apparatus")):
        x = MARGIN + column * (width + gutter)
        sheet.heading(x, y + 12, name, 12)
        below = sheet.paragraph(x, y + 18, width, sheet.prose(80), hyphens=True)
        sheet.paragraph(x, below, width, sheet.prose(40), hyphens=True)
    ruled_table(sheet, MARGIN, 440, FULL, "Table 1: Yields by station")
    for column in range(2):
        x = MARGIN + column * (width + gutter)
        below = sheet.paragraph(x, 570, width, sheet.prose(60), hyphens=True)
        sheet.paragraph(x, below, width, sheet.prose(40), hyphens=True)
