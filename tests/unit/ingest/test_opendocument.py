import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from backtrail.ingest.discover import Source
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.kinds import kind_of
from backtrail.ingest.opendocument.parse import parse_odp, parse_odt
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.parsing.file import parse_file

NAMES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"'
    for short, long in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("style", "style"),
        ("svg", "svg-compatible"), ("fo", "xsl-fo-compatible"), ("presentation", "presentation"),
    )
)  # fmt: skip
NAMES += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
STYLES = """<style:style style:name="P1" style:parent-style-name="Title"/>
<style:style style:name="P4" style:parent-style-name="Caption"/>
<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="S"><style:text-properties style:text-position="super 58%"/></style:style>"""
Make = Callable[..., ParsedDocument]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    """Write a file of some contents and parse it: a text, or a presentation."""

    def make(content: str, kind: str = "text", parts: dict[str, bytes] | None = None) -> ParsedDocument:
        path = tmp_path / ("pump notes.odt" if kind == "text" else "pump talk.odp")
        root = f"<office:document-content {NAMES}><office:automatic-styles>{STYLES}</office:automatic-styles>"
        whole = f"{root}<office:body><office:{kind}>{content}</office:{kind}></office:body></office:document-content>"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
            archive.writestr("content.xml", whole)
            for name, part in (parts or {}).items():
                archive.writestr(name, part)
        return (parse_odt if kind == "text" else parse_odp)(path, path.name)

    return make


def told(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(one.section, one.text) for one in parsed.components if one.text is not None]


def test_headings_paragraphs_and_lists(made):
    parsed = made("""<text:p text:style-name="P1">On Pumps</text:p>
<text:h text:outline-level="1">Wells</text:h>
<text:p>A <text:span>deep</text:span><text:s/>one.<text:line-break/>Two.</text:p>
<text:h text:outline-level="2">Depth</text:h>
<text:list><text:list-item><text:p>Dig</text:p></text:list-item><text:list-item><text:p>Line
</text:p><text:list><text:list-item><text:p>with brick</text:p></text:list-item></text:list>
</text:list-item></text:list>
<text:table-of-content><text:index-body><text:p>Wells 1</text:p></text:index-body></text:table-of-content>
<text:section><text:p>In a section.</text:p></text:section>""")
    assert parsed.document.title == "On Pumps"
    assert told(parsed)[0] == ("Wells", "A deep one. Two.")
    assert {section for section, _ in told(parsed)[1:]} == {"Wells > Depth"}
    listed, rest = (text for _, text in told(parsed)[1:])
    assert [line.strip(" -1234567890.") for line in listed.splitlines()] == ["Dig", "Line", "with brick"]
    assert rest == "In a section."


def test_tables_with_spans_repeats_header_rows_and_captions(made):
    parsed = made("""<text:p text:style-name="P4">Table 1: Stock</text:p><table:table>
<table:table-header-rows><table:table-row><table:table-cell><text:p>Pump</text:p></table:table-cell><table:table-cell
 table:number-columns-spanned="2"><text:p>Litres</text:p></table:table-cell><table:covered-table-cell/></table:table-row>
</table:table-header-rows><table:table-row><table:table-cell><text:p>A 1</text:p></table:table-cell><table:table-cell
 table:number-columns-repeated="2"><text:p>7</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/>
</table:table-row></table:table>""")
    (table,) = (one.table for one in parsed.components if one.table is not None)
    assert table.caption == "Table 1: Stock"
    assert table.header == ("Pump", "Litres")
    assert [row for row in table.rows if any(row)] == [("A 1", "7")]


def test_notes_links_pictures_and_frames(made, picture):
    parsed = made(
        """<text:p>See<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>
<text:p>Said in May.</text:p></text:note-body></text:note> <text:a xlink:href="https://e.org/a">there</text:a>
<office:annotation><dc:creator>Ann</dc:creator><text:p>Is it?</text:p></office:annotation>.</text:p>
<text:p><draw:frame><draw:image xlink:href="./Pictures/a.png"/><svg:desc>A well</svg:desc></draw:frame></text:p>
<text:p text:style-name="P4">Figure 1: The well</text:p>
<text:p>9 m<text:span text:style-name="S">2</text:span> beside
 <draw:frame><draw:text-box><text:p>Boxed words.</text:p></draw:text-box></draw:frame>it.</text:p>
<text:tracked-changes><text:changed-region><text:deletion><text:p>Gone.</text:p></text:deletion></text:changed-region>
</text:tracked-changes>""",
        parts={"Pictures/a.png": picture()},
    )
    assert told(parsed) == [
        ("", "See[1] there ."), ("", "9 m^2 beside it."), ("", "Boxed words."), ("Footnotes", "[1] Said in May."),
    ]  # fmt: skip
    assert [(link.target, link.kind) for link in parsed.components[0].links][-1] == ("https://e.org/a", "external")
    (image,) = (one.image for one in parsed.components if one.image is not None)
    assert (image.caption, image.alt) == ("Figure 1: The well", "A well")
    assert [one.reason for one in parsed.skipped] == ["1 passages that are marked as deleted were left out"]


