import pytest
from fixtures.parsed import shown, tables, texts

from backtrail.ingest.markdown import bounded_marks
from backtrail.ingest.markdown.bounded_marks import OF_PAGE, OF_PARAGRAPH
from backtrail.ingest.sites.page_heads import read_head


def test_everything_that_a_page_has(note, picture, tmp_path):
    (tmp_path / "p q.png").write_bytes(picture())
    parsed = note(
        "# Rivers\n\nText with [a link](../other.md#some-part) and `code`.\n\n## The *Big* ones!\n\n"
        '| Name | km |\n|---|---|\n| [Nile](nile.md) | 6650 |\n\n![Delta](<../p q.png> "Ti")\n\n- one\n- two\n\n'
        "<p id=raw>raw <b>html</b></p>\n\n## The Big ones!\n\n```\nx = 1\n```\n",
        "docs/note.md",
    )
    text, table, image, _, raw, code = parsed.components
    assert parsed.document.title == "Rivers"
    big = "The Big ones!"
    assert shown(parsed) == [
        ("", "Text with a link and code."), (big, (("Name", "km"), ("Nile", "6650"))), (big, "Delta"),
        (big, "one\ntwo"), (big, "raw html"), (big, "x = 1"),
    ]  # fmt: skip
    assert [(link.target, link.component) for link in text.links] == [("other.md", "some-part")]
    assert [(link.target, link.row, link.column) for link in table.links] == [("docs/nile.md", 0, 0)]
    assert image.image.title == "Ti"
    assert image.image.blob in parsed.blobs
    assert raw.id == "docs/note.md#raw"
    assert parsed.fragments["the-big-ones"] == table.id
    assert parsed.fragments["the-big-ones-1"] == code.id


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('---\ntags: [a]\ntitle: "From: front"\n---\n# Head\n\nx', "From: front"),
        ("---\r\ntitle: Plain\r\n---\r\nx", "Plain"),
        ("+++\ntitle = 'Toml'\n+++\nx", "Toml"),
        ("---\n\ntitle: no front matter, a rule", "note"),
        ("## A\n\n# The `real` one\n\nx", "The real one"),
    ],
)
def test_titles(note, text, title):
    assert note(text).document.title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Of ash.\n\n## Blades\n\nx\n\n# Oars\n", "Oars"),
        ("<!-- a remark -->\n![](a.png)\n\n### Long oars\n\nx", "Long oars"),
        ("Oars\n====\n\n## Blades\n\nx", "Oars"),
    ],
)
def test_a_heading_names_the_page_and_links_that_lead_to_it(note, tmp_path, text, title):
    assert note(text).document.title == read_head(tmp_path / "note.md").title == title


def test_front_matter_is_no_text_but_for_its_author(note):
    assert texts(note("---\ntitle: T\ntags: [a]\n---\nbody")) == ["body"]
    parsed = note('---\ntitle: T\nauthor: "[Ann](https://e.org), Bo"\ndate: 2025-12-17\n---\nbody\n\n## Part\n\nend')
    assert shown(parsed) == [("", "body"), ("Part", "end"), ("", "By Ann, Bo, 2025-12-17")]
    assert parsed.document.summary.startswith("T. body")


def test_paragraphs_and_pages_of_very_many_links_keep_their_words_and_say_what_is_left_out(note, monkeypatch):
    parsed = note("Before [one](b.md).\n\n" + "[pump](b.md) " * (OF_PARAGRAPH + 1))
    first, second = parsed.components
    assert [link.target for link in first.links] == ["b.md"]
    assert second.links == ()
    assert second.text == " ".join(["pump"] * (OF_PARAGRAPH + 1))
    assert parsed.left_out == {"marks of a paragraph with more than 20,000": 1}
    monkeypatch.setattr(bounded_marks, "OF_PARAGRAPH", OF_PARAGRAPH // 100)
    monkeypatch.setattr(bounded_marks, "OF_PAGE", OF_PAGE // 100)
    paragraphs = OF_PAGE // OF_PARAGRAPH + 2
    parsed = note("\n\n".join("[a](b.md) " * (OF_PARAGRAPH // 100) for _ in range(paragraphs)))
    assert [bool(one.links) for one in parsed.components] == [True] * (paragraphs - 2) + [False] * 2


ROWS = "| a |\n|---|\n| 1 |\n"
LONG = "Table 2 shows what we found; it is long. " * 12


@pytest.mark.parametrize(
    ("text", "captions", "rest"),
    [
        (f"Table 3-1: One\n\n{ROWS}\n\nTable 3-2: Two\n\n{ROWS}\n\nT.", ["Table 3-1: One", "Table 3-2: Two"], ["T."]),
        (f"T.\n\n{ROWS}\n\nTable 1. One\n\n{ROWS}\n\nTable 2. Two\n", ["Table 1. One", "Table 2. Two"], ["T."]),
        (f"Tabelle 4: Größen\n\n{ROWS}", ["Tabelle 4: Größen"], []),
        (f"{LONG}\n\n{ROWS}", [""], [LONG.strip()]),
        (f"The table below lists\n\n{ROWS}", [""], ["The table below lists"]),
    ],
)
def test_captions_of_tables_stand_above_or_below_them(note, text, captions, rest):
    parsed = note(text)
    assert ([table.caption for table in tables(parsed)], texts(parsed)) == (captions, rest)
