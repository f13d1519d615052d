import pytest

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.markdown.parse import parse_markdown


@pytest.fixture
def note(tmp_path):
    def parse(text, name="docs/note.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return parse_markdown(path, name, tmp_path)

    return parse


def test_everything_that_a_page_has(note, picture, tmp_path):
    (tmp_path / "p q.png").write_bytes(picture())
    parsed = note(
        "# Rivers\n\nText with [a link](../other.md#some-part) and `code`.\n\n## The *Big* ones!\n\n"
        '| Name | km |\n|---|---|\n| [Nile](nile.md) | 6650 |\n\n![Delta](<../p q.png> "Ti")\n\n- one\n- two\n\n'
        "<p id=raw>raw <b>html</b></p>\n\n## The Big ones!\n\n```\nx = 1\n```\n"
    )
    text, table, image, items, raw, code = parsed.components
    assert parsed.document.title == "Rivers"
    assert (text.text, text.section) == ("Text with a link and code.", "")
    assert [(link.target, link.component) for link in text.links] == [("other.md", "some-part")]
    assert (table.table.header, table.table.rows) == (("Name", "km"), (("Nile", "6650"),))
    assert [(link.target, link.row, link.column) for link in table.links] == [("docs/nile.md", 0, 0)]
    assert table.section == "The Big ones!"
    assert (image.image.alt, image.image.title) == ("Delta", "Ti")
    assert image.image.blob in parsed.blobs
    assert (items.text, raw.id, raw.text, code.text) == ("one\ntwo", "docs/note.md#raw", "raw html", "x = 1")
    assert parsed.fragments["the-big-ones"] == table.id
    assert parsed.fragments["the-big-ones-1"] == code.id


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('---\ntags: [a]\ntitle: "From: front"\n---\n# Head\n\nx', "From: front"),
        ("---\r\ntitle: Plain\r\n---\r\nx", "Plain"),
        ("+++\ntitle = 'Toml'\n+++\nx", "Toml"),
        ("---\ntags: a\n---\n# Head\n\nx", "Head"),
        ("x", "note"),
        ("---\n\ntitle: no front matter, a rule", "note"),
    ],
)
def test_titles(note, text, title):
    assert note(text).document.title == title


def test_front_matter_is_no_text_but_for_its_author(note):
    assert [c.text for c in note("---\ntitle: T\ntags: [a]\n---\nbody").components] == ["body"]
    parsed = note('---\ntitle: T\nauthor: "[Ann](https://e.org), Bo"\ndate: 2025-12-17\n---\nbody\n\n## Part\n\nend')
    assert [(c.section, c.text) for c in parsed.components] == [
        ("", "body"), ("Part", "end"), ("", "By Ann, Bo, 2025-12-17")
    ]  # fmt: skip
    assert parsed.document.summary.startswith("T. body")


def test_scripts_in_markdown_are_harmless(note):
    parsed = note("<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![y](file:///etc/passwd)\n")
    assert all(not component.links for component in parsed.components)
    assert parsed.blobs == {}


def test_deep_nesting(note):
    assert note("> " * 5000 + "deep").document.title == "note"


def test_binary_files_are_refused(tmp_path):
    path = tmp_path / "x.md"
    path.write_bytes(b"\0\1\2")
    with pytest.raises(UnreadableSource, match="Markdown"):
        parse_markdown(path, "x.md", tmp_path)
