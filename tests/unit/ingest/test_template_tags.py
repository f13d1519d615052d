"""Tags of a site's own in Liquid and the like: their words and addresses are read, and none tears HTML apart."""

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse


@pytest.fixture
def read(tmp_path):
    def parse_page(text, **others):
        for name, content in {"page.md": text, **others}.items():
            (tmp_path / name.replace("__", "/")).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name.replace("__", "/")).write_text(content)
        entries = [entry for source in discover([tmp_path]) for entry in parse(source)]
        return next(entry for entry in entries if entry.document.id == "page.md")

    return parse_page


@pytest.mark.parametrize("tag", ['{% channel "garden" %}', '{% if site.open == "yes" %}', "{# a remark #}"])
def test_a_tag_alone_in_a_cell_does_not_end_the_table(read, tag):
    page = read(
        f"<table>\n  <tr>\n    <td>\n      {tag}\n    </td>\n    <td>one</td>\n  </tr>\n  <tr>\n"
        "        <td class='x'>two</td>\n        <td>three</td>\n  </tr>\n</table>\n\nEnd.\n"
    )
    table, end = page.components
    assert table.table.rows == (("garden" if "garden" in tag else "", "one"), ("two", "three"))
    assert end.text == "End."


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('Ask in {% channel "garden" %} first.', "Ask in garden first."),
        ("Ask {% channel 'beds', \"The beds\" %} first.", "Ask beds The beds first."),
        ('{% set month = "May" %}In {% youtube "aZ9" %} spring {% x y="z a" %}.', "In spring ."),
        ('See {% page "/none/here/" %} now.', "See now."),
        ('One\n{% channel "garden" %}\ntwo', "One garden two"),
        ('`{% channel "garden" %}`', '{% channel "garden" %}'),
    ],
)
def test_words_of_tags(read, written, said):
    assert [part.text for part in read(written).components] == [said]


def test_addresses_pictures_and_blocks_of_tags(read):
    page = read(
        '[beds]({% page "beds/roses#prune" %}), {% page "beds/roses" %}; <a href="{% at "/beds/roses/" %}">c</a>.\n\n'
        '{% picture "rose.png" "A [red] rose" %}\n\n{% details "Soil" %}\nLoam.\n{% enddetails %}\n\nEnd.\n',
        **{"beds__roses.md": "# Roses\n\n## Prune\n\nIn March."},
    )
    text, image, soil, end = page.components
    assert text.text == "beds, Roses; c."
    assert [(link.target, link.component) for link in text.links] == [
        ("beds/roses.md", "prune"), ("beds/roses.md", None), ("beds/roses.md", None),
    ]  # fmt: skip
    assert image.image.alt == "A (red) rose"
    assert (soil.section, soil.text, end.section) == ("Soil", "Loam.", "")
    assert page.left_out["tag picture (its arguments are shown)"] == 1
