from __future__ import annotations

import pytest
from fixtures.drawn_pdf import lines

PROSE = "What the river carries it drops where the current slows, and so the bank grows year by year. "


def links(component):
    return [(link.kind, link.target, link.anchor, link.component) for link in component.links]


def test_jumps_addresses_and_references_become_links(drawn):
    def draw(sheet):
        lines(sheet, 40, 460, "See Table 1 and section 2, or the web.")
        sheet.linkURL("https://e.org/", (40, 455, 90, 472))
        sheet.linkAbsolute("", "there", (40, 425, 140, 442))
        lines(sheet, 40, 430, "To the second part", size=10)
        sheet.showPage()
        lines(sheet, 40, 460, "2 Mouths", size=16)
        sheet.bookmarkHorizontal("there", 40, 475)
        lines(sheet, 40, 430, "Where rivers end.")
        lines(sheet, 40, 380, "Table 1: Lengths")
        for number, row in enumerate((("Name", "km"), ("Nile", "6650"), ("Ob", "3650"))):
            for column, text in enumerate(row):
                sheet.rect(40 + 80 * column, 350 - 18 * number, 80, 18)
                sheet.drawString(44 + 80 * column, 355 - 18 * number, text)

    first, jumping, below, table = drawn(draw, title="T").components
    assert links(first) == [
        ("external", "https://e.org/", "See Table", None),
        ("internal", "docs/file name.pdf", "Table 1", table.id),
        ("internal", "docs/file name.pdf", "section 2", below.id),
    ]
    assert links(jumping) == [("internal", "docs/file name.pdf", "To the second part", below.id)]


@pytest.mark.parametrize(
    ("address", "kind", "target", "fragment"),
    [
        ("other.pdf#page=3", "internal", "docs/other.pdf", "page=3"),
        ("../up.html", "internal", "up.html", None),
        ("../../out.html", "dead", "../../out.html", None),
        ("mailto:a@e.org", "external", "mailto:a@e.org", None),
    ],
)
def test_addresses_are_relative_to_the_file(drawn, address, kind, target, fragment):
    def draw(sheet):
        lines(sheet, 40, 460, "A link to elsewhere")
        sheet.linkURL(address, (40, 455, 140, 472), relative=0)

    (component,) = drawn(draw, title="T").components
    assert [(link.kind, link.target, link.component) for link in component.links] == [(kind, target, fragment)]


def test_scripts_are_no_links(drawn):
    def draw(sheet):
        lines(sheet, 40, 460, "A link to elsewhere")
        sheet.linkURL("javascript:alert(1)", (40, 455, 140, 472))

    assert drawn(draw, title="T").components[0].links == ()


def long_file(sheet):
    lines(sheet, 40, 460, "Front matter of the handbook.")
    sheet.linkAbsolute("", "Economy", (40, 455, 180, 472))
    for number, name in enumerate(("Geography", "Chemistry", "Economy"), start=1):
        for page in range(8):
            sheet.showPage()
            if page == 0:
                sheet.bookmarkHorizontal(name, 40, 480)
                sheet.addOutlineEntry(f"{number} {name}", name, level=0)
                lines(sheet, 40, 460, f"{number} {name}", size=10)
            lines(sheet, 40, 430, f"Page {page} of {name}. See section {number % 3 + 1}.")
            lines(sheet, 40, 400, *(PROSE[:70] for _ in range(8)))


def test_long_files_are_divided_at_the_outline_into_linked_documents(drawn_all):
    documents = drawn_all(long_file, "Handbook")
    assert [(one.document.id, one.document.title) for one in documents] == [
        ("docs/file name.pdf", "Handbook"),
        ("docs/file name.pdf/1-geography", "Handbook: 1 Geography"),
        ("docs/file name.pdf/2-chemistry", "Handbook: 2 Chemistry"),
        ("docs/file name.pdf/3-economy", "Handbook: 3 Economy"),
    ]
    front, contents = documents[0].components
    assert links(front)[0][1:] == (
        "docs/file name.pdf/3-economy", "Front matter of the handbook.", "docs/file name.pdf/3-economy#text-1",
    )  # fmt: skip
    assert contents.text == "1 Geography\n2 Chemistry\n3 Economy"
    assert [link.target for link in contents.links] == [one.document.id for one in documents[1:]]
    chemistry = documents[2]
    assert links(chemistry.components[0]) == [
        ("internal", "docs/file name.pdf/3-economy", "section 3", "docs/file name.pdf/3-economy#text-1"),
        ("parent", "docs/file name.pdf", "", None),
    ]
    down = [link for link in front.links if link.kind == "child"]
    assert [(link.target, link.anchor) for link in down] == [
        (one.document.id, one.document.title.removeprefix("Handbook: ")) for one in documents[1:]
    ]
    assert chemistry.fragments["page=10"] == chemistry.components[0].id
    assert {component.document for component in chemistry.components} == {chemistry.document.id}
    assert [component.position for component in chemistry.components] == list(range(len(chemistry.components)))


def test_files_of_twenty_pages_are_one_document(drawn_all):
    def draw(sheet):
        for page in range(20):
            lines(sheet, 40, 460, f"{page + 1} Chapter", size=16)
            lines(sheet, 40, 400, *(PROSE[:70] for _ in range(8)))
            sheet.showPage()

    assert len(drawn_all(draw, "T")) == 1


def test_an_outline_that_runs_in_circles_ends(tmp_path):
    from backtrail.ingest.pdf.parse import parse_pdf

    text = "BT /F 12 Tf 72 700 Td (Hello) Tj ET"
    bodies = (
        "<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Length {len(text)}>>stream\n{text}\nendstream",
        "<</First 7 0 R/Last 7 0 R/Count 2>>",
        "<</Title(Loop)/Parent 6 0 R/Next 7 0 R/First 7 0 R/Last 7 0 R/Dest[3 0 R/Fit]>>",
    )
    body = "".join(f"{number} 0 obj\n{one}\nendobj\n" for number, one in enumerate(bodies, start=1))
    (tmp_path / "x.pdf").write_text(f"%PDF-1.7\n{body}trailer<</Size 8/Root 1 0 R>>\n%%EOF")
    (parsed,) = parse_pdf(tmp_path / "x.pdf", "x.pdf")
    assert [component.text for component in parsed.components] == ["Hello"]
