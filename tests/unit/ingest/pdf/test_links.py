import pytest
from fixtures.drawn_pdf import NEXT, lines, ruled, written

PROSE = "What the river carries it drops where the current slows, and so the bank grows year by year. "


def links(component):
    return [(link.kind, link.target, link.anchor, link.component) for link in component.links]


def test_jumps_addresses_and_references_become_links(drawn):
    parsed = drawn(
        written(40, 460, "See Table 1 and section 2, or the web."),
        lambda sheet: sheet.linkURL("https://e.org/", (40, 455, 90, 472)),
        lambda sheet: sheet.linkAbsolute("", "there", (40, 425, 140, 442)),
        written(40, 430, "To the second part"),
        NEXT,
        written(40, 460, "2 Mouths", size=16),
        lambda sheet: sheet.bookmarkHorizontal("there", 40, 475),
        written(40, 430, "Where rivers end."),
        written(40, 380, "Table 1: Lengths"),
        ruled([["Name", "km"], ["Nile", "6650"], ["Ob", "3650"]], 40, 314, widths=80, heights=18),
        title="T",
    )
    first, jumping, below, table = parsed.components
    assert links(first) == [
        ("external", "https://e.org/", "See Table", None),
        ("internal", "docs/file name.pdf", "Table 1", table.id),
        ("internal", "docs/file name.pdf", "section 2", below.id),
    ]
    assert links(jumping) == [("internal", "docs/file name.pdf", "To the second part", below.id)]


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("other.pdf#page=3", [("internal", "docs/other.pdf", "page=3")]),
        ("../up.html", [("internal", "up.html", None)]),
        ("../../out.html", [("dead", "../../out.html", None)]),
        ("mailto:a@e.org", [("external", "mailto:a@e.org", None)]),
        ("javascript:alert(1)", []),
    ],
)
def test_addresses_are_relative_to_the_file_and_scripts_are_none(drawn, address, found):
    def linked(sheet):
        sheet.linkURL(address, (40, 455, 140, 472), relative=0)

    (component,) = drawn(written(40, 460, "A link to elsewhere"), linked, title="T").components
    assert [(link.kind, link.target, link.component) for link in component.links] == found


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
    documents = drawn_all(long_file, title="Handbook")
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
