"""Tables of pages: with rules, with a few, with shades, and with none."""

import pytest
from fixtures.drawn_pdf import GRID, NEXT, framed, ruled, ruling, words, written
from fixtures.parsed import tables, texts

XS, EDGES = (45, 145, 205), (40, 140, 200, 263)
TREES = [("No.", "Tree", "Height"), ("1", "Oak", "12.50"), ("2", "Elm", "9.75"), ("3", "Ash", "11.00")]


DASHES = [("Town", "old", "late", "new"), ("Alba", "-", "3.2", "-"), ("Bero", "-", "-", "4.1"), ("Cima", "7", "-", "5")]
STOCK = [
    ("Item", "Kind", "Left", "Price", "Counted"),
    *((f"SKU-{n}", "Tools", "" if n == 4 else "12", "$9.50", f"2024-01-1{n}") for n in range(1, 8)),
]
READ = {
    "heads over several columns and cells over several rows": (
        [
            ruled(
                [["River", "Length", ""], ["", "old", "new"], ["Nile", "6,650", "6,671"], ["", "6,690", "6,700"]],
                40, 300, GRID, ("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 2), (0, 3)),
            )
        ],
        [("River", "Length / old", "Length / new"), ("Nile", "6,650", "6,671"), ("Nile", "6,690", "6,700")],
    ),
    "a ruled head that stands apart": (
        [
            ruled(TREES[:1], 40, 384, widths=[40, 80, 60], heights=16),
            ruled(TREES[1:], 40, 324, widths=[40, 80, 60], heights=16),
        ],
        TREES,
    ),
    "dates among figures and an empty cell": ([words((40, 100, 160, 210, 270), 400, *STOCK)], STOCK),
    "dashes are values that are missing": ([words((40, 120, 151, 182), 400, *DASHES)], DASHES),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "rows"), READ.values(), ids=READ)
def test_rows_and_columns_of_a_table(drawn, steps, rows):
    (table,) = tables(drawn(*steps))
    assert [table.header, *table.rows] == rows


@pytest.mark.parametrize("head", [("Town", "1990", "2000"), ("Town", "2019/20", "2020/21"), ("", "1", "2")])
def test_years_and_counted_columns_are_names(drawn, head):
    rows = [head, ("Alba", "120", "14"), ("Bero", "8", "310"), ("Cima", "-", "45")]
    for step in (ruled(rows, 40, 336, widths=[80, 60, 60], heights=16), words((40, 120, 190), 400, *rows)):
        (table,) = tables(drawn(step))
        assert [table.header, *table.rows] == rows


def test_a_table_ruled_only_at_head_and_ends_with_heads_in_groups(drawn):
    rows = [("Method", "Easy", "Hard", "Easy", "Hard"), ("Plain", "1.0", "2.0", "3.0", "4.0")]
    parsed = drawn(
        written(40, 412, "Table 1. Scores by method"),
        words((140, 260), 388, ("Training", "Testing"), size=9),
        ruling((110, 384, 200, 384), (230, 384, 320, 384), *((40, y, 330, y) for y in (400, 369, 340))),
        words((40, 115, 170, 235, 290), 374, *rows, ("Our own", "1.5", "2.5", "3.5", "4.5"), size=9),
    )
    (table,) = tables(parsed)
    assert table.caption == "Table 1. Scores by method"
    assert table.header == ("Method", "Training / Easy", "Training / Hard", "Testing / Easy", "Testing / Hard")
    assert table.rows == (rows[1], ("Our own", "1.5", "2.5", "3.5", "4.5"))


