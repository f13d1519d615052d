from __future__ import annotations

from fixtures.drawn_pdf import lines
from reportlab.lib import colors
from reportlab.platypus import Table as DrawnTable

RULED = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)


def tables(document):
    return [component.table for component in document.components if component.table is not None]


def texts(document):
    return [component.text for component in document.components if component.text is not None]


def put(sheet, rows, x, y, *style, widths=None, heights=None):
    table = DrawnTable(rows, colWidths=widths, rowHeights=heights)
    table.setStyle(list(style))
    table.wrapOn(sheet, 400, 500)
    table.drawOn(sheet, x, y)


def cells(sheet, xs, y, *rows, pitch=14, size=10):
    sheet.setFont("Helvetica", size)
    for number, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            sheet.drawString(x, y - pitch * number, text)


def test_heads_over_several_columns_and_cells_over_several_rows(drawn):
    rows = [["River", "Length", ""], ["", "old", "new"], ["Nile", "6,650", "6,671"], ["", "6,690", "6,700"]]

    def draw(sheet):
        spans = [("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 2), (0, 3))]
        put(sheet, rows, 40, 300, RULED, *spans)
        lines(sheet, 40, 290, "Table 2: Two measures")

    (table,) = tables(drawn(draw))
    assert table.caption == "Table 2: Two measures"
    assert table.header == ("River", "Length / old", "Length / new")
    assert table.rows == (("Nile", "6,650", "6,671"), ("Nile", "6,690", "6,700"))


def test_a_table_whose_outer_sides_are_open(drawn):
    def draw(sheet):
        style = [("INNERGRID", (0, 0), (-1, -1), 0.5, colors.black)]
        put(sheet, [["Name", "km"], ["Nile", "6650"], ["Amazon", "6400"]], 40, 300, *style)

    (table,) = tables(drawn(draw))
    assert (table.header, table.rows) == (("Name", "km"), (("Nile", "6650"), ("Amazon", "6400")))


def test_grid_rows_that_hold_several_lines_of_figures_are_divided(drawn):
    def draw(sheet):
        rows = [["Model", "Kind", "Score", "Time"], ["Six layers", "plain\nquick", "0.96\n0.93", "2.73\n5.39"]]
        put(sheet, rows, 40, 300, RULED, ("VALIGN", (0, 0), (-1, -1), "MIDDLE"))

    (table,) = tables(drawn(draw))
    assert table.rows == (("Six layers", "plain", "0.96", "2.73"), ("Six layers", "quick", "0.93", "5.39"))


def test_rows_without_rules_beside_a_cell_that_spans_them_and_more_are_divided(drawn):
    def draw(sheet):
        rows = [
            ["", "Routes", "Passengers", "Change"],
            ["Group", "Korea\nSoutheast Asia\nGuam", "47,126\n276,197\n13,156", "84.7\n104.6\n101.1"],
            ["", "Total", "336,479", "99.8"],
            ["Notes", "what is told\nof these\nroutes", "12\nin all\nof them", "on one\nday\nonly"],
            ["", "None", "0", "0.0"],
        ]
        put(sheet, rows, 40, 300, RULED, ("SPAN", (0, 1), (0, 2)), ("SPAN", (0, 3), (0, 4)))

    (table,) = tables(drawn(draw))
    assert table.header == ("", "Routes", "Passengers", "Change")
    assert table.rows == (
        ("Group", "Korea", "47,126", "84.7"),
        ("Group", "Southeast Asia", "276,197", "104.6"),
        ("Group", "Guam", "13,156", "101.1"),
        ("Group", "Total", "336,479", "99.8"),
        ("Notes", "what is told of these routes", "12 in all of them", "on one day only"),
        ("Notes", "None", "0", "0.0"),
    )


def test_lines_of_running_text_in_cells_stay_together(drawn):
    def draw(sheet):
        rows = [
            ["Term", "Meaning"],
            ["delta", "what a river leaves\nbe-\nhind at its mouth"],
            ["bar", "a bank\nof sand"],
        ]
        put(sheet, rows, 40, 300, RULED)

    (table,) = tables(drawn(draw))
    assert table.rows == (("delta", "what a river leaves behind at its mouth"), ("bar", "a bank of sand"))


def test_a_table_ruled_only_at_head_and_ends_with_heads_in_groups(drawn):
    def draw(sheet):
        lines(sheet, 40, 412, "Table 1. Scores by method")
        sheet.setFont("Helvetica", 9)
        sheet.drawString(140, 388, "Training")
        sheet.drawString(260, 388, "Testing")
        for start, end in ((110, 200), (230, 320)):
            sheet.line(start, 384, end, 384)
        rows = [("Method", "Easy", "Hard", "Easy", "Hard"), ("Plain", "1.0", "2.0", "3.0", "4.0")]
        cells(sheet, (40, 115, 170, 235, 290), 374, *rows, ("Our own", "1.5", "2.5", "3.5", "4.5"), size=9)
        for y in (400, 369, 340):
            sheet.line(40, y, 330, y)

    (table,) = tables(drawn(draw))
    assert table.caption == "Table 1. Scores by method"
    assert table.header == ("Method", "Training / Easy", "Training / Hard", "Testing / Easy", "Testing / Hard")
    assert table.rows == (("Plain", "1.0", "2.0", "3.0", "4.0"), ("Our own", "1.5", "2.5", "3.5", "4.5"))


def test_a_table_without_rules_its_caption_below_and_a_cell_of_two_lines(drawn):
    def draw(sheet):
        lines(sheet, 40, 440, "The stock was counted in spring, and this is what was on the shelves on that day.")
        xs = (40, 130, 240, 320)
        cells(sheet, xs, 400, ("Item", "Kind", "Price", "Left"), ("SKU-1", "Tools", "$9.50", "12"))
        cells(sheet, xs, 372, ("SKU-2", "", "$8.00", "7"), ("SKU-3", "Garden", "$1.25", "1"))
        lines(sheet, 130, 349, "and yard", size=8)
        lines(sheet, 40, 330, "Table 1: Stock")

    parsed = drawn(draw)
    (table,) = tables(parsed)
    assert (table.caption, table.header) == ("Table 1: Stock", ("Item", "Kind", "Price", "Left"))
    rows = (("SKU-1", "Tools", "$9.50", "12"), ("SKU-2", "", "$8.00", "7"), ("SKU-3", "Garden and yard", "$1.25", "1"))
    assert table.rows == rows
    assert texts(parsed) == ["The stock was counted in spring, and this is what was on the shelves on that day."]


def test_figures_without_names_above_them_have_no_head(drawn):
    def draw(sheet):
        cells(sheet, (40, 130, 240), 400, ("Nile", "6650", "1"), ("Amazon", "6400", "2"), ("Ob", "3650", "3"))

    (table,) = tables(drawn(draw))
    assert table.header == ("", "", "")
    assert table.rows[0] == ("Nile", "6650", "1")


def test_labels_and_values_are_read_line_by_line(drawn):
    def draw(sheet):
        rows = [("Order:", "2024-12", "Cinema:", "Multiplex"), ("Contact:", "Ana Lima", "Region:", "North")]
        cells(sheet, (40, 110, 230, 300), 400, *rows, ("Kind:", "Premium", "", ""))

    assert texts(drawn(draw)) == [
        "Order: 2024-12\nContact: Ana Lima\nKind: Premium",
        "Cinema: Multiplex\nRegion: North",
    ]


def test_text_in_columns_whose_lines_stand_side_by_side_is_no_table(drawn):
    def draw(sheet):
        for x, name in ((40, "left"), (220, "right")):
            lines(sheet, x, 440, *(f"The {name} column, line {n} of eight" for n in range(8)))

    parsed = drawn(draw)
    assert tables(parsed) == []
    assert [text.split()[1] for text in texts(parsed)] == ["left", "right"]


def test_a_frame_around_text_is_no_table(drawn):
    def draw(sheet):
        sheet.rect(30, 380, 300, 80)
        sheet.line(30, 430, 330, 430)
        lines(sheet, 40, 440, "Note")
        lines(sheet, 40, 415, "What stands in a frame is read as text,", "line after line.")

    assert tables(drawn(draw)) == []


def test_a_table_that_goes_on_over_pages_is_one(drawn):
    head = ["Entry", "Amount"]

    def draw(sheet):
        for page, (first, repeated) in enumerate(((0, True), (20, True), (40, False))):
            rows = [[f"Item {n}", f"{n}.50"] for n in range(first, first + 20)]
            if page == 0:
                lines(sheet, 40, 492, "Table 7: Register")
            put(sheet, [head, *rows] if repeated else rows, 40, 485 - 18 * (20 + repeated), RULED, heights=18)
            sheet.showPage()

    parsed = drawn(draw, pagesize=(400, 500))
    (table,) = tables(parsed)
    assert (table.caption, table.header) == ("Table 7: Register", ("Entry", "Amount"))
    assert table.rows == tuple((f"Item {n}", f"{n}.50") for n in range(60))
    assert [one.locator.page for one in parsed.components if one.table] == [1], "it is cited where it begins"


def test_links_in_cells_know_row_and_column(drawn):
    def draw(sheet):
        put(sheet, [["Name", "Site"], ["Nile", "here"], ["Ob", "there"]], 40, 300, RULED, widths=60, heights=20)
        sheet.linkURL("https://e.org/ob", (100, 300, 160, 320))
        sheet.linkURL("https://e.org/head", (40, 340, 100, 360))

    (component,) = drawn(draw).components
    assert [(link.target, link.anchor, link.row, link.column) for link in component.links] == [
        ("https://e.org/ob", "there", 1, 1),
        ("https://e.org/head", "Name", None, 0),
    ]
