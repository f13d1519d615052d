"""Tables of figures as in reports of companies: labels, heads of several rows, groups, scale."""

import pytest
from fixtures.drawn_pdf import NEXT, framed, ruling, shaded_rows, words, written
from fixtures.parsed import tables

from backtrail.tools.tables.typed_table import typed_tables


def figures(y, *rows, xs=(230, 290, 350)):
    """Labels at the left, figures that end at some places."""

    def draw(sheet):
        sheet.setFont("Helvetica", 9)
        for number, (label, *values) in enumerate(rows):
            sheet.drawString(30 + 8 * (len(label) - len(label.lstrip())), y - 14 * number, label.strip())
            for x, value in zip(xs, values, strict=False):
                sheet.drawRightString(x, y - 14 * number, value)

    return draw


def centred(y, *names):
    """Names, each in the middle of a place."""

    def draw(sheet):
        sheet.setFont("Helvetica", 9)
        for x, name in names:
            sheet.drawCentredString(x, y, name)

    return draw


SALES = [("Net sales", "$ 1,200", "$ 1,100"), ("Cost of sales", "(700)", "(650)"), ("Gross profit", "500", "450")]
YEARS = centred(430, (215, "2024"), (275, "2023"))
FOUR = [("Net sales", "9", "8", "7", "6"), ("Costs", "5", "4", "3", "2")]
THREE = [("Net sales", "9", "8", "7"), ("Costs", "4", "3", "2")]
SIX = [("Oil", *"987654"), ("Gas", *"432123")]
BOUGHT = [("Oil", "120", "All of it"), ("Gas", "—", "Half of it"), ("Coal", "—", "A third"), ("Tar", "90", "Nothing")]
PLACES = (108, 148, 188, 228, 268, 308)
ENDS = (160, 220, 280, 340)
TWICE = centred(430, (155, "2024"), (215, "2023"), (275, "2024"), (335, "2023"))
QUARTERS = centred(444, (185, "Quarter"), (305, "Half year"))
READ = {
    "years above the columns, and the scale beside them": (
        [written(30, 430, "(in millions)", size=9), YEARS, figures(414, *SALES)],
        [("(in millions)", "2024", "2023"), *SALES],
    ),
    "a scale is the name of a single column": (
        [written(30, 430, "Rent is due as follows (in millions):", size=9),
         figures(410, ("2024", "$ 47"), ("2025", "46"), ("Thereafter", "45"))],
        [("", "(in millions)"), ("2024", "$ 47"), ("2025", "46"), ("Thereafter", "45")],
    ),
    "a head over three columns above their dates": (
        [centred(444, (275, "Year ended")), centred(430, (215, "2024"), (275, "2023"), (335, "2022")),
         ruling((195, 441, 350, 441)), figures(414, ("Net sales", "9", "8", "7"), ("Costs", "4", "3", "2"))],
        [("", "Year ended / 2024", "Year ended / 2023", "Year ended / 2022"),
         ("Net sales", "9", "8", "7"), ("Costs", "4", "3", "2")],
    ),
    "heads over two years each, shorter than these": (
        [centred(444, (175, "Oil"), (295, "Gas")), TWICE,
         figures(414, *FOUR, xs=ENDS)],
        [("", "Oil / 2024", "Oil / 2023", "Gas / 2024", "Gas / 2023"), *FOUR],
    ),
    "heads at the right edge of two years each": (
        [figures(444, ("", "", "Oil", "", "Gas"), xs=ENDS), TWICE,
         figures(414, *FOUR, xs=ENDS)],
        [("", "Oil / 2024", "Oil / 2023", "Gas / 2024", "Gas / 2023"), *FOUR],
    ),
    "a year over an amount and its share": (
        [centred(430, (180, "2024"), (300, "2023")), figures(414, *FOUR, xs=ENDS)],
        [("", "2024", "2024", "2023", "2023"), *FOUR],
    ),
    "different heads near to the same names": (
        [centred(439, (143, "In 2024"), (263, "In 2023")),
         centred(430, (103, "Cost"), (143, "Value"), (183, "Sum"), (223, "Cost"), (263, "Value"), (303, "Sum")),
         figures(414, *SIX, xs=PLACES)],
        [("", "In 2024 / Cost", "In 2024 / Value", "In 2024 / Sum", "In 2023 / Cost", "In 2023 / Value",
          "In 2023 / Sum"), *SIX],
    ),
    "rules far apart below each column, and others at another height": (
        [centred(444, (217, "In 2024")), centred(430, (157, "Oil"), (217, "Gas"), (277, "Coal")),
         ruling((145, 441, 169, 441), (205, 441, 229, 441), (265, 441, 289, 441), (180, 439, 195, 439)),
         figures(414, *THREE, xs=ENDS)],
        [("", "In 2024 / Oil", "In 2024 / Gas", "In 2024 / Coal"), *THREE],
    ),
    "names that are figures": (
        [figures(430, ("", "737", "747", "Total")), figures(414, *THREE)],
        [("", "737", "747", "Total"), *THREE],
    ),
    "signs of currency and percent as names": (
        [centred(444, (245, "Change")), centred(430, (215, "$"), (275, "%")), figures(414, *SALES)],
        [("", "Change / $", "Change / %"), *SALES],
    ),
    "a number of years is a figure": (
        [YEARS, figures(414, ("Term of leases", "8.9 years", "8.8 years"), ("Rate", "3.6%", "5.0%"))],
        [("", "2024", "2023"), ("Term of leases", "8.9 years", "8.8 years"), ("Rate", "3.6%", "5.0%")],
    ),
    "a name whose upper line ends where the lower one does": (
        [figures(441, ("", "Incentives of a long term")), figures(430, ("", "Program", "Other")), figures(414, *SALES)],
        [("", "Incentives of a long term Program", "Other"), *SALES],
    ),
    "words behind a missing figure": (
        [centred(430, (225, "2024"), (295, "Bought")), figures(414, *[(label, figure) for label, figure, _ in BOUGHT]),
         *(written(250, 414 - 14 * row, name, size=9) for row, (*_, name) in enumerate(BOUGHT))],
        [("", "2024", "Bought"), *BOUGHT],
    ),
    "a row of words and a figure above the heads is none": (
        [figures(452, ("Chapter", "Oil", "12")), YEARS, figures(414, *SALES)],
        [("", "2024", "2023"), *SALES],
    ),
    "text above the heads is none": (
        [words((30, 73, 98, 136, 170, 218), 444, ("As sales", "of oil", "rose by", "a third", "in the year,",
                                                  "costs did"), size=9), YEARS, figures(414, *SALES)],
        [("", "2024", "2023"), *SALES],
    ),
    "names of two lines, and the name of the labels": (
        [centred(455, (205, "Estimated")), written(30, 444, "(in millions)", size=9),
         written(30, 433, "Year ended", size=9), centred(433, (205, "useful life"), (265, "Cost")),
         figures(414, *SALES)],
        [("(in millions) Year ended", "Estimated useful life", "Cost"), *SALES],
    ),
    "a sign of currency apart from its figure": (
        [YEARS, figures(414, *[(label, a.strip("$ "), b.strip("$ ")) for label, a, b in SALES]),
         words((185, 245), 414, ("$", "$"), size=9)],
        [("", "2024", "2023"), *SALES],
    ),
    "a label of two lines": (
        [YEARS, figures(414, *SALES, ("Effects of stock that is issued and", "", ""), ("bought back", "3", "2"))],
        [("", "2024", "2023"), *SALES, ("Effects of stock that is issued and bought back", "3", "2")],
    ),
    "a day or a colon ends a label": (
        [YEARS, figures(414, ("Value as of May 31,", "9", "8")), figures(403, ("Change of assets:",)),
         figures(393, ("Cash", "5", "4"), ("Sum as of May 31,", "7", "5")), figures(365, ("Shares", "3", "2"))],
        [("", "2024", "2023"), ("Value as of May 31,", "9", "8"), ("Change of assets:", "", ""), ("Cash", "5", "4"),
         ("Sum as of May 31,", "7", "5"), ("Shares", "3", "2")],
    ),
    "rows set in below the name of a group": (
        [YEARS, figures(414, ("Assets:", "", ""), ("  Cash", "5", "4"), ("  Stock", "2", "1"), ("Sum", "7", "5"))],
        [("", "2024", "2023"), ("Assets:", "", ""), ("Assets / Cash", "5", "4"), ("Assets / Stock", "2", "1"),
         ("Sum", "7", "5")],
    ),
    "a year between rows is the name of a group": (
        [YEARS, figures(414, *SALES, ("Parts",), ("2024",), ("  Oil", "5", "4"), ("2023",), ("  Gas", "2", "1"))],
        [("", "2024", "2023"), *SALES, ("Parts", "", ""), ("2024", "", ""), ("2024 / Oil", "5", "4"),
         ("2023", "", ""), ("2023 / Gas", "2", "1")],
    ),
    "a date that ends a label of two lines": (
        [YEARS, figures(414, *SALES, ("Balance as of",), ("3, 2024", "9", "8"), ("Shares issued or",),
                        ("bought", "3", "2"))],
        [("", "2024", "2023"), *SALES, ("Balance as of 3, 2024", "9", "8"),
         ("Shares issued or bought", "3", "2")],
    ),
    "figures lower than their signs of currency": (
        [YEARS, figures(414, *SALES, ("Rent",)), words((185, 245), 372, ("$", "$"), size=9),
         figures(368, ("", "30", "20"))],
        [("", "2024", "2023"), *SALES, ("Rent", "$ 30", "$ 20")],
    ),
    "the title of the page above the columns": (
        [centred(444, (163, "Statements of what the company sold")), YEARS, figures(414, *SALES)],
        [("", "2024", "2023"), *SALES],
    ),
    "marks of notes beside figures": (
        [YEARS, figures(414, *SALES), words((233,), 417, ("(a)",), size=5)],
        [("", "2024", "2023"), ("Net sales", "$ 1,200 (a)", "$ 1,100"), *SALES[1:]],
    ),
    "shades and rules that cross only the figures": (
        [*(shaded_rows(190, 296, y) for y in (410, 382)), ruling((190, 424, 296, 424), (190, 396, 296, 396)), YEARS,
         figures(414, *SALES)],
        [("", "2024", "2023"), *SALES],
    ),
    "one rule below two heads, drawn in two parts": (
        [centred(444, (152, "Oil"), (277, "Gas")), ruling((95, 441, 210, 441), (210, 441, 345, 441)),
         centred(430, *zip(PLACES, "ABCDEF", strict=True)), figures(414, *SIX, xs=PLACES)],
        [("", "Oil / A", "Oil / B", "Oil / C", "Gas / D", "Gas / E", "Gas / F"), *SIX],
    ),
    "a rule at the edge of a shade": (
        [shaded_rows(30, 350, 441), centred(444, (215, "Year ended")), ruling((130, 441, 300, 441)),
         centred(430, (155, "2024"), (215, "2023"), (275, "2022"), (335, "Change")), figures(414, *FOUR, xs=ENDS)],
        [("", "Year ended / 2024", "Year ended / 2023", "Year ended / 2022", "Change"), *FOUR],
    ),
    "lines of one name, both left of the figures": (
        [centred(441, (192, "Effective Rate"), (339, "Effective Rate")),
         centred(430, (119, "2024"), (192, "%"), (273, "2023"), (339, "%")),
         figures(414, ("Oil", "$ 1,200 (a)", "2.22%", "1,100 (b)", "2.22"), ("Gas", "9", "5.55", "8", "5.55"),
                 xs=(168, 240, 312, 390))],
        [("", "2024", "Effective Rate %", "2023", "Effective Rate %"),
         ("Oil", "$ 1,200 (a)", "2.22%", "1,100 (b)", "2.22"), ("Gas", "9", "5.55", "8", "5.55")],
    ),
    "dots that lead to the figures": (
        [YEARS, figures(414, *[(f"{label} ..........", *values) for label, *values in SALES])],
        [("", "2024", "2023"), *SALES],
    ),
    "a row without a label, with words in a column": (
        [centred(430, (120, "Fuel"), (225, "2024"), (285, "2023")),
         words((30, 110), 414, ("North", "Oil"), ("", "Gas"), ("South", "Oil"), size=9),
         *(figures(414 - 14 * row, ("", value, value)) for row, value in enumerate(("12", "9", "7")))],
        [("", "Fuel", "2024", "2023"), ("North", "Oil", "12", "12"), ("", "Gas", "9", "9"), ("South", "Oil", "7", "7")],
    ),
    "a grid that parts a sign of currency from its figure": (
        [YEARS, figures(414, *SALES), framed(
            *((25, y, 150, 14) for y in (423, 409, 395, 381)), *((240, y, 60, 14) for y in (423, 409, 395, 381)),
            (175, 409, 31, 14), (206, 409, 34, 14), *((175, y, 65, 14) for y in (423, 395, 381)))],
        [("", "2024", "2023"), *SALES],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "rows"), READ.values(), ids=READ)
