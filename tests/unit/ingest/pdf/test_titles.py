import pytest
from fixtures.drawn_pdf import written

BODY = (
    "What the text says is set in the size of a text, over some lines that are",
    "as wide as the page is, so that it reads as a paragraph and as nothing else.",
)
FIRST = "Some text of it"
LARGEST = "Tables of Input and Output"


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("Real One", "Real One"),
        ("untitled", FIRST),
        ("Microsoft Word - Memo", FIRST),
        ("0000320193-22-000070", FIRST),
        ("H. R. 1904", "H. R. 1904"),
    ],
)
def test_what_the_properties_give_is_no_title_where_it_is_a_number_or_the_name_of_a_file(drawn, given, title):
    assert drawn(written(40, 400, FIRST), title=given).document.title == title


@pytest.mark.parametrize(
    ("given", "title"),
    [("", LARGEST), ("In brief", LARGEST), ("a_b.tex", LARGEST), ("Tables of Input", "Tables of Input")],
)
def test_the_largest_line_at_the_top_is_the_title_unless_the_page_says_that_of_the_properties(drawn, given, title):
    parsed = drawn(
        written(40, 480, "Office of Records  17", size=8),
        written(40, 440, "Tables of Input", "and Output", size=24),
        written(40, 380, *BODY),
        written(40, 300, "Further down", size=24),
        written(40, 280, *BODY),
        title=given,
    )
    assert parsed.document.title == title


@pytest.mark.parametrize(
    "line", ["Page 1 of 3", "xyxyxyxyxyx", "$ 40.00", "October 23, 2014", "(Per cent)", "see below"]
)
def test_a_file_without_a_title_has_its_name(drawn, line):
    assert drawn(written(40, 470, line, size=20), written(40, 200, *BODY)).document.title == "File name"


def test_a_file_of_letters_of_no_size_has_its_name(drawn):
    assert drawn(written(40, 200, "(Per cent)", size=0.01)).document.title == "File name"
