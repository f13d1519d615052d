"""Seventeen layouts, each drawn so that what stands where is known."""

from __future__ import annotations

from collections.abc import Callable

from reportlab.lib import colors
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from benchmarks.pdf_fidelity.sheet import HEIGHT, MARGIN, WIDTH, KnownTable, Sheet

FULL = WIDTH - 2 * MARGIN
_UNICODE = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
_WIDE = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
_LABELS = ("Alpha", "Bravo", "Cobalt", "Delta", "Echo", "Foxtrot", "Golf", "Hotel", "India", "Juliet")

Cells = list[list[str]]


def _numbers(rows: int, columns: int, start: int = 100) -> Cells:
    return [[f"{start + 37 * (r * columns + c)}.{(r + 3 * c) % 10}" for c in range(columns)] for r in range(rows)]


def _running(sheet: Sheet, name: str) -> None:
    sheet.line(MARGIN, 36, f"Quarterly Bulletin – {name}", 8, "Helvetica")
    sheet.line(WIDTH / 2, HEIGHT - 30, str(sheet.page), 8, "Helvetica")
    sheet.truth.running += ["Quarterly", "Bulletin"]


def one_column(sheet: Sheet) -> None:
    """Report: title, numbered headings of two levels, running head, page numbers, divided words, 3 pages."""
    _running(sheet, "Overview")
    sheet.heading(MARGIN, 90, "Alluvial Assessment Report", 20)
    y = 110.0
    for number, name in enumerate(("Introduction", "Instruments", "Findings", "Conclusions"), start=1):
        sheet.heading(MARGIN, y + 14, f"{number} {name}", 14)
        y = sheet.paragraph(MARGIN, y + 22, FULL, sheet.prose(120), hyphens=True)
        sheet.heading(MARGIN, y + 12, f"{number}.1 {_LABELS[number]} details", 10)
        y = sheet.paragraph(MARGIN, y + 20, FULL, sheet.prose(130), hyphens=True)
        y = sheet.paragraph(MARGIN, y, FULL, sheet.prose(60), hyphens=True)
        if number in (1, 2, 3):
            sheet.next_page()
            _running(sheet, "Overview")
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
    """Two columns drawn line by line across both, as some programs write them: drawing order is no reading order."""
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
    """Title and abstract over the whole width, two columns with headings, a table across both, columns again."""
    sheet.heading(MARGIN, 70, "Observatory Yearbook Abstracts", 18)
    y = sheet.paragraph(MARGIN + 40, 84, FULL - 80, sheet.prose(60), size=9)
    width, gutter = (FULL - 16) / 2, 16
    for column, name in enumerate(("1 Motivation", "2 Apparatus")):
        x = MARGIN + column * (width + gutter)
        sheet.heading(x, y + 12, name, 12)
        below = sheet.paragraph(x, y + 18, width, sheet.prose(80), hyphens=True)
        sheet.paragraph(x, below, width, sheet.prose(40), hyphens=True)
    _ruled(sheet, MARGIN, 440, FULL, "Table 1: Yields by station")
    for column in range(2):
        x = MARGIN + column * (width + gutter)
        below = sheet.paragraph(x, 570, width, sheet.prose(60), hyphens=True)
        sheet.paragraph(x, below, width, sheet.prose(40), hyphens=True)


def _ruled(sheet: Sheet, x: float, y: float, width: float, caption: str) -> None:
    sheet.caption(x, y - 8, caption)
    heads, cells = ["Station", "Depth", "Load", "Share"], _numbers(5, 3)
    rows = [heads] + [[label, *row] for label, row in zip(_LABELS, cells, strict=False)]
    step = width / 4
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            sheet.canvas.rect(x + column * step, HEIGHT - y - 18 * (number + 1), step, 18)
            font = "Times-Roman" if number else "Times-Bold"
            sheet.line(x + column * step + 4, y + 18 * number + 13, text, 10, font)
    sheet.truth.tables.append(KnownTable(caption, heads, rows[1:]))


