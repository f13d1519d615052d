from __future__ import annotations

import pytest
from fixtures.drawn_pdf import lines

BODY = (
    "What the text says is set in the size of a text, over some lines that are",
    "as wide as the page is, so that it reads as a paragraph and as nothing else.",
)


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("Real One", "Real One"),
        ("untitled", "Some text of it"),
        ("Microsoft Word - Memo", "Some text of it"),
        ("Microsoft Word - Some text", "Some text"),
        ("a.docx", "Some text of it"),
        ("Flows.graffle", "Some text of it"),
        ("0000320193-22-000070", "Some text of it"),
        ("4224", "Some text of it"),
        ("SampleContract-Shuttle", "Some text of it"),
        ("PowerPoint-Präsentation", "Some text of it"),
        ("Text", "Text"),
        ("H. R. 1904", "H. R. 1904"),
    ],
)
def test_what_the_properties_give_is_no_title_where_it_is_a_number_or_the_name_of_a_file(drawn, given, title):
    assert drawn(lambda sheet: lines(sheet, 40, 400, "Some text of it"), title=given).document.title == title


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("", "Tables of Input and Output"),
        ("In brief", "Tables of Input and Output"),
        ("a_b.tex", "Tables of Input and Output"),
        ("Tables of Input", "Tables of Input"),
    ],
)
def test_the_largest_line_at_the_top_is_the_title_unless_the_properties_give_one_that_the_page_says(
    drawn, given, title
):
    def draw(sheet):
        lines(sheet, 40, 480, "Office of Records  17", size=8)
        lines(sheet, 40, 440, "Tables of Input", "and Output", size=24)
        lines(sheet, 40, 380, *BODY)
        lines(sheet, 40, 300, "Further down", size=24)
        lines(sheet, 40, 280, *BODY)

    assert drawn(draw, title=given).document.title == title


def test_a_name_at_the_head_of_a_page_goes_with_what_the_page_is(drawn):
    def draw(sheet):
        lines(sheet, 40, 470, "Acme Ltd.", size=26)
        lines(sheet, 250, 430, "Invoice", size=22)
        lines(sheet, 40, 400, "Bill to:")
        lines(sheet, 40, 370, "Jane Doe", size=28)
        lines(sheet, 40, 300, *BODY)
        lines(sheet, 40, 100, "Please keep this", size=30)

    parsed = drawn(draw)
    assert parsed.document.title == "Acme Ltd. – Invoice"
    assert {component.section for component in parsed.components} <= {"", "Jane Doe"}


@pytest.mark.parametrize(
    "line", ["Page 1 of 3", "xyxyxyxyxyx", "$ 40.00", "October 23, 2014", "(Per cent)", "see below"]
)
def test_a_file_without_a_title_has_its_name(drawn, line):
    def draw(sheet):
        lines(sheet, 40, 470, line, size=20)
        lines(sheet, 40, 200, *BODY)

    assert drawn(draw).document.title == "File name"


def test_what_a_title_page_says_of_a_year_is_text_too(drawn):
    def draw(sheet):
        lines(sheet, 40, 460, "The Address", size=24)
        lines(sheet, 40, 420, "A Speech at Gettysburg, November 19, 1863", size=14)
        lines(sheet, 40, 380, *BODY)

    parsed = drawn(draw)
    assert parsed.document.title == "The Address"
    assert [(one.section, one.text) for one in parsed.components] == [
        ("", "A Speech at Gettysburg, November 19, 1863"),
        ("A Speech at Gettysburg, November 19, 1863", "\n".join(BODY)),
    ]
