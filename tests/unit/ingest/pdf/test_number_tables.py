"""Tables of figures as in reports of companies: labels, heads of several rows, groups, scale."""

import pytest
from fixtures.drawn_pdf import NEXT, ruling, shaded_rows, words, written
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
OTHERS = [(f"Long label number {number} of all", "2", "1") for number in range(6)]
SIX = [("Net sales", "9", "8", "7", "6", "5", "4"), ("Costs", "4", "3", "2", "1", "2", "3")]
SIX_AT = (170, 210, 250, 290, 330, 370)
MONTHS = [centred(430, *zip([x - 4 for x in SIX_AT], ("May", "June", "July") * 2, strict=True)),
          figures(414, *SIX, xs=SIX_AT)]  # fmt: skip
BY_MONTH = [("", *[f"{year} / {month}" for year in (2024, 2023) for month in ("May", "June", "July")]), *SIX]
READ = {
    "years above the columns, and the scale beside them": (
        [written(30, 430, "(in millions)", size=9), YEARS, figures(414, *SALES)],
        [("(in millions)", "2024", "2023"), *SALES],
    ),
    "a scale in the sentence above": (
        [written(30, 450, "Sales were as follows (in thousands):", size=9), YEARS, figures(414, *SALES)],
        [("(in thousands)", "2024", "2023"), *SALES],
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
    "underlines of two groups that nearly touch": (
        [centred(444, (206, "2024"), (326, "2023")), ruling((150, 441, 266, 441), (270, 441, 375, 441)), *MONTHS],
        BY_MONTH,
    ),
    "an underline of one rule for each column": (
        [centred(444, (206, "2024"), (326, "2023")), *MONTHS,
         ruling(*[(x - 20, 441, x + 12, 441) for x in SIX_AT])],
        BY_MONTH,
    ),
    "the underline of the first group is below the labels too": (
        [centred(444, (206, "2024"), (326, "2023")), ruling((30, 441, 255, 441), (275, 441, 375, 441)), *MONTHS],
        BY_MONTH,
    ),
    "a name of two lines over a group": (
        [centred(456, (245, "As of")), centred(444, (245, "the end of")), ruling((195, 441, 296, 441)), YEARS,
         figures(414, *SALES)],
        [("", "As of / the end of / 2024", "As of / the end of / 2023"), *SALES],
    ),
    "a mark of a note far from the figures": (
        [centred(444, (245, "Year ended")), YEARS, figures(414, *SALES, *OTHERS, ("Costs of stock", "3", "2")),
         words((140,), 288, ("1",), size=9)],
        [("", "Year ended / 2024", "Year ended / 2023"), *SALES, *OTHERS, ("Costs of stock", "1 3", "2")],
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
    "rows set in below the name of a group": (
        [YEARS, figures(414, ("Assets:", "", ""), ("  Cash", "5", "4"), ("  Stock", "2", "1"), ("Sum", "7", "5"))],
        [("", "2024", "2023"), ("Assets:", "", ""), ("Assets / Cash", "5", "4"), ("Assets / Stock", "2", "1"),
         ("Sum", "7", "5")],
    ),
    "figures a little lower than their labels": (
        [YEARS, figures(414, *[(label,) for label, *_ in SALES]), figures(410, *[("", *rest) for _, *rest in SALES])],
        [("", "2024", "2023"), *SALES],
    ),
    "a label of two lines below a row that is not as near": (
        [YEARS, figures(414, *SALES), figures(374, ("Effects of all the stock",)),
         figures(364, ("Bought back", "3", "2"))],
        [("", "2024", "2023"), *SALES, ("Effects of all the stock Bought back", "3", "2")],
    ),
    "heads of two lines below a head over both columns": (
        [centred(456, (245, "Year ended")), centred(442, (215, "as"), (275, "without")),
         centred(430, (215, "reported"), (275, "merger")), ruling((195, 453, 296, 453)), figures(414, *SALES)],
        [("", "Year ended / as reported", "Year ended / without merger"), *SALES],
    ),
    "months and ranges of years are names": (
        [centred(430, (215, "12/18"), (275, "3-5")), figures(414, *SALES)], [("", "12/18", "3-5"), *SALES]
    ),
    "a year that is the name of a group": (
        [YEARS, figures(414, ("2024:",), ("  First quarter", "5", "4"), ("  Second quarter", "2", "1"))],
        [("", "2024", "2023"), ("2024:", "", ""), ("2024 / First quarter", "5", "4"),
         ("2024 / Second quarter", "2", "1")],
    ),
    "marks of notes beside figures": (
        [YEARS, figures(414, *SALES), words((233,), 417, ("(a)",), size=5)],
        [("", "2024", "2023"), ("Net sales", "$ 1,200 (a)", "$ 1,100"), *SALES[1:]],
    ),
    "a scale of two lines beside the heads": (
        [written(30, 436, "(in millions, except what", size=9), written(30, 426, "is paid per share)", size=9), YEARS,
         figures(410, *SALES)],
        [("(in millions, except what is paid per share)", "2024", "2023"), *SALES],
    ),
    "shades and rules that cross only the figures": (
        [*(shaded_rows(190, 296, y) for y in (410, 382)), ruling((190, 424, 296, 424), (190, 396, 296, 396)), YEARS,
         figures(414, *SALES)],
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


def test_a_scale_above_figures_begins_a_table(drawn):
    rent = [("2025", "$ 9"), ("2026", "8"), ("Later", "7")]
    steps = [centred(430, (215, "2024")), figures(414, *[row[:2] for row in SALES])]
    parsed = drawn(*steps, written(30, 366, "Year", size=9), centred(366, (212, "(In millions)")), figures(352, *rent))
    assert [[table.header, *table.rows] for table in tables(parsed)] == [
        [("", "2024"), *[row[:2] for row in SALES]],
        [("Year", "(In millions)"), *rent],
    ]


def test_figures_named_by_their_columns_go_before_rules_that_frame_parts_of_the_page(drawn):
    rules = ruling(*((30, y, 360, y) for y in (426, 380, 300)))
    steps = [YEARS, figures(414, *SALES), written(30, 360, "What was sold is told below.", size=9)]
    parsed = drawn(rules, *steps, centred(340, (215, "2022"), (275, "2021")), figures(324, *SALES[:2]))
    assert [table.header for table in tables(parsed)] == [("", "2024", "2023"), ("", "2022", "2021")]


def test_years_at_the_top_of_several_pages_are_no_running_head(drawn):
    steps = []
    for number in range(3):
        rows = [(f"{label} {number}", *rest) for label, *rest in SALES]
        steps += [centred(445, (215, "2024"), (275, "2023")), figures(430, *rows), written(30, 300, f"{number}."), NEXT]
    assert [table.header for table in tables(drawn(*steps))] == [("", "2024", "2023")] * 3


def test_figures_are_typed_with_their_scale_and_sums(drawn):
    rows = [("Sales:", "", ""), ("  Oil", "5", "(4)"), ("  Total sales", "5", "(4)")]
    parsed = drawn(written(30, 430, "($ in millions)", size=9), YEARS, figures(414, *rows))
    (table,) = typed_tables(parsed.components, {})
    assert (table.scale, table.totals) == ("in millions", {2})
    assert [column.values for column in table.columns[1:]] == [(None, 5.0, 5.0), (None, -4.0, -4.0)]
