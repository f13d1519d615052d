"""Tables of which shades, not rules, tell the rows."""

from __future__ import annotations

from itertools import pairwise

from fixtures.drawn_pdf import lines
from reportlab.lib import colors


def only_table(document):
    (table,) = [component.table for component in document.components if component.table is not None]
    return table


def at(sheet, xs, y, *texts):
    for x, text in zip(xs, texts, strict=True):
        lines(sheet, x, y, text)


def shaded(sheet, edges, y, height=20, colour=colors.lightgrey):
    sheet.setFillColor(colour)
    for left, right in pairwise(edges):
        sheet.rect(left, y, right - left - 3, height, stroke=0, fill=1)
    sheet.setFillColor(colors.black)


def test_rows_between_shaded_rows_keep_to_the_columns(drawn):
    edges, xs = (40, 140, 200, 263), (45, 145, 205)
    rows = [
        ("Town", "1990", "2000"),
        ("Alba", "12", "14"),
        ("Bero", "-", "31"),
        ("Cima", "40", "4"),
        ("Dora", "5", "6"),
    ]

    def draw(sheet):
        for number, row in enumerate(rows):
            if number % 2 == 0:
                shaded(sheet, edges, 395 - 20 * number)
            at(sheet, xs, 400 - 20 * number, *row)
        sheet.rect(40, 315, 220, 100)

    table = only_table(drawn(draw))
    assert (table.header, table.rows) == (rows[0], tuple(rows[1:]))


def test_a_line_that_runs_across_a_shaded_table_stays_whole(drawn):
    edges, xs = (40, 140, 200, 263), (45, 145, 205)

    def draw(sheet):
        for number, row in enumerate((("Town", "1990", "2000"), None, ("Alba", "12", "14"), ("Cima", "40", "4"))):
            y = 400 - 20 * number
            if row is None:
                lines(sheet, 45, y, "All towns that belong to the upper valley")
                continue
            shaded(sheet, edges, y - 5)
            at(sheet, xs, y, *row)
        sheet.rect(40, 335, 220, 80)

    table = only_table(drawn(draw))
    assert ["All towns that belong to the upper valley" in row for row in table.rows] == [True, False, False]
    assert table.rows[1:] == (("Alba", "12", "14"), ("Cima", "40", "4"))


def test_the_shade_of_a_line_within_a_cell_of_the_same_shade_is_no_row(drawn):
    edges, xs = (40, 200, 303), (45, 205)
    cells = [("Task", "Due"), ("Write down the steps that", "Autumn"), ("Read them", "Winter")]

    def draw(sheet):
        for number, (y, height) in enumerate(((390, 20), (350, 40), (330, 20))):
            shaded(sheet, edges, y, height, (colors.lightgrey, colors.lightblue)[number % 2])
            at(sheet, xs, y + height - 14, *cells[number])
        shaded(sheet, (45, 198), 376, 11, colors.lightblue)
        shaded(sheet, (45, 198), 362, 11, colors.lightblue)
        at(sheet, xs[:1], 376, cells[1][0])
        at(sheet, xs[:1], 364, "lead to a plan")

    table = only_table(drawn(draw))
    assert table.header == ("Task", "Due")
    assert table.rows == (("Write down the steps that lead to a plan", "Autumn"), ("Read them", "Winter"))


def test_dashes_are_values_that_are_missing_and_no_bullets(drawn):
    rows = [
        ("Town", "old", "late", "new"),
        ("Alba", "-", "3.2", "-"),
        ("Bero", "-", "-", "4.1"),
        ("Cima", "7", "-", "5"),
    ]

    def draw(sheet):
        for number, row in enumerate(rows):
            at(sheet, (40, 120, 151, 182), 400 - 14 * number, *row)

    table = only_table(drawn(draw))
    assert (table.header, table.rows) == (rows[0], tuple(rows[1:]))


def test_rows_without_shades_of_their_own_keep_to_columns_between_which_there_is_room(drawn):
    edges, xs = (40, 140, 200, 263), (45, 145, 205)
    rows = [
        ("Town", "1990", "2000"),
        ("Alba", "12", "14"),
        ("Bero", "-", "31"),
        ("Cima", "40", "4"),
        ("Dora", "5", "6"),
    ]

    def draw(sheet):
        for number, row in enumerate(rows):
            y = 395 - 20 * number
            if number % 2 == 0:
                shaded(sheet, edges, y)
                for left, right in pairwise(edges):  # cells with room between them
                    sheet.rect(left + 4, y, right - left - 8, 20)
            else:
                sheet.rect(40, y, 223, 20)
            at(sheet, xs, 400 - 20 * number, *row)

    table = only_table(drawn(draw))
    assert (table.header, table.rows) == (rows[0], tuple(rows[1:]))