def ruled_tables(sheet: Sheet) -> None:
    """A ruled table, and one with a head over two columns and cells of two lines."""
    sheet.paragraph(MARGIN, 70, FULL, sheet.prose(60))
    _ruled(sheet, MARGIN, 170, 360, "Table 1. Ruled measures")
    y = sheet.paragraph(MARGIN, 300, FULL, sheet.prose(60))
    caption = "Table 2. Merged measures"
    sheet.caption(MARGIN, y + 12, caption)
    top, step = y + 22, 90.0
    box = sheet.canvas.rect
    box(MARGIN, HEIGHT - top - 36, step, 36)
    box(MARGIN + step, HEIGHT - top - 18, 2 * step, 18)
    box(MARGIN + 3 * step, HEIGHT - top - 18, 2 * step, 18)
    sheet.line(MARGIN + 4, top + 22, "Station")
    sheet.line(MARGIN + 1.6 * step, top + 13, "North bank")
    sheet.line(MARGIN + 3.6 * step, top + 13, "South bank")
    for column in range(4):
        box(MARGIN + (column + 1) * step, HEIGHT - top - 36, step, 18)
        sheet.line(MARGIN + (column + 1) * step + 4, top + 31, ("Early", "Late")[column % 2])
    rows = [[label, *row] for label, row in zip(_LABELS, _numbers(4, 4, 500), strict=False)]
    for number, row in enumerate(rows):
        low = top + 36 + 28 * number
        for column, text in enumerate(row):
            box(MARGIN + column * step, HEIGHT - low - 28, step, 28)
            sheet.line(MARGIN + column * step + 4, low + 12, text)
            if column == 0:
                sheet.line(MARGIN + 4, low + 24, "Creek")
                row[0] = f"{text} Creek"
    heads = ["Station", "North bank / Early", "North bank / Late", "South bank / Early", "South bank / Late"]
    sheet.truth.tables.append(KnownTable(caption, heads, rows))


def part_ruled_table(sheet: Sheet) -> None:
    """Tables ruled above, below and under the head only; a second one with heads over several columns."""
    y = sheet.paragraph(MARGIN, 70, FULL, sheet.prose(70))
    caption = "Table 1: Plain booktabs"
    sheet.caption(MARGIN + 60, y + 14, caption)
    top, xs = y + 22, (MARGIN + 60, MARGIN + 150, MARGIN + 220, MARGIN + 300)
    rule = sheet.canvas.line
    rows = [[label, *row] for label, row in zip(_LABELS, _numbers(6, 3, 200), strict=False)]
    heads = ["Method", "Recall", "Accuracy", "Seconds"]
    for number, row in enumerate([heads, *rows]):
        for x, text in zip(xs, row, strict=True):
            sheet.line(x, top + 12 + 13 * number, text, 9)
    for at in (0, 16, 18 + 13 * len(rows)):
        rule(xs[0] - 4, HEIGHT - top - at, xs[-1] + 40, HEIGHT - top - at)
    sheet.truth.tables.append(KnownTable(caption, heads, rows))
    y = sheet.paragraph(MARGIN, top + 40 + 13 * len(rows), FULL, sheet.prose(70))
    caption = "Table 2: Grouped booktabs"
    sheet.caption(MARGIN, y + 14, caption)
    top, xs = y + 22, (MARGIN, MARGIN + 90, MARGIN + 150, MARGIN + 230, MARGIN + 290)
    sheet.line(MARGIN + 108, top + 12, "Training", 9)
    sheet.line(MARGIN + 250, top + 12, "Testing", 9)
    rule(xs[1] - 2, HEIGHT - top - 16, xs[2] + 40, HEIGHT - top - 16)
    rule(xs[3] - 2, HEIGHT - top - 16, xs[4] + 40, HEIGHT - top - 16)
    rows = [[label, *row] for label, row in zip(_LABELS, _numbers(5, 4, 300), strict=False)]
    for number, row in enumerate([["Method", "Easy", "Hard", "Easy", "Hard"], *rows]):
        for x, text in zip(xs, row, strict=True):
            sheet.line(x, top + 27 + 13 * number, text, 9)
    for at in (0, 31, 33 + 13 * len(rows)):
        rule(xs[0], HEIGHT - top - at, xs[-1] + 40, HEIGHT - top - at)
    heads = ["Method", "Training / Easy", "Training / Hard", "Testing / Easy", "Testing / Hard"]
    sheet.truth.tables.append(KnownTable(caption, heads, rows))
    sheet.paragraph(MARGIN, top + 60 + 13 * len(rows), FULL, sheet.prose(60))