def test_a_table_without_rules_its_caption_below_and_a_cell_of_two_lines(drawn):
    intro = "The stock was counted in spring, and this is what was on the shelves on that day."
    parsed = drawn(
        written(40, 440, intro),
        words((40, 130, 240, 320), 400, ("Item", "Kind", "Price", "Left"), ("SKU-1", "Tools", "$9.50", "12"),
              ("SKU-2", "", "$8.00", "7"), ("SKU-3", "Garden", "$1.25", "1")),
        written(130, 349, "and yard", size=8),
        written(40, 330, "Table 1: Stock"),
    )  # fmt: skip
    (table,) = tables(parsed)
    assert (table.caption, table.header) == ("Table 1: Stock", ("Item", "Kind", "Price", "Left"))
    assert [row[1] for row in table.rows] == ["Tools", "", "Garden and yard"]
    assert texts(parsed) == [intro]


LABELS = [("Order:", "2024-12", "Cinema:", "Multiplex"), ("Contact:", "Ana Lima", "Region:", "North")]
NO_TABLES = {
    "labels and values": (
        [words((40, 110, 230, 300), 400, *LABELS, ("Kind:", "Premium", "", ""))],
        ["Order: 2024-12\nContact: Ana Lima\nKind: Premium", "Cinema: Multiplex\nRegion: North"],
    ),
    "columns whose lines stand side by side": (
        [written(x, 440, *(f"The {name} column, line {n} of eight" for n in range(8)))
         for x, name in ((40, "left"), (220, "right"))],
        [" ".join(f"The {name} column, line {n} of eight" for n in range(8)) for name in ("left", "right")],
    ),
    "a frame around text": (
        [
            framed((30, 380, 300, 80)),
            ruling((30, 430, 330, 430)),
            written(40, 440, "Note"),
            written(40, 415, "What stands in a frame is read as text,", "line after line."),
        ],
        ["Note", "What stands in a frame is read as text, line after line."],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "found"), NO_TABLES.values(), ids=NO_TABLES)
def test_what_looks_like_a_table_and_is_text(drawn, steps, found):
    parsed = drawn(*steps)
    assert tables(parsed) == []
    assert [" ".join(text.split(" ")) for text in texts(parsed)] == found


def test_a_table_that_goes_on_over_pages_is_one(drawn):
    steps = [written(40, 492, "Table 7: Register")]
    for first, head in ((0, [["Entry", "Amount"]]), (20, [["Entry", "Amount"]]), (40, [])):
        rows = [*head, *([f"Item {n}", f"{n}.50"] for n in range(first, first + 20))]
        steps += [ruled(rows, 40, 485 - 18 * len(rows), heights=18), NEXT]
    parsed = drawn(*steps)
    (table,) = tables(parsed)
    assert (table.caption, table.header) == ("Table 7: Register", ("Entry", "Amount"))
    assert table.rows == tuple((f"Item {n}", f"{n}.50") for n in range(60))
    (locator,) = (one.locator for one in parsed.components if one.table)
    assert [locator.page_of(row) for row in (0, 19, 20, 39, 40, 59)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("above", ["Other register", "Table 8: Trees"])
def test_a_line_above_a_table_of_the_next_page_names_another_one(drawn, above):
    rows = [("Entry", "Amount"), *((f"Item {n}", f"{n}.50") for n in range(20))]
    step = ruled(rows, 40, 470 - 18 * len(rows), heights=18)
    parsed = drawn(written(40, 480, "Table 7: Register"), step, NEXT, written(40, 480, above), step)
    assert [len(table.rows) for table in tables(parsed)] == [20, 20]


def test_links_in_cells_know_row_and_column(drawn):
    rows = [["Name", "Site"], ["Nile", "here"], ["Ob", "there"]]
    places = {"https://e.org/ob": (100, 300, 160, 320), "https://e.org/head": (40, 340, 100, 360)}
    linked = [lambda sheet, url=url, box=box: sheet.linkURL(url, box) for url, box in places.items()]
    (component,) = drawn(ruled(rows, 40, 300, widths=60, heights=20), *linked).components
    assert [(link.target, link.anchor, link.row, link.column) for link in component.links] == [
        ("https://e.org/ob", "there", 1, 1), ("https://e.org/head", "Name", None, 0),
    ]  # fmt: skip
