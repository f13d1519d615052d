"""Bars, curves and their labels, with and without a caption."""

from fixtures.drawn_pdf import framed, lines, words, written
from fixtures.parsed import pictures, tables, texts

PROSE = ("The measures of the eleven years are drawn below, and what they", "mean is said in the text that follows it.")
YEARS = ("first", "second", "third", "fourth", "fifth")
HEIGHTS = (30, 70, 50, 90, 20)


def bars(sheet):
    """Five bars with values above and names below; nothing joins them."""
    for number, (name, height) in enumerate(zip(YEARS, HEIGHTS, strict=True)):
        sheet.rect(80 + 50 * number, 200, 30, height, stroke=0, fill=1)
        lines(sheet, 82 + 50 * number, 190, name, size=7)
        lines(sheet, 90 + 50 * number, 203 + height, str(height), size=7)


def scale(x, *values):
    """Numbers of an axis with a grid line each."""

    def draw(sheet):
        for number, value in enumerate(values):
            sheet.line(x, 200 + 30 * number, x + 240, 200 + 30 * number)
            lines(sheet, x - 12, 197 + 30 * number, str(value), size=7)

    return draw


def test_bars_with_values_and_names_are_one_picture(drawn):
    parsed = drawn(written(40, 460, *PROSE), bars, written(40, 150, *PROSE), title="T")
    ((labels, caption),) = pictures(parsed)
    assert caption == ""
    assert set(labels.replace(";", "").split()) == {*YEARS, *map(str, HEIGHTS)}
    assert texts(parsed) == [" ".join(PROSE)] * 2
    assert tables(parsed) == []


def test_one_curve_beside_an_even_scale_is_a_picture_with_its_legend(drawn):
    def curve(sheet):
        sheet.lines([(90, 210, 150, 280), (150, 280, 310, 240)])
        sheet.rect(120, 178, 6, 6, fill=1)
        lines(sheet, 130, 178, "Flow", size=7)

    parsed = drawn(scale(80, 0, 20, 40, 60), curve, written(40, 130, *PROSE), title="T")
    ((labels, _),) = pictures(parsed)
    assert labels == "60; 40; 20; 0; Flow"
    assert texts(parsed) == [" ".join(PROSE)]


def test_shaded_cells_and_years_are_a_table_and_a_form_is_no_picture(drawn):
    def shaded(sheet):
        sheet.setFillGray(0.8)
        for number in range(1, 5, 2):
            sheet.rect(40, 396 - 14 * number, 300, 14, stroke=0, fill=1)
        sheet.setFillGray(0)

    rows = [("", "2019", "2020", "2021"), *((name, "10", "20", "30") for name in YEARS)]
    parsed = drawn(shaded, words((44, 150, 220, 290), 400, *rows), title="T")
    assert pictures(parsed) == []
    assert len(tables(parsed)) == 1
    fields = [(120, 300 - 20 * number, 60 + 20 * number, 12) for number in range(4)]
    labels = [written(40, 302 - 20 * number, name) for number, name in enumerate(YEARS[:4])]
    assert pictures(drawn(framed(*fields), *labels, title="T")) == []
