"""Which lines of a table name its columns, wherever they stand."""

from __future__ import annotations

import pytest
from fixtures.drawn_pdf import lines
from reportlab.lib import colors
from reportlab.platypus import Table as DrawnTable


def tables(document):
    return [component.table for component in document.components if component.table is not None]


def put(sheet, rows, y, widths, pitch=16):
    table = DrawnTable(rows, colWidths=widths, rowHeights=pitch)
    table.setStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    table.wrapOn(sheet, 400, 500)
    table.drawOn(sheet, 40, y - pitch * len(rows))


def words(sheet, xs, y, *rows, pitch=14):
    for number, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            lines(sheet, x, y - pitch * number, text)


BODY = [["1", "Oak", "12.50"], ["2", "Elm", "9.75"], ["3", "Ash", "11.00"]]


def test_a_ruled_head_that_stands_apart_from_its_table(drawn):
    def draw(sheet):
        put(sheet, [["No.", "Tree", "Height"]], 400, [40, 80, 60])
        put(sheet, BODY, 372, [40, 80, 60])

    (table,) = tables(drawn(draw))
    assert (table.header, table.rows) == (("No.", "Tree", "Height"), tuple(map(tuple, BODY)))


def test_plain_lines_above_a_ruled_table_are_its_head_and_those_further_above_are_not(drawn):
    def draw(sheet):
        lines(sheet, 40, 450, "Trees of the park, measured in spring")
        words(sheet, (42, 84, 162), 404, ("No.", "Tree", "Height"))
        put(sheet, BODY, 398, [40, 80, 60])

    document = drawn(draw)
    (table,) = tables(document)
    assert (table.header, table.rows) == (("No.", "Tree", "Height"), tuple(map(tuple, BODY)))
    assert [one.text for one in document.components if one.text] == ["Trees of the park, measured in spring"]


def test_a_first_row_that_is_like_those_below_it_is_no_head(drawn):
    (table,) = tables(drawn(lambda sheet: put(sheet, BODY, 400, [40, 80, 60])))
    assert (table.header, table.rows) == (("", "", ""), tuple(map(tuple, BODY)))


@pytest.mark.parametrize("head", [("Town", "1990", "2000"), ("Town", "2019/20", "2020/21"), ("", "1", "2")])
def test_years_and_counted_columns_are_names(drawn, head):
    rows = [head, ("Alba", "120", "14"), ("Bero", "8", "310"), ("Cima", "-", "45")]

    def ruled(sheet):
        put(sheet, rows, 400, [80, 60, 60])

    def plain(sheet):
        words(sheet, (40, 120, 190), 400, *rows)

    for draw in (ruled, plain):
        (table,) = tables(drawn(draw))
        assert (table.header, table.rows) == (head, tuple(rows[1:]))


def test_groups_of_rows_with_room_between_them_are_one_table(drawn):
    head, upper = ("Town", "people", "wells"), [("Alba", "120", "14"), ("Bero", "80", "31"), ("Cima", "75", "45")]
    lower = [("Dora", "9", "4"), ("Elva", "77", "1"), ("Fano", "60", "2")]

    def draw(sheet):
        words(sheet, (40, 120, 190), 400, head, *upper)
        words(sheet, (40, 120, 190), 320, *lower)

    (table,) = tables(drawn(draw))
    assert (table.header, table.rows) == (head, (*upper, *lower))


def test_tables_of_other_columns_below_each_other_stay_two(drawn):
    def draw(sheet):
        words(sheet, (40, 120, 190), 400, ("Town", "people", "wells"), ("Alba", "120", "14"), ("Bero", "80", "31"))
        put(sheet, [["7", "3", "1", "2"], ["8", "5", "9", "4"], ["6", "4", "8", "3"]], 355, [30, 30, 30, 30])

    assert [len(table.header) for table in tables(drawn(draw))] == [3, 4]


def test_a_head_of_plain_lines_stands_above_the_column_it_is_nearest_to_whatever_a_note_below_covers(drawn):
    xs = (40, 160, 300)
    rows = [("Room", "Rs 900 x 2 nights", "Rs 1800"), ("Meals", "", "Rs 250"), ("Sum", "", "Rs 2050")]

    def draw(sheet):
        words(sheet, xs, 412, ("WHAT", "RATE", "AMOUNT"))
        for number, row in enumerate(rows):
            sheet.line(40, 405 - 30 * number, 350, 405 - 30 * number)
            words(sheet, xs, 388 - 30 * number, row)
        sheet.line(40, 315, 350, 315)
        lines(sheet, 40, 303, "Please note that the amount is due on the day of the arrival")
        sheet.line(40, 295, 350, 295)

    (table,) = tables(drawn(draw))
    assert table.header == ("WHAT", "RATE", "AMOUNT")
    assert table.rows[:3] == tuple(rows)


def test_columns_of_figures_are_parted_by_gaps_hardly_wider_than_a_space(drawn):
    names = ["Oil of the north", "Salt and oil", "Box of old nails"]
    rows = [(name, f"{n}0.25", f"{n}5%", f"{n}.00") for n, name in enumerate(names, 1)]

    def draw(sheet):
        words(sheet, (40, 150, 182.5, 250), 400, ("Item", "Cut", "Tax", "Sum"), *rows)

    (table,) = tables(drawn(draw))
    assert (table.header, table.rows) == (("Item", "Cut", "Tax", "Sum"), tuple(rows))


def test_a_label_with_its_number_is_one_cell(drawn):
    rows = [(f"Room No. {n}", f"{n}0.5", "low and wide") for n in (3, 4, 5, 6)]
    (table,) = tables(drawn(lambda sheet: words(sheet, (40, 140, 220), 400, ("Place", "Size", "Look"), *rows)))
    assert table.rows == tuple(rows)


def test_frames_side_by_side_hold_a_table_each(drawn):
    left = [("", "known", "unknown", "all"), ("There", "217", "0", "217"), ("Away", "40", "1", "41")]
    right = [("", "votes", "chair", "sum"), ("For", "129", "0", "129"), ("Against", "65", "0", "65")]

    def draw(sheet):
        sheet.rect(20, 340, 180, 75)
        sheet.rect(200, 340, 180, 75)
        words(sheet, (25, 70, 115, 170), 400, *left, pitch=18)
        words(sheet, (205, 260, 305, 350), 400, *right, pitch=18)

    found = tables(drawn(draw))
    assert [(one.header, one.rows) for one in found] == [(left[0], tuple(left[1:])), (right[0], tuple(right[1:]))]


def test_lines_above_a_ruled_table_are_its_head_though_other_words_stand_beside_them(drawn):
    def draw(sheet):
        lines(sheet, 20, 416, "Trees were measured", "by all who came in", "the spring of the", "year before last.")
        words(sheet, (212, 254, 332), 416, ("No.", "Kind of", "Height"), ("", "tree", "(m)"))
        table = DrawnTable(BODY, colWidths=[40, 80, 60], rowHeights=16)
        table.setStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
        table.wrapOn(sheet, 400, 500)
        table.drawOn(sheet, 210, 348)

    (table,) = tables(drawn(draw))
    assert (table.header, table.rows) == (("No.", "Kind of tree", "Height (m)"), tuple(map(tuple, BODY)))
