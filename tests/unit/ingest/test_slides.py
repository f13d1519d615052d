import io

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.slides.parse import parse_slides

TITLE_ONLY, BLANK = 5, 6


@pytest.fixture
def deck():
    return pptx.Presentation()


@pytest.fixture
def parsed(tmp_path, deck):
    def parse():
        path = tmp_path / "light.pptx"
        deck.save(path)
        return parse_slides(path, "light.pptx")

    return parse


def slide(deck, title=None):
    made = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY if title else BLANK])
    if title:
        made.shapes.title.text = title
    return made


def box(slide, text, left, top, width=3.0, height=1.0):
    shape = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(width), Inches(height))
    shape.text_frame.text = text
    return shape


def test_slides_are_sections_with_their_numbers(deck, parsed):
    box(slide(deck, "The lamp"), "It burns oil.", 1, 2)
    box(slide(deck), "No title here.", 1, 2)
    slide(deck, "Only a title")
    assert [(part.section, part.text, part.locator.slide) for part in parsed().components] == [
        ("The lamp", "It burns oil.", 1), ("Slide 2", "No title here.", 2), ("Only a title", "Only a title", 3),
    ]  # fmt: skip


def test_groups_are_read_in_their_place(deck, parsed):
    one = slide(deck, "Groups")
    box(one, "last", 1, 5)
    group = one.shapes.add_group_shape()
    for text, top in [("second", 3), ("first", 2)]:
        inner = group.shapes.add_textbox(Inches(1), Inches(top), Inches(2), Inches(0.5))
        inner.text_frame.text = text
    assert [part.text for part in parsed().components] == ["first", "second", "last"]


def test_tables_with_merged_cells_have_header_and_caption(deck, parsed):
    table = slide(deck, "Stock").shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for number, row in enumerate([["Pump", "May", "June"], ["A 1", "4", ""], ["B 2", "5", "6"]]):
        for column, text in enumerate(row):
            table.cell(number, column).text = text
    table.cell(1, 1).merge(table.cell(1, 2))
    table.cell(2, 0).text_frame.paragraphs[0].runs[0].hyperlink.address = "https://pumps.example/b2"
    (_, component) = parsed().components
    assert component.table.caption == "Stock"
    assert component.table.header == ("Pump", "May", "June")
    assert component.table.rows == (("A 1", "4", "4"), ("B 2", "5", "6"))
    assert [(link.target, link.row, link.column) for link in component.links] == [("https://pumps.example/b2", 1, 0)]


def test_charts_are_tables_of_what_they_draw(deck, parsed):
    data = CategoryChartData()
    data.categories = ["2021", "2022"]
    data.add_series("Storms", (3, 4.5))
    data.add_series("Calms", (9, None))
    frame = slide(deck, "Weather").shapes.add_chart(
        XL_CHART_TYPE.LINE, Inches(1), Inches(2), Inches(5), Inches(3), data
    )
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "Days by year"
    table = parsed().components[1].table
    assert table.caption == "Days by year (chart)"
    assert table.header == ("", "Storms", "Calms")
    assert table.rows == (("2021", "3", "9"), ("2022", "4.5", ""))


def test_pictures_notes_and_links_between_slides(deck, parsed, picture):
    first, second = slide(deck, "Start"), slide(deck, "The end")
    shown = first.shapes.add_picture(io.BytesIO(picture()), Inches(1), Inches(2))
    shown._element.nvPicPr.cNvPr.set("descr", "A red lamp")
    box(first, "Go on", 1, 5).click_action.target_slide = second
    first.notes_slide.notes_text_frame.text = "Say that it is red."
    box(second, "Done.", 1, 2)
    document = parsed()
    image, jump, note = document.components[:3]
    assert (image.image.alt, image.image.title) == ("A red lamp", "Start")
    assert image.image.blob in document.blobs
    assert (note.text, note.section) == ("Say that it is red.", "Start > Speaker notes")
    (link,) = jump.links
    assert document.fragments[link.component] == document.components[3].id


def test_furniture_is_left_out_and_formulas_are_text(deck, parsed):
    one = slide(deck, "Energy")
    shape = box(one, "So", 1, 2)
    shape.text_frame.paragraphs[0]._p.append(parse_xml(
        '<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMath><m:sSup><m:e><m:r><m:t>c</m:t>'
        "</m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m>"
    ))  # fmt: skip
    layout = one.slide_layout
    for placeholder in layout.placeholders:
        if "footer" in placeholder.name.lower() or "number" in placeholder.name.lower():
            copy = parse_xml(pptx.oxml.xmlchemy.serialize_for_reading(placeholder._element))
            one.shapes._spTree.append(copy)
            copy.txBody.p_lst[0].add_r().text = "page 7"
    assert [part.text for part in parsed().components] == ["So c^2"]


def test_what_is_no_deck_is_refused(tmp_path, deck):
    path = tmp_path / "light.pptx"
    deck.save(path)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(UnreadableSource, match="no PowerPoint deck, or it is damaged"):
        parse_slides(path, "light.pptx")
