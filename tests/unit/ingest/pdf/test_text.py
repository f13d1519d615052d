import pytest
from fixtures.drawn_pdf import NEXT, lines, written
from fixtures.parsed import shown, texts

from backtrail.ingest.pdf.fragments import joined, read_fragments, read_rows
from backtrail.ingest.pdf.geometry import UPRIGHT, Frame
from backtrail.ingest.pdf.glyphs import Glyph, stand_vertical


def glyphs(text, x, y, *, width=8.0, size=10.0, step=None):
    """Letters from left to right; with a step, one below the other."""
    placed = []
    for number, letter in enumerate(text):
        left, base = (x + number * width, y) if step is None else (x, y + number * step)
        box = (left, base - 0.8 * size, left + width, base + 0.2 * size)
        placed.append(Glyph(letter, *box, base, size, False, UPRIGHT, False, 0))
    return placed


def raised(sheet):
    end = 40 + sheet.stringWidth("The area is 42 km", "Helvetica", 10)
    for x, y, text, size in ((40, 400, "The area is 42 km", 10), (end, 404, "2", 6), (end + 8, 400, "in all,", 10)):
        lines(sheet, x, y, text, size=size)
    lines(sheet, 40, 388, "as was measured.")


def narrow(sheet):
    place = 40.0
    sheet.setFont("Times-Roman", 10)
    for word in ("Percentage", "of", "Total", "Assets"):
        sheet.drawString(place, 400, word)
        place += sheet.stringWidth(word, "Times-Roman", 10) + 1.6  # the f of Times leans over its own width


READ = {
    "narrow spaces": ([narrow], ["Percentage of Total Assets"]),
    "a hyphen goes unless the word has one": (
        [
            written(
                40, 460, "The long-term plan of the basin was to build a har-", "bour and to keep the long-",
                "term costs low, which the peo-", "ple of the valley had asked for.",
            )
        ],
        ["The long-term plan of the basin was to build a harbour and to keep the long-term costs low, which the people "
         "of the valley had asked for."],
    ),
    "a paragraph goes on on the next page past a footnote": (
        [
            written(40, 460, "The survey of the upper valley took eleven years,1 and those who"),
            written(40, 60, "1 It was broken off twice.", size=7),
            NEXT,
            written(40, 460, "began it did not live to see its end."),
        ],
        ["The survey of the upper valley took eleven years,1 and those who began it did not live to see its end.",
         "1 It was broken off twice."],
    ),
    "raised marks": ([raised], ["The area is 42 km^2 in all, as was measured."]),
    "a list": (
        [written(40, 460, "• sand and stone from the hills,", "• water, and", "• wind.")],
        ["• sand and stone from the hills,\n• water, and\n• wind."],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "found"), READ.values(), ids=READ)
def test_what_is_read_of_lines(drawn, steps, found):
    assert texts(drawn(*steps, title="T")) == found


def test_heads_and_feet_are_read_once_and_page_numbers_with_what_is_beside_them_not_at_all(drawn):
    """The title of a chapter of two pages returns nowhere, and "# 5" is no page number."""

    def draw(sheet):
        for page in range(1, 6):
            lines(sheet, 40, 485, f"Annual Report  {page + 8}", size=8)
            lines(sheet, 40, 400, f"What stands on page {page} is kept, and so is chapter {page * page}.")
            lines(sheet, 40, 30, f"# {page}" if page == 5 else f"Page {page} ends.")
            lines(sheet, 40, 15, str(page), size=8)
            lines(sheet, 250, 15, f"Chapter {'ABCDE'[page - 1]} of it", size=8)
            sheet.showPage()

    said = " ".join(texts(drawn(draw, title="T")))
    assert said.count("Annual Report") == 1, "a head is read once"
    assert "of it" not in said
    assert all(f"page {n} is kept, and so is chapter {n * n}." in said for n in range(1, 6))

    def minutes(sheet):
        for page in range(8):
            lines(sheet, 40, 485, f"Minutes of {3 if page < 4 else 17} May", size=8)
            lines(sheet, 40, 400, f"Item {'abcdefgh'[page]} was read.")
            lines(sheet, 40, 15, "Printed 16:21 May 05, 2020", size=8)
            lines(sheet, 250, 15, "VerDate May 04, 2020", size=8)
            sheet.showPage()

    said = " ".join(texts(drawn(minutes, title="T")))
    assert [said.count(f"Minutes of {day} May") for day in (3, 17)] == [1, 1]
    assert said.count("Printed") == 1, "days of printing name no columns"
    address = written(40, 485, "Acme Limited, River Street 4", size=8)
    letter = drawn(address, written(40, 400, "A letter."), NEXT, written(40, 400, "And more."), address, title="T")
    assert " ".join(texts(letter)).count("Acme") == 2, "two pages have no running heads"


