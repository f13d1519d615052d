"""Pictures, notes, turned pages, links, frames."""

from __future__ import annotations

from reportlab.lib import colors

from benchmarks.pdf_fidelity.layouts.parts import FULL, LABELS, ruled_table, running_head
from benchmarks.pdf_fidelity.sheet import HEIGHT, MARGIN, WIDTH, Sheet


def figures(sheet: Sheet) -> None:
    """Raster pictures with captions below and above, a vector chart, a boxed diagram."""
    y = sheet.paragraph(MARGIN, 70, FULL, sheet.prose(60))
    sheet.picture(MARGIN + 80, y + 6, 160, 110)
    sheet.caption(MARGIN + 80, y + 130, "Figure 1: Raster specimen")
    y = sheet.paragraph(MARGIN, y + 145, FULL, sheet.prose(50))
    sheet.chart(MARGIN + 60, y + 10, 240, 100)
    sheet.caption(MARGIN + 60, y + 134, "Figure 2: Vector chart")
    y = sheet.paragraph(MARGIN, y + 150, FULL, sheet.prose(50))
    top = y + 10
    for n, name in enumerate(("Parser", "Planner", "Reader")):
        sheet.canvas.rect(MARGIN + 40 + 130 * n, HEIGHT - top - 40, 80, 40)
        sheet.line(MARGIN + 60 + 130 * n, top + 24, name, 9, "Helvetica")
        if n:
            sheet.canvas.line(MARGIN + 120 + 130 * (n - 1), HEIGHT - top - 20, MARGIN + 40 + 130 * n, HEIGHT - top - 20)
    sheet.truth.pictures.append((1, (MARGIN + 40, top, MARGIN + 380, top + 40)))
    sheet.caption(MARGIN + 40, top + 56, "Figure 3: Boxed diagram")
    sheet.next_page()
    sheet.caption(MARGIN, 70, "Figure 4: Captioned above")
    sheet.picture(MARGIN, 78, 160, 110)
    sheet.paragraph(MARGIN, 200, FULL, sheet.prose(60))


def footnotes(sheet: Sheet) -> None:
    """Running heads and feet, two footnotes, a paragraph over a page break."""
    for page in range(3):
        if page:
            sheet.next_page()
        running_head(sheet, "Footnotes")
        y = sheet.paragraph(MARGIN, 60, FULL, sheet.prose(140))
        y = sheet.paragraph(MARGIN, y, FULL, sheet.prose(120))
        sheet.canvas.line(MARGIN, HEIGHT - 690, MARGIN + 120, HEIGHT - 690)
        note = sheet.prose(14)
        sheet.line(MARGIN, 702, str(page + 1), 6)
        sheet.paragraph(MARGIN + 6, 694, FULL - 6, note, size=8)


def turned(sheet: Sheet) -> None:
    """A stamp that runs up the margin, a page shown turned, a table set sideways."""
    sheet.canvas.saveState()
    sheet.canvas.translate(30, 250)
    sheet.canvas.rotate(90)
    sheet.canvas.setFont("Times-Roman", 14)
    sheet.canvas.drawString(0, 0, "Preprint stamp 2024")
    sheet.canvas.restoreState()
    sheet.paragraph(MARGIN, 70, FULL, sheet.prose(100))
    sheet.paragraph(MARGIN, 300, FULL, sheet.prose(100))
    sheet.next_page()
    sheet.canvas.saveState()
    sheet.canvas.translate(WIDTH, 0)
    sheet.canvas.rotate(90)
    sheet.canvas.translate(0, WIDTH - HEIGHT)
    ruled_table(sheet, 100, 280, 400, "Table 1: Sideways measures")
    sheet.canvas.restoreState()


def linked(sheet: Sheet) -> None:
    """Contents with links, an outline, references in the text, a URL: 25 pages, four chapters."""
    chapter = 6  # pages
    names = ["1 Geography", "2 Hydrology", "3 Chemistry", "4 Economics"]
    canvas = sheet.canvas
    sheet.heading(MARGIN, 80, "Handbook Compendium", 20)
    for number, name in enumerate(names):
        sheet.line(MARGIN, 120 + 20 * number, f"{name} ........ {2 + chapter * number}", 11)
        low = HEIGHT - 124 - 20 * number
        canvas.linkAbsolute("", f"chapter{number}", (MARGIN, low, MARGIN + 200, low + 14))
    for number, name in enumerate(names):
        for part in range(chapter):
            sheet.next_page()
            y = 70.0
            if part == 0:
                canvas.bookmarkHorizontal(f"chapter{number}", MARGIN, HEIGHT - 60)
                canvas.addOutlineEntry(name, f"chapter{number}", level=0)
                sheet.heading(MARGIN, 74, name, 16)
                y = 84
            y = sheet.paragraph(MARGIN, y, FULL, sheet.prose(160))
            if part == 1:
                ruled_table(sheet, MARGIN, y + 20, 300, f"Table {number + 1}: Register {LABELS[number]}")
                y += 150
                other = (number + 1) % 4
                text = f"{sheet.prose(20)} See Table {other + 1} and section {other + 1}."
                y = sheet.paragraph(MARGIN, y, FULL, text)
                sheet.truth.links.append((f"Table {other + 1}", f"Register {LABELS[other]}"))
                sheet.truth.links.append((f"section {other + 1}", names[other].split()[1]))
            sheet.paragraph(MARGIN, y, FULL, sheet.prose(160))


def boxed(sheet: Sheet) -> None:
    """A framed and tinted aside between paragraphs, rules under headings, a page border: none is a table."""
    sheet.canvas.rect(20, 20, WIDTH - 40, HEIGHT - 40)
    sheet.heading(MARGIN, 70, "Framed Notice", 14)
    sheet.canvas.line(MARGIN, HEIGHT - 76, WIDTH - MARGIN, HEIGHT - 76)
    y = sheet.paragraph(MARGIN, 90, FULL, sheet.prose(70))
    sheet.canvas.setFillColor(colors.lightgrey)
    sheet.canvas.rect(MARGIN, HEIGHT - y - 90, FULL, 90, fill=1)
    sheet.canvas.setFillColor(colors.black)
    sheet.paragraph(MARGIN + 10, y + 10, FULL - 20, sheet.prose(50))
    sheet.paragraph(MARGIN, y + 110, FULL, sheet.prose(70))
