from __future__ import annotations

import pytest
from lxml import html

from backtrail.ingest.plain.text import parse_text
from backtrail.ingest.plain.title_line import may_be_title, title_on_top


@pytest.mark.parametrize(
    "line", ["The Constitution of the United States", "MUSÉE PICASSO", "Northwind Traders", "Bericht 2014 des Amtes"]
)
def test_short_lines_of_words_may_be_titles(line):
    assert may_be_title(line)


@pytest.mark.parametrize(
    "line",
    [
        "Dear Ann", "It rained all day.", "From: Ann Lee", "# Code : Country", "May 19, 1863", "Monday, 3 May 2019",
        "and what follows", "Berlin", "12 450 13 999", "see https://e.org", "1. First of all", "10115 Berlin",
        "A line that is too long to be the title of anything at all, as it goes on for more than a hundred letters",
    ],
)  # fmt: skip
def test_sentences_greetings_dates_and_values_are_none(line):
    assert not may_be_title(line)


def test_a_text_is_called_by_its_first_line_and_keeps_it(tmp_path):
    path = tmp_path / "us_law.txt"
    path.write_text("The Law of the Land\n\nPreamble\n\nWe the people want this.\n")
    parsed = parse_text(path, "us_law.txt")
    assert parsed.document.title == "The Law of the Land"
    assert parsed.components[0].text == "The Law of the Land"
    path.write_text("All there is\n")
    assert parse_text(path, "us_law.txt").document.title == "Us law"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("<p> </p><p>Northwind Traders</p><p>List</p>", "Northwind Traders"),
        ("<h2>Appendix B</h2><p>a</p><h3>More</h3>", "Appendix B"),
        ("<h2>First part</h2><p>a</p><h2>Second part</h2>", ""),
        ("<table><tr><td>Some words</td></tr></table><p>a</p>", ""),
        ("<p>Northwind Traders</p>", ""),
    ],
)
def test_the_first_line_of_a_document_is_its_title_unless_it_is_one_heading_of_several(body, title):
    assert title_on_top(html.fromstring(f"<body>{body}</body>")) == title
