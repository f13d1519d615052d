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


def test_ids_in_brackets_behind_headings_are_no_text(read):
    page = read("# Boats [#all-boats]\n\n## Oars `x` [#ruder-größe]\n\n### See [#3]: no id\n\nx\n")
    assert page.document.title == "Boats"
    assert page.components[0].section == "Oars x > See [#3]: no id"
    assert {"all-boats", "ruder-größe"} <= page.fragments.keys()


def test_a_page_is_imported_by_a_path_with_escaped_signs(read, tmp_path):
    from backtrail.ingest.discover import discover
    from backtrail.ingest.parse import parse

    (tmp_path / "_part.mdx").write_text("Of ash.")
    (tmp_path / "page.mdx").write_text('import Part from "./\\_part.mdx";\n\n# A\n\n<Part />\n')
    pages = [entry for source in discover([tmp_path]) for entry in parse(source)]
    (page,) = [entry for entry in pages if entry.document.id == "page.mdx"]
    assert [part.text for part in page.components] == ["Of ash."]
