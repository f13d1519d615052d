"""Plain text: its sections and title, its encoding, and files that are another kind than their name says."""

import io
import zipfile

import pytest
from fixtures.parsed import shown, texts
from lxml import html

from backtrail.ingest.discover import discover
from backtrail.ingest.encoding import detect_encoding
from backtrail.ingest.html.source import read_source
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.plain.is_title import title_on_top
from backtrail.ingest.plain.text import parse_text
from backtrail.ingest.report import Problem

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


SAMPLES = {
    "cp1252": "Straße in Köln: Übergänge, naïve Façade für 20 €",
    "cp1250": "Zażółć gęślą jaźń. Łódź jest miastem w Polsce",
    "cp1251": "Москва является столицей России, население растёт",
    "koi8_r": "Москва является столицей России, население растёт",
    "cp1253": "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας",
    "cp1256": "القاهرة هي عاصمة مصر وأكبر مدينة فيها",
    "cp932": "日本語のテキストです。東京は日本の首都です。",
    "gb18030": "北京是中国的首都。这是一个测试文件。",
    "euc_kr": "서울은 대한민국의 수도이다. 이것은 시험이다.",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_words_come_out_of_other_encodings_as_they_went_in_and_a_guess_is_said(name, tmp_path):
    for lines in (3, 20):
        text = "id,text\n" + "\n".join(f"{n},{SAMPLES[name]}" for n in range(lines))
        encoding = detect_encoding(io.BytesIO(text.encode(name)))
        assert encoding.guessed
        assert text.encode(name).decode(encoding.name) == text
    head = "<!doctype html><html><head><link rel=stylesheet href='static/theme.css'></head><body><p class='lead'>"
    lines = f"{SAMPLES[name]}<br>\n" * 3
    (tmp_path / "page.html").write_bytes(f"{head}{lines}</p></body></html>".encode(name))
    text, warning = read_source(tmp_path / "page.html", "HTML page")
    assert SAMPLES[name] in text
    assert [note for note in warning if "a guess" in note] == warning != []


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_what_is_known_is_no_guess(name):
    content = ("id,text\n" + "ä" * 300_000).encode(name)
    stream = io.BytesIO(content)
    encoding = detect_encoding(stream)
    assert (encoding.guessed, encoding.mark) == (False, "")
    assert stream.read().decode(encoding.name).startswith("id,text")
    assert detect_encoding(io.BytesIO(b"abc" * 200_000 + "ä".encode()[:1])).guessed, "a letter breaks off at the end"
    assert detect_encoding(io.BytesIO(b"\x00\xff\x00\x01" * 50)) is None, "it is binary"


def said(path):
    """What is read of a file: the kinds of its components, and what is said of it."""
    (one,) = parse(next(iter(discover([path]))))
    if isinstance(one, Problem):
        return [], one.reason
    assert isinstance(one, ParsedDocument)
    return [component.modality for component in one.components], one.skipped[0].reason


@pytest.mark.parametrize(("name", "kind"), [("scan.txt", "a plain text"), ("cover.epub", "an e-book")])
def test_a_file_that_is_another_kind_than_its_name_says_is_read_as_what_it_is(tmp_path, picture, name, kind):
    (tmp_path / name).write_bytes(picture())
    assert said(tmp_path / name) == (["image"], f"has the extension of {kind} and was read as the picture that it is")


def test_contents_that_are_not_read_are_named(tmp_path):
    for content, reason in ((b"{\\rtf1 Hello}", "an RTF file"), (b"\x1f\x8b\x08" + b"0" * 40, "gzip")):
        (tmp_path / "notes.md").write_bytes(content)
        modalities, problem = said(tmp_path / "notes.md")
        assert (modalities, reason in problem) == ([], True)


def test_an_archive_under_a_wrong_name_is_not_opened(tmp_path):
    with zipfile.ZipFile(tmp_path / "list.csv", "w") as archive:
        archive.writestr("a.txt", "a")
    reason = "has the extension of a delimited table, but is a zip archive of 1 file. Unpack it"
    assert said(tmp_path / "list.csv")[1].startswith(reason)