def unruled_table(sheet: Sheet) -> None:
    """A table without rules with an empty cell, its caption below, between paragraphs."""
    y = sheet.paragraph(MARGIN, 70, FULL, sheet.prose(80))
    xs = (MARGIN, MARGIN + 110, MARGIN + 200, MARGIN + 270, MARGIN + 360)
    heads = ["Product", "Category", "Units", "Price", "Audited"]
    rows = [
        [f"SKU-{n}", ("Tools", "Garden")[n % 2], str(12 * n), f"${9 * n}.50", f"2024-0{n}-1{n}"] for n in range(1, 8)
    ]
    rows[3][2] = ""
    for number, row in enumerate([heads, *rows]):
        for x, text in zip(xs, row, strict=True):
            sheet.line(x, y + 12 + 15 * number, text, 10, "Helvetica" if number else "Helvetica-Bold")
    caption = "Table 1: Stock without rules"
    sheet.caption(MARGIN, y + 20 + 15 * len(rows) + 12, caption)
    sheet.truth.tables.append(KnownTable(caption, heads, rows))
    sheet.paragraph(MARGIN, y + 60 + 15 * len(rows), FULL, sheet.prose(80))


def continued_table(sheet: Sheet) -> None:
    """A ruled table over three pages, its head repeated on the second only."""
    caption, heads = "Table 1: Long register", ["Entry", "Code", "Amount"]
    known = KnownTable(caption, heads, [])
    sheet.truth.tables.append(known)
    _running(sheet, "Register")
    sheet.paragraph(MARGIN, 70, FULL, sheet.prose(60))
    sheet.caption(MARGIN, 150, caption)
    step, number = 120.0, 0
    for page, (top, count, head) in enumerate(((160.0, 30, True), (60.0, 35, True), (60.0, 12, False))):
        if page:
            sheet.next_page()
            _running(sheet, "Register")
        rows = [[f"Item{number + n}", f"C{(number + n) * 7}", f"{(number + n) * 11}.25"] for n in range(count)]
        number += count
        known.rows += rows
        drawn = [heads, *rows] if head else rows
        for line, row in enumerate(drawn):
            for column, text in enumerate(row):
                sheet.canvas.rect(MARGIN + column * step, HEIGHT - top - 18 * (line + 1), step, 18)
                sheet.line(MARGIN + column * step + 4, top + 18 * line + 13, text)
        below = top + 18 * len(drawn)
    sheet.paragraph(MARGIN, below + 20, FULL, sheet.prose(60))


def figures(sheet: Sheet) -> None:
    """A raster picture with its caption below, one with its caption above, a chart in vectors, a boxed diagram."""
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
    """Running heads and feet, two footnotes, a paragraph that goes on over the page."""
    for page in range(3):
        if page:
            sheet.next_page()
        _running(sheet, "Footnotes")
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
    _ruled(sheet, 100, 280, 400, "Table 1: Sideways measures")
    sheet.canvas.restoreState()


def _font() -> str:
    if "Unicode" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Unicode", _UNICODE))
    return "Unicode"