def test_labels_and_heads_of_figures(drawn, steps, rows):
    (table,) = tables(drawn(*steps))
    assert [table.header, *table.rows] == rows


def test_two_tables_below_each_other_have_their_own_heads(drawn):
    parsed = drawn(YEARS, figures(414, *SALES), centred(350, (215, "2022"), (275, "2021")), figures(334, *SALES))
    assert [table.header for table in tables(parsed)] == [("", "2024", "2023"), ("", "2022", "2021")]


def test_a_line_of_text_between_rows_of_figures_parts_two_tables(drawn):
    text = "As of December 31, 2024 the payments that are due in each of the years are as follows:"
    lower = [("2025", "9", "8"), ("2026", "7", "6"), ("Thereafter", "5", "4")]
    parsed = drawn(YEARS, figures(414, *SALES), written(30, 365, text, size=9), figures(350, *lower))
    assert [table.rows for table in tables(parsed)] == [tuple(SALES), tuple(lower)]


def test_heads_at_the_top_of_several_pages_are_no_running_heads(drawn):
    page = [QUARTERS, TWICE, figures(414, *FOUR, xs=ENDS)]
    heads = [table.header for table in tables(drawn(*page, NEXT, *page, NEXT, *page))]
    assert heads == [("", "Quarter / 2024", "Quarter / 2023", "Half year / 2024", "Half year / 2023")] * 3


