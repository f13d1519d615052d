import io
import zipfile

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.word.parse import parse_word

M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


@pytest.fixture
def paper():
    return docx.Document()


@pytest.fixture
def parsed(tmp_path, paper):
    def parse():
        path = tmp_path / "report.docx"
        paper.save(path)
        return parse_word(path, "report.docx")

    return parse


def texts(document):
    return [part.text for part in document.components if part.text]


def add(paragraph, xml):
    paragraph._p.append(parse_xml(xml.replace("<w:", "<w:", 1).replace(">", f" {nsdecls('w')}>", 1)))


def field(paragraph, instruction, shown):
    for xml in ('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', f"<w:r><w:instrText>{instruction}</w:instrText></w:r>",
                '<w:r><w:fldChar w:fldCharType="separate"/></w:r>', f"<w:r><w:t>{shown}</w:t></w:r>",
                '<w:r><w:fldChar w:fldCharType="end"/></w:r>'):  # fmt: skip
        add(paragraph, xml)


def test_headings_make_sections_and_the_title_names_the_document(paper, parsed):
    paper.add_heading("Pumps", 0)
    paper.add_heading("Stock", 1)
    paper.add_heading("North", 2)
    paper.add_paragraph("Two pumps stand in the north.")
    document = parsed()
    assert document.document.title == "Pumps"
    assert [part.section for part in document.components] == ["Stock > North"]


def test_numbers_that_word_computes_are_part_of_headings_and_items(paper, parsed):
    numbering = paper.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for n, (kind, text) in enumerate([("decimal", "%1"), ("decimal", "%1.%2"), ("lowerLetter", "%3)")])
    )
    abstract = f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>'
    numbering.insert(0, parse_xml(abstract))
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="91"><w:abstractNumId w:val="90"/></w:num>'))
    for level, words in [(1, "Pumps"), (2, "Small"), (2, "Large"), (1, "Pipes")]:
        heading = paper.add_heading(words, level)
        number = f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level - 1}"/><w:numId w:val="91"/></w:numPr>'
        heading._p.get_or_add_pPr().append(parse_xml(number))
        if words == "Large":
            item = paper.add_paragraph("of iron")
            item._p.get_or_add_pPr().append(
                parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="2"/><w:numId w:val="91"/></w:numPr>')
            )
        else:
            paper.add_paragraph(f"About {words}.")
    assert [(part.section, part.text) for part in parsed().components] == [
        ("1 Pumps", "About Pumps."), ("1 Pumps > 1.1 Small", "About Small."),
        ("1 Pumps > 1.2 Large", "of iron"), ("2 Pipes", "About Pipes."),
    ]  # fmt: skip


def test_documents_without_heading_styles_have_the_short_bold_lines_as_sections(paper, parsed):
    paper.add_paragraph().add_run("Cleaning").bold = True
    paper.add_paragraph("Wash the lens each week.")
    assert parsed().components[0].section == "Cleaning"