def test_letters_drawn_twice_and_letter_spacing(drawn):
    def spaced(sheet):
        sheet.setFont("Helvetica-Bold", 14)
        sheet.drawString(40, 400, "SPACED HEADING", charSpace=4)

    doubled = [written(40 + shift, 460, "Doubled letters, all of them", size=14) for shift in (0, 0.4)]
    steps = [*doubled, written(40, 430, "What follows a heading."), spaced, written(40, 380, "What follows that one.")]
    parsed = drawn(*steps, title="What follows a heading")
    assert [component.section for component in parsed.components] == ["Doubled letters, all of them", "SPACED HEADING"]


def test_text_up_the_margin_stands_apart_and_pages_shown_turned_are_upright(drawn):
    def draw(sheet):
        sheet.saveState()
        sheet.translate(20, 100)
        sheet.rotate(90)
        sheet.drawString(0, 0, "stamp of the archive")
        sheet.restoreState()
        lines(sheet, 40, 300, "The text of the page runs as usual.")
        sheet.showPage()
        sheet.setPageRotation(90)
        lines(sheet, 40, 300, "This page is turned.")

    parsed = drawn(draw, title="T")
    assert texts(parsed) == ["The text of the page runs as usual.", "stamp of the archive", "This page is turned."]
    up, turned = parsed.components[1].locator, parsed.components[2].locator
    assert up.box[0] < 25
    assert up.box[3] - up.box[1] > 90
    assert turned.box[3] - turned.box[1] > 70  # shown, its line runs down the page


def test_right_to_left_lines_with_a_number():
    # as pdfium gives them: letters in the order in which they are read, from the right
    letters = [*glyphs("רהנ", 76, 50)[::-1], *glyphs("1987", 40, 50), *glyphs("םיה", 10, 50)[::-1]]
    (row,) = read_rows(read_fragments(letters))
    assert joined(row.fragments) == "נהר 1987 הים"


def test_upright_letters_below_each_other_read_downwards_from_the_right():
    frame = Frame(1, 0, 0, 1, 0, 0, 400, 500)
    letters = [*glyphs("川は山", 300, 100, width=10, step=12), *glyphs("から海", 280, 100, width=10, step=12)]
    stand_vertical(letters, frame)
    rows = read_rows(read_fragments(letters))
    assert [joined(row.fragments) for row in rows] == ["川は山", "から海"]
    latin = [*glyphs("Nile", 300, 100, step=12), *glyphs("AB", 200, 100, step=12)]
    stand_vertical(latin, frame)
    assert {glyph.turn for glyph in latin} == {UPRIGHT}, "latin letters stay as they are"


def test_headings_by_number_weight_and_size(drawn):
    headings = [("1 Basins", 14, ""), ("1.1 Slopes", 10, "-Bold"), ("Summary of it", 10, "-Bold"), ("2 Mouths", 14, "")]
    steps = []
    for number, (text, size, weight) in enumerate(headings):
        steps.append(written(40, 470 - 40 * number, text, size=size, font=f"Helvetica{weight}"))
        steps.append(written(40, 450 - 40 * number, f"The paragraph of {text}."))
    assert [section for section, _ in shown(drawn(*steps, title="The paragraph"))] == [
        "1 Basins", "1 Basins > 1.1 Slopes", "1 Basins > Summary of it", "2 Mouths",
    ]  # fmt: skip