_HEBREW = "הנהר זורם אל הים דרך העמק הרחב ומביא חול ואבנים מן ההרים הגבוהים בשנת 1987 נמדד כאן הזרם החזק ביותר"
_ARABIC = "يجري النهر من الجبال العالية إلى البحر عبر الوادي الواسع ويحمل الرمل والحجارة معه في كل عام جديد"


def right_to_left(sheet: Sheet) -> None:
    """Hebrew and Arabic, drawn from the right as viewers show them; Arabic in the letters' joined forms."""
    import arabic_reshaper
    from bidi.algorithm import get_display

    font, y = _font(), 80.0
    for text in (_HEBREW, _ARABIC):
        shaped = arabic_reshaper.reshape(text)
        for line in sheet.wrap(shaped, 300, 12, font):
            shown = str(get_display(line, base_dir="R"))
            sheet.canvas.setFont(font, 12)
            sheet.canvas.drawRightString(WIDTH - MARGIN, HEIGHT - y, shown)
            y += 15
        sheet.truth.paragraphs.append(text)
        y += 20


def cjk(sheet: Sheet) -> None:
    """Chinese in horizontal lines, Japanese in vertical lines from the right."""
    if "Wide" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Wide", _WIDE))
    chinese = "河水从高山流向大海沿途带走泥沙和石块在平原上慢慢沉积下来形成三角洲人们在这里种植水稻"
    for number in range(0, len(chinese), 20):
        sheet.line(MARGIN, 80 + 16 * number / 20, chinese[number : number + 20], 12, "Wide")
    sheet.truth.paragraphs.append(chinese)
    japanese = "川は山から海へ流れ砂と石を運ぶ平野では土がゆっくりと積もり広い三角州をつくる"
    for column, number in enumerate(range(0, len(japanese), 14)):
        for row, letter in enumerate(japanese[number : number + 14]):
            sheet.line(400 - 20 * column, 200 + 13 * row, letter, 12, "Wide")
    sheet.truth.paragraphs.append(japanese)


def odd_letters(sheet: Sheet) -> None:
    """Fake bold by drawing twice, tracked capitals, words placed one by one without spaces, ligatures."""
    for shift in (0, 0.4):
        sheet.line(MARGIN + shift, 80, "Doubled Emphasis Heading", 14, "Times-Roman")
    sheet.truth.headings.append("Doubled Emphasis Heading")
    y = sheet.paragraph(MARGIN, 90, FULL, sheet.prose(60))
    sheet.line(MARGIN, y + 16, "TRACKED CAPITALS", 14, "Times-Bold", charSpace=4)
    sheet.truth.headings.append("TRACKED CAPITALS")
    text = sheet.prose(60)
    y += 22
    for line in sheet.wrap(text, FULL, 10, "Times-Roman"):
        x = MARGIN
        for word in line.split():
            sheet.line(x, y + 10, word)
            x += pdfmetrics.stringWidth(word, "Times-Roman", 10) + 1.9
        y += 12
    sheet.truth.paragraphs.append(text)
    text = sheet.prose(60)
    sheet.paragraph(MARGIN, y + 10, FULL, text, known=False)
    sheet.truth.paragraphs.append(text)


def linked(sheet: Sheet) -> None:
    """Contents with jumps, an outline, references in the text, a web address: 25 pages, four chapters."""
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
                _ruled(sheet, MARGIN, y + 20, 300, f"Table {number + 1}: Register {_LABELS[number]}")
                y += 150
                other = (number + 1) % 4
                text = f"{sheet.prose(20)} See Table {other + 1} and section {other + 1}."
                y = sheet.paragraph(MARGIN, y, FULL, text)
                sheet.truth.links.append((f"Table {other + 1}", f"Register {_LABELS[other]}"))
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


LAYOUTS: tuple[Callable[[Sheet], None], ...] = (
    one_column, two_columns, woven_columns, three_columns, mixed, ruled_tables, part_ruled_table, unruled_table,
    continued_table, figures, footnotes, turned, right_to_left, cjk, odd_letters, linked, boxed,
)  # fmt: skip
