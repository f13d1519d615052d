import pytest
from fixtures.parsed import shown, texts
from lxml import html

from backtrail.ingest.plain.is_title import title_on_top
from backtrail.ingest.plain.text import parse_text

TITLE = "Annual report of the lighthouse"
REPORT = f"""{TITLE}
===============================

The lamp was replaced in March. It burns for
nine thousand hours, and the keeper writes
down each of them.

1. Keepers

Two keepers serve the light, see https://light.example/keepers.

1.1 Hours

- Anna: nights
- Jon: days

REPAIRS

The lens      1,200
The stair        90
"""


@pytest.fixture
def parsed(tmp_path):
    def parse(content: str | bytes, name: str = "light_house.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return parse_text(path, name)

    return parse


def test_headings_without_markup_make_sections_and_lists_and_columns_keep_their_lines(parsed):
    document = parsed(REPORT)
    assert document.document.title == TITLE
    assert shown(document) == [
        (TITLE, "The lamp was replaced in March. It burns for nine thousand hours, and the keeper writes down each of "
         "them."),
        (f"{TITLE} > 1. Keepers", "Two keepers serve the light, see https://light.example/keepers."),
        (f"{TITLE} > 1. Keepers > 1.1 Hours", "- Anna: nights\n- Jon: days"),
        (f"{TITLE} > 1. Keepers > REPAIRS", "The lens      1,200\nThe stair        90"),
    ]  # fmt: skip
    (link,) = document.components[1].links
    assert (link.kind, link.target) == ("external", "https://light.example/keepers")


NAMED = {
    "CHAPTER I\n\nIt was in July.\n\nCHAPTER II\n\nIt was in August.\n": (
        "Light house", [("CHAPTER I", "It was in July."), ("CHAPTER II", "It was in August.")]
    ),
    "The Law of the Land\n\nPreamble\n\nWe want this.\n": (
        "The Law of the Land", [("", "The Law of the Land"), ("", "Preamble"), ("", "We want this.")]
    ),
    "All there is\n": ("Light house", [("", "All there is")]),
}  # fmt: skip


def test_a_text_is_called_by_its_first_line_unless_it_is_a_chapter_or_all(parsed):
    for content, (title, found) in NAMED.items():
        document = parsed(content)
        assert (document.document.title, shown(document)) == (title, found)


def test_a_long_run_of_lines_is_divided_where_sentences_end(parsed):
    line = "Sentence number {} of the log says that nothing at all was seen.\n"
    said = texts(parsed("".join(line.format(n) for n in range(400))))
    assert len(said) > 8
    assert all(len(text) < 4_500 and text.endswith(".") for text in said)
    assert "number 399" in said[-1]


def test_encodings_are_named_and_text_encoded_twice_is_put_right(parsed):
    document = parsed("Die Höhe über dem Meer beträgt 12 m.".encode("cp1252"))
    assert texts(document) == ["Die Höhe über dem Meer beträgt 12 m."]
    assert "cp1252" in document.skipped[0].reason
    twice = parsed("He kept the light 1986–1990, “alone”.".encode().decode("latin-1"))
    assert texts(twice) == ["He kept the light 1986–1990, “alone”."]
    assert "3 characters" in twice.skipped[0].reason
    assert texts(parsed("Ã© alone is kept as it is.")) == ["Ã© alone is kept as it is."]


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
