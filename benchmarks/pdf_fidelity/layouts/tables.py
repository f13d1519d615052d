"""Tables with all rules, with some, with none, and over three pages."""

from __future__ import annotations

from benchmarks.pdf_fidelity.layouts.parts import FULL, LABELS, numbers, ruled_table, running_head
from benchmarks.pdf_fidelity.sheet import HEIGHT, MARGIN, KnownTable, Sheet


def ruled_tables(sheet: Sheet) -> None:
    """A ruled table, and one with a head over two columns and cells of two lines."""
    sheet.paragraph(MARGIN, 70, FULL, sheet.prose(60))
    ruled_table(sheet, MARGIN, 170, 360, "Table 1. Ruled measures")
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
    rows = [[label, *row] for label, row in zip(LABELS, numbers(4, 4, 500), strict=False)]
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
    rows = [[label, *row] for label, row in zip(LABELS, numbers(6, 3, 200), strict=False)]
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
    rows = [[label, *row] for label, row in zip(LABELS, numbers(5, 4, 300), strict=False)]
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
    running_head(sheet, "Register")
    sheet.paragraph(MARGIN, 70, FULL, sheet.prose(60))
    sheet.caption(MARGIN, 150, caption)
    step, number, below = 120.0, 0, 0.0
    for page, (top, count, head) in enumerate(((160.0, 30, True), (60.0, 35, True), (60.0, 12, False))):
        if page:
            sheet.next_page()
            running_head(sheet, "Register")
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
