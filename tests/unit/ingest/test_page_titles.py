"""What pages of Markdown are called: by their top heading, by a lower one that opens them, by their file at last."""

import pytest

from backtrail.ingest.markdown.parse import parse_markdown
from backtrail.ingest.sites.page_heads import read_head


@pytest.fixture
def titles(tmp_path):
    def of(text, name="oars.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return parse_markdown(path, name, tmp_path).document.title, read_head(path).title

    return of


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Of ash.\n\n## Blades\n\nx\n\n# Oars\n", "Oars"),
        ("## Long oars\n\nOf ash.\n\n## Blades\n", "Long oars"),
        ("<!-- a remark -->\n![](a.png)\n\n### Long oars\n\nx", "Long oars"),
        ("Oars\n====\n\n## Blades\n\nx", "Oars"),
    ],
)
def test_a_heading_that_names_the_page(titles, text, title):
    assert titles(text) == (title, title)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("long-oars.md", "Long oars"),
        ("rowing/index.md", "rowing"),
        ("white_water/README.md", "White water"),
        ("index.md", "index"),
        ("API_notes.md", "API notes"),
    ],
)
def test_a_page_whose_headings_stand_behind_text_is_called_by_its_file(titles, name, title):
    assert titles("Of ash.\n\n## Blades\n\nx\n", name) == (title, "")
