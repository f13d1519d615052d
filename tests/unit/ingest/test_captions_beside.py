import pytest

from backtrail.ingest.markdown.parse import parse_markdown

TABLE = "| a |\n|---|\n| {} |\n"


@pytest.fixture
def captions(tmp_path):
    def read(text):
        path = tmp_path / "x.md"
        path.write_text(text, encoding="utf-8")
        parsed = parse_markdown(path, "x.md", tmp_path)
        tables = [part.table.caption for part in parsed.components if part.table]
        return tables, [part.text for part in parsed.components if part.text]

    return read


def test_above_and_below(captions):
    above = f"Table 3-1: One\n\n{TABLE.format(1)}\n\nTable 3-2: Two\n\n{TABLE.format(2)}\n\nText."
    assert captions(above) == (["Table 3-1: One", "Table 3-2: Two"], ["Text."])
    below = f"Text.\n\n{TABLE.format(1)}\n\nTable 1. One\n\n{TABLE.format(2)}\n\nTable 2. Two\n"
    assert captions(below) == (["Table 1. One", "Table 2. Two"], ["Text."])


@pytest.mark.parametrize(
    "caption",
    [
        "Table A.1 – Sizes",
        "Tabelle 4: Größen",
        "*Table: Sizes*",
        '<span class="caption">Table 21-1: X</span>',
        "表 1 大小",
    ],
)
def test_forms_of_captions(captions, caption):
    assert captions(f"{caption}\n\n{TABLE.format(1)}")[1] == []


@pytest.mark.parametrize(
    "text",
    ["Table 2 shows what we found; it is long. " * 12, "Tables are useful.", "The table below lists", "Figure 1: X"],
)
def test_other_paragraphs_stay(captions, text):
    assert captions(f"{text}\n\n{TABLE.format(1)}") == ([""], [text.strip()])


def test_a_caption_keeps_its_links_and_a_heading_is_no_hindrance(tmp_path):
    path = tmp_path / "x.md"
    path.write_text(
        '## Part\n\n<p id="t1">Table 1: see [b](b.md)</p>\n\n' + TABLE.format(1) + "\nMore.\n", encoding="utf-8"
    )
    parsed = parse_markdown(path, "x.md", tmp_path)
    table = parsed.components[0]
    assert parsed.fragments["t1"] == table.id
    assert table.table.caption == "Table 1: see [b](b.md)"


def test_pictures_have_theirs_below(tmp_path, picture):
    (tmp_path / "p.png").write_bytes(picture())
    (tmp_path / "x.md").write_text("![alt](p.png)\n\nFigure 2-1: The whole\n\nText.")
    image, text = parse_markdown(tmp_path / "x.md", "x.md", tmp_path).components
    assert (image.image.caption, text.text) == ("Figure 2-1: The whole", "Text.")