def test_numbers_of_an_embedded_chart_are_a_table_and_a_formula_is_text(made):
    row = (
        "<table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell><table:table-cell><text:p>{}</text:p>"
    )
    rows = "".join(
        f"{row.format(*cells)}</table:table-cell></table:table-row>" for cells in (("Year", "Floods"), (1, 3))
    )
    chart = f"<office:document-content {NAMES}><table:table>{rows}</table:table></office:document-content>"
    formula = b'<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>'
    parsed = made(
        "".join(f'<text:p><draw:frame><draw:object xlink:href="./Object {n}"/></draw:frame></text:p>' for n in (1, 2)),
        parts={"Object 1/content.xml": chart.encode(), "Object 2/content.xml": formula},
    )
    assert parsed.components[1].text == "x^2"
    assert [cell for row in parsed.components[0].table.rows for cell in row][-2:] == ["1", "3"]


def test_slides_are_sections_with_their_notes(made):
    frame = '<draw:frame svg:y="{}cm" presentation:class="{}"><draw:text-box>{}</draw:text-box></draw:frame>'
    parsed = made(
        f"""<draw:page draw:name="page1">{frame.format(1, "title", "<text:p>Deep wells</text:p>")}
{frame.format(5, "", "<text:p>In ten steps</text:p>")}{frame.format(9, "subtitle", "<text:p>By Ann</text:p>")}
<presentation:notes>{frame.format(1, "notes", "<text:p>Smile.</text:p>")}</presentation:notes></draw:page>
<draw:page>{frame.format(1, "outline", "<text:list><text:list-item><text:p>Dig</text:p></text:list-item></text:list>")}
</draw:page>""",
        "presentation",
    )
    assert parsed.document.title == "Deep wells"
    assert told(parsed) == [
        ("Deep wells", "In ten steps"), ("Deep wells", "By Ann"), ("Deep wells > Speaker notes", "Smile."),
        ("Slide 2", parsed.components[-1].text),
    ]  # fmt: skip
    assert [one.locator.slide for one in parsed.components] == [1, 1, 1, 2]
    assert parsed.fragments["page1"] == parsed.fragments["slide-1"] == parsed.components[0].id


def test_what_is_nested_too_deeply_is_told_and_other_contents_are_refused(made):
    deep = "<text:section>" * 40 + "<text:p>deep</text:p>" + "</text:section>" * 40
    assert "more than 20 levels" in made(f"<text:p>above</text:p>{deep}").skipped[0].reason
    with pytest.raises(UnreadableSource, match="no text in content"):
        made("", "presentation").document and parse_odt(Path(made("", "presentation").document.source), "x")


@pytest.mark.parametrize(("kind", "ending"), [("text", ".odt"), ("presentation", ".odp")])
def test_a_file_is_read_as_what_it_is_whatever_it_is_called(made, tmp_path, kind, ending):
    content = "<text:p>Words.</text:p>" if kind == "text" else "<draw:page><draw:custom-shape><text:p>Words.</text:p>"
    content += "" if kind == "text" else "</draw:custom-shape></draw:page>"
    path = Path(made(content, kind).document.source)
    assert kind_of(path) == ending.removeprefix(".")
    renamed = path.rename(tmp_path / "named.docx")
    (parsed,) = parse_file(Source("word", renamed, "named.docx", tmp_path))
    assert isinstance(parsed, ParsedDocument)
    assert parsed.components[0].text == "Words."


def test_a_file_that_is_locked_with_a_password_says_so(made):
    manifest = b"<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    with pytest.raises(UnreadableSource, match=r"locked with a password\. Save a copy without"):
        made("<text:p>Words.</text:p>", parts={"META-INF/manifest.xml": manifest})
