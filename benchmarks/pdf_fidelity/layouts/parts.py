"""Parts of several layouts: numbers, running heads, a table with rules."""

from __future__ import annotations

from benchmarks.pdf_fidelity.sheet import HEIGHT, MARGIN, WIDTH, KnownTable, Sheet

FULL = WIDTH - 2 * MARGIN
LABELS = ("Alpha", "Bravo", "Cobalt", "Delta", "Echo", "Foxtrot", "Golf", "Hotel", "India", "Juliet")


def numbers(rows: int, columns: int, start: int = 100) -> list[list[str]]:
    """Return distinct numbers for a table."""
    return [[f"{start + 37 * (r * columns + c)}.{(r + 3 * c) % 10}" for c in range(columns)] for r in range(rows)]


def running_head(sheet: Sheet, name: str) -> None:
    """Draw a running head and a page number."""
    sheet.line(MARGIN, 36, f"Quarterly Bulletin – {name}", 8, "Helvetica")
    sheet.line(WIDTH / 2, HEIGHT - 30, str(sheet.page), 8, "Helvetica")
    sheet.truth.running += ["Quarterly", "Bulletin"]


def ruled_table(sheet: Sheet, x: float, y: float, width: float, caption: str) -> None:
    """Draw a table of five rows with all rules and its caption above."""
    sheet.caption(x, y - 8, caption)
    heads, cells = ["Station", "Depth", "Load", "Share"], numbers(5, 3)
    rows = [heads] + [[label, *row] for label, row in zip(LABELS, cells, strict=False)]
    step = width / 4
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            sheet.canvas.rect(x + column * step, HEIGHT - y - 18 * (number + 1), step, 18)
            font = "Times-Roman" if number else "Times-Bold"
            sheet.line(x + column * step + 4, y + 18 * number + 13, text, 10, font)
    sheet.truth.tables.append(KnownTable(caption, heads, rows[1:]))