def test_tables_keep_merged_cells_header_rows_and_captions(paper, parsed):
    paper.add_paragraph("Table 1: Pumps in stock", style="Caption")
    table = paper.add_table(4, 3)
    for number, row in enumerate(
        [["Pump", "Litres", ""], ["", "May", "June"], ["A 1", "120", "95"], ["A 1", "4", "5"]]
    ):
        for column, text in enumerate(row):
            table.cell(number, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(2, 0).merge(table.cell(3, 0)).text = "A 1"
    (component,) = parsed().components
    assert component.table.caption == "Table 1: Pumps in stock"
    assert component.table.header == ("Pump", "Litres / May", "Litres / June")
    assert component.table.rows == (("A 1", "120", "95"), ("A 1", "4", "5"))


def test_pictures_are_stored_with_alternative_text_and_caption(paper, parsed, picture):
    paper.add_picture(io.BytesIO(picture()))
    properties = paper.element.body.findall(".//{*}docPr")[0]
    properties.set("descr", "A red square")
    caption = paper.add_paragraph("Figure ", style="Caption")
    field(caption, " SEQ Figure ", "1")
    caption.add_run(": The lamp")
    document = parsed()
    (component,) = document.components
    assert component.image.caption == "Figure 1: The lamp"
    assert component.image.alt == "A red square"
    assert component.image.blob in document.blobs


def test_links_lead_out_and_to_bookmarks(paper, parsed):
    paragraph = paper.add_paragraph("See ")
    id_ = paper.part.relate_to("https://light.example", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link = f'<w:hyperlink {nsdecls("w", "r")} r:id="{id_}"><w:r><w:t>the site</w:t></w:r></w:hyperlink>'
    paragraph._p.append(parse_xml(link))
    field(paragraph, " REF lens ", "Lens")
    target = paper.add_paragraph("The lens turns.")
    target._p.insert(0, parse_xml(f'<w:bookmarkStart {nsdecls("w")} w:id="1" w:name="lens"/>'))
    document = parsed()
    out, inside = document.components[0].links
    assert (out.kind, out.target, out.anchor) == ("external", "https://light.example", "the site")
    assert (inside.kind, inside.target, inside.component, inside.anchor) == ("internal", "report.docx", "lens", "Lens")
    assert document.fragments["lens"] == document.components[1].id


def test_changes_formulas_and_text_boxes(paper, parsed):
    paragraph = paper.add_paragraph("The lamp ")
    add(paragraph, "<w:ins><w:r><w:t>shines</w:t></w:r></w:ins>")
    add(paragraph, "<w:del><w:r><w:delText>is dark</w:delText></w:r></w:del>")
    formula = paper.add_paragraph("So ")
    formula._p.append(parse_xml(
        f"<m:oMath {M}><m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e>"
        "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num>"
        "<m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"
    ))  # fmt: skip
    box = paper.add_paragraph("Beside ")
    box._p.append(parse_xml(
        f'<w:r {nsdecls("w")} xmlns:v="urn:schemas-microsoft-com:vml"><w:pict><v:shape><v:textbox><w:txbxContent>'
        "<w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
    ))  # fmt: skip
    document = parsed()
    assert texts(document) == ["The lamp shines", "So E=mc^2 a+b / 2", "Beside", "in a box"]
    assert document.skipped[0].reason == "1 passages that are marked as deleted were left out"


def test_tables_of_contents_are_left_out(paper, parsed):
    paper.styles.add_style("TOC 1", WD_STYLE_TYPE.PARAGRAPH)
    paper.add_paragraph("Stock 3", style="TOC 1")
    paper.add_paragraph("The stock is low.")
    document = parsed()
    assert texts(document) == ["The stock is low."]


def rewritten(tmp_path, paper, change):
    plain = io.BytesIO()
    paper.save(plain)
    path = tmp_path / "changed.docx"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, change.get(name, source.read(name)))
    return path


def test_footnotes_are_read_and_linked(tmp_path, paper):
    paragraph = paper.add_paragraph("The lens is old.")
    paragraph._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/></w:r>'))
    note = '<w:footnote w:id="2"><w:p><w:r><w:t>Since 1880.</w:t></w:r></w:p></w:footnote>'
    notes = f"<w:footnotes {nsdecls('w')}>{note}</w:footnotes>"
    part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, notes.encode(), paper.part.package)
    paper.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    document = parse_word(rewritten(tmp_path, paper, {}), "changed.docx")
    assert texts(document) == ["The lens is old.[1]", "[1] Since 1880."]
    (link,) = document.components[0].links
    assert document.fragments[link.component] == document.components[1].id


def test_hostile_and_broken_files_are_refused_by_name(tmp_path, paper):
    body = b'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><w>&x;</w>'
    with pytest.raises(UnreadableSource, match="declares a document type"):
        parse_word(rewritten(tmp_path, paper, {"word/document.xml": body}), "changed.docx")
    with pytest.raises(UnreadableSource, match="its text is missing or broken"):
        parse_word(rewritten(tmp_path, paper, {"word/document.xml": b"<w:document"}), "changed.docx")
    path = tmp_path / "cut.docx"
    path.write_bytes(rewritten(tmp_path, paper, {}).read_bytes()[:3000])
    with pytest.raises(UnreadableSource, match="no Word document, or it is damaged"):
        parse_word(path, "cut.docx")


def test_deep_nesting_ends_by_name(tmp_path, paper):
    nested = "<w:p><w:r><w:t>deepest</w:t></w:r></w:p>"
    for _ in range(40):
        nested = f"<w:tbl><w:tr><w:tc>{nested}</w:tc></w:tr></w:tbl>"
    body = f"<w:document {nsdecls('w')}><w:body>{nested}<w:p><w:r><w:t>after</w:t></w:r></w:p></w:body></w:document>"
    document = parse_word(rewritten(tmp_path, paper, {"word/document.xml": body.encode()}), "changed.docx")
    assert "nested more than 20 levels" in document.skipped[0].reason
    assert texts(document) == ["after"]


def test_a_picture_that_is_only_linked_is_not_fetched(tmp_path, paper, picture):
    paper.add_picture(io.BytesIO(picture()))
    relations = paper.part.rels
    relation = next(one for one in relations.values() if one.reltype.endswith("/image"))
    relation._is_external, relation._target = True, "http://127.0.0.1:9/tracker.png"
    document = parse_word(rewritten(tmp_path, paper, {}), "changed.docx")
    assert "not fetched" in " ".join(part.reason for part in document.skipped)


def test_raised_and_lowered_runs_are_told_from_what_they_stand_at(tmp_path):
    paper = docx.Document()
    paragraph = paper.add_paragraph("Yield 10")
    for text, script in (("−", 1), ("6", 1), (" m", 0), ("2", 1), (", H", 0), ("2", -1), ("O, the 19", 0), ("th", 1)):
        run = paragraph.add_run(text)
        if script:
            setattr(run.font, "superscript" if script == 1 else "subscript", True)
    paper.save(tmp_path / "a.docx")
    parsed = parse_word(tmp_path / "a.docx", "a.docx")
    assert [one.text for one in parsed.components] == ["Yield 10^−6 m^2, H2O, the 19th"]
