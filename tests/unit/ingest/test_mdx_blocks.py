"""HTML and Markdown within JSX, as MDX has it: nothing indented is code, and what stands between tags is Markdown."""

import pytest

from backtrail.ingest.markdown.parse import parse_markdown


@pytest.fixture
def read(tmp_path):
    def parse(text, name="page.mdx"):
        (tmp_path / name).write_text(text)
        return parse_markdown(tmp_path / name, name, tmp_path)

    return parse


INDENTED = """
# Boats

<div className="wide">
  ## Oars
  <Admonition type="info">
      <p>Only of **ash**.</p>
  </Admonition>
    <table>
      <tr>
        <td>Length</td>
        <td>
          <input type="text" value="4" />
        </td>
      </tr>
      <tr>
        <td>Weight</td>
        <td>four pounds</td>
      </tr>
    </table>
      - one
      - two
</div>

<Tabs>
<TabItem value="lake" label="Lake">

    Row.

</ TabItem>
</ Tabs>

End.
"""


def test_what_is_indented_in_jsx_is_read_as_what_it_is(read):
    page = read(INDENTED)
    admonition, table, items, row, end = page.components
    assert (admonition.section, admonition.text) == ("Oars > Info", "Only of **ash**.")
    assert table.table.rows == (("Length", ""), ("Weight", "four pounds"))
    assert (items.section, items.text) == ("Oars", "one\ntwo")
    assert [(part.section.rpartition(" > ")[2], part.text) for part in (row, end)] == [
        ("Lake", "Row."),
        ("Oars", "End."),
    ]


def test_indented_code_of_markdown_stays_code(read):
    (text,) = read("    <p>x</p>\n", "page.md").components
    assert text.text == "<p>x</p>"


@pytest.mark.parametrize("written", ['<DeviceImage device="oar.svg" alt="A long oar" />', '<Photo alt="A long oar" />'])
def test_a_component_with_an_alternative_text_is_a_picture(read, written):
    (image,) = read(f"# A\n\n{written}\n").components
    assert (image.modality, image.image.alt) == ("image", "A long oar")