NAMES_OF_GROUPS = ("Liabilities and equity",), ("Liabilities:",)
LOANS = ("Loans", "9", "8"), ("Rent due", "3", "2"), ("Sum", "12", "10")


@pytest.mark.parametrize(
    ("top", "headers", "labels"),
    [
        ([figures(480, *NAMES_OF_GROUPS, *LOANS)], ["2024"], ["Liabilities and equity", "Liabilities:"]),
        ([centred(480, (215, "2022"), (275, "2021")), figures(464, *LOANS)], ["2024", "2022"], ["Loans", "Rent due"]),
    ],
    ids=["without heads", "with others"],
)
def test_figures_at_the_top_of_the_next_page_go_on_unless_they_have_other_heads(drawn, top, headers, labels):
    page = [centred(130, (215, "2024"), (275, "2023")), figures(114, *SALES)]
    found = tables(drawn(*page, NEXT, *top))
    assert [table.header[1] for table in found] == headers
    assert [row[0] for row in found[-1].rows if row[0] not in {label for label, *_ in SALES}][:2] == labels


def test_a_table_beside_the_other_column_of_text_is_read_alone(drawn):
    text = [
        "Sales of oil rose by a third in that year",
        "as its price did, while sales of gas fell",
        "much less than they did in former years.",
    ]
    left = [written(30, 480, *text, size=9), centred(430, (140, "2024"), (175, "2023"))]
    right = written(215, 482, *text, *text, *text, size=9)
    (table,) = tables(drawn(*left, figures(414, *SALES, xs=(150, 190)), right))
    assert [table.header, *table.rows] == [("", "2024", "2023"), *SALES]


def test_figures_are_typed_with_their_scale_and_sums(drawn):
    rows = [("Sales:", "", ""), ("  Oil", "5", "(4)"), ("  Total sales", "5", "(4)")]
    parsed = drawn(written(30, 430, "($ in millions)", size=9), YEARS, figures(414, *rows))
    (table,) = typed_tables(parsed.components, {})
    assert (table.scale, table.totals) == ("in millions", {2})
    assert [column.values for column in table.columns[1:]] == [(None, 5.0, 5.0), (None, -4.0, -4.0)]
