import io
import zipfile

import openpyxl
import pytest
from fixtures.parsed import tables
from openpyxl.chart import BarChart, Reference
from openpyxl.drawing.image import Image
from openpyxl.styles import Font

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.sheets import old_excel
from backtrail.ingest.sheets import sheet as sheets
from backtrail.ingest.sheets.number_format import cell_text, is_moment, moment
from backtrail.ingest.sheets.workbook import parse_ods, parse_old_excel, parse_xlsx
from campaigns.hostile.compound import old_workbook


@pytest.fixture
def book():
    return openpyxl.Workbook()


@pytest.fixture
def parsed(tmp_path, book):
    def parse():
        path = tmp_path / "pumps.xlsx"
        book.save(path)
        return parse_xlsx(path, "pumps.xlsx")

    return parse


def fill(sheet, rows, top=1, left=1):
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            if value is not None:
                sheet.cell(top + number, left + column, value)


STOCK = [["Pump", "Site", "Litres"], ["A 1", "Nord", 120], ["B 2", "Süd", 95.5]]


def test_title_header_and_body_are_told_apart(book, parsed):
    sheet = book.active
    sheet.title = "Stock"
    sheet["A1"] = "Pumps in stock"
    sheet.merge_cells("A1:C1")
    fill(sheet, STOCK, top=3)
    document = parsed()
    (table,) = tables(document)
    assert table.caption == "Pumps in stock"
    assert table.header == ("Pump", "Site", "Litres")
    assert table.rows == (("A 1", "Nord", "120"), ("B 2", "Süd", "95.5"))
    (component,) = document.components
    assert (component.section, component.locator.sheet, component.locator.first_row) == ("Stock", "Stock", 4)


def test_header_rows_with_merged_groups_are_joined(book, parsed):
    sheet = book.active
    fill(sheet, [["Pump", 2023, None, 2024, None], [None, "Litres", "Hours", "Litres", "Hours"], ["A 1", 1, 2, 3, 4]])
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("D1:E1")
    sheet.merge_cells("A1:A2")
    (table,) = tables(parsed())
    assert table.header == ("Pump", "2023 / Litres", "2023 / Hours", "2024 / Litres", "2024 / Hours")
    assert table.rows == (("A 1", "1", "2", "3", "4"),)


def test_several_tables_of_a_sheet_stay_apart_below_and_beside_each_other(book, parsed):
    sheet = book.active
    fill(sheet, STOCK)
    fill(sheet, [["Site", "Staff"], ["Nord", 4], ["Süd", 2]], left=5)
    fill(sheet, [["Year", "Repairs"], ["2023 to 24", 7]], top=5)
    assert [table.header for table in tables(parsed())] == [
        ("Pump", "Site", "Litres"), ("Site", "Staff"), ("Year", "Repairs"),
    ]  # fmt: skip


def test_groups_of_rows_go_on_below_a_blank_row(book, parsed):
    fill(book.active, [*STOCK, [None], ["Total", None, 215.5]])
    (table,) = tables(parsed())
    assert table.rows[-1] == ("Total", "", "215.5")
    assert len(table.rows) == 4


def test_links_lead_out_of_the_workbook_and_to_other_sheets(book, parsed):
    first, second = book.active, book.create_sheet("Site plan")
    fill(first, STOCK)
    fill(second, [["Site", "Floor"], ["Nord", 1]])
    first["A2"].hyperlink = "https://pumps.example/a1"
    first["B2"].hyperlink = openpyxl.worksheet.hyperlink.Hyperlink(ref="B2", location="'Site plan'!A2")
    document = parsed()
    out, over = document.components[0].links
    assert (out.kind, out.target, out.anchor, out.row, out.column) == (
        "external",
        "https://pumps.example/a1",
        "A 1",
        0,
        0,
    )
    assert (over.kind, over.target, over.row, over.column) == ("internal", "pumps.xlsx", 0, 1)
    assert document.fragments[over.component] == document.components[1].id


def test_charts_are_tables_and_pictures_are_stored(book, parsed, picture):
    sheet = book.active
    fill(sheet, [["Year", "Floods"], ["one", 3], ["two", 5]])
    chart = BarChart()
    chart.title = "Floods by year"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=3))
    sheet.add_chart(chart, "D2")
    sheet.add_image(Image(io.BytesIO(picture())), "D20")
    document = parsed()
    assert [component.modality for component in document.components] == ["table", "table", "image"]
    assert document.components[1].table.caption == "Floods by year (chart)"
    assert document.components[2].image.blob in document.blobs


def test_formulas_without_a_stored_result_are_counted(book, parsed):
    fill(book.active, [["a", "b"], [1, 2], ["=A2+B2", 3]])
    assert "1 formulas have no stored result" in parsed().skipped[0].reason


def test_values_read_as_they_are_shown(book, parsed):
    fill(book.active, [["share", "price", "code"], [0.125, 1234.5, 42]])
    for cell, number_format in zip(book.active[2], ["0.0%", '#,##0.00\\ "€"', "00000"], strict=True):
        cell.number_format = number_format
    assert tables(parsed())[0].rows == (("12.5%", "1,234.50 €", "00042"),)


def test_a_cell_in_a_far_corner_costs_no_memory_and_bounds_are_named(book, parsed, monkeypatch):
    sheet = book.active
    fill(sheet, STOCK)
    sheet["XFD100000"] = "far"
    document = parsed()
    assert tables(document)[0].rows[0] == ("A 1", "Nord", "120")
    assert document.skipped[0].reason == "sheet 'Sheet': only 500 of 16,384 columns were read"
    monkeypatch.setattr(sheets, "MAX_CELLS", 5)
    assert "more than 5 cells" in parsed().skipped[0].reason


def test_rows_are_counted_that_hold_anything_and_what_stands_far_down_is_read(book, parsed, monkeypatch):
    sheet = book.active
    fill(sheet, STOCK)
    sheet["B250000"] = "far"
    sheet["A1048576"].font = Font(bold=True)
    document = parsed()
    assert not document.skipped
    far = document.components[-1]
    assert (far.text, far.locator.first_row) == ("far", 250_000)
    monkeypatch.setattr(sheets, "MAX_BLANK_ROWS", 1000)
    assert "row 250,000 and what follows were not read: more than 1,000 blank rows" in parsed().skipped[0].reason
    monkeypatch.setattr(sheets, "MAX_ROWS", 2)
    assert "row 3 and what follows were not read: more than 2 rows" in parsed().skipped[0].reason


CUT = b"""<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:C9"/>
<sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>Pump</t></is></c></row><row r="2"><c r="A2" t="inl"""


def broken(tmp_path, book, change):
    """The workbook with parts changed: ``change`` maps names to new contents."""
    plain = io.BytesIO()
    book.save(plain)
    path = tmp_path / "broken.xlsx"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, change.get(name, source.read(name)))
    return path


def test_entities_bombs_and_damage_are_refused_by_name(tmp_path, book, monkeypatch):
    fill(book.active, STOCK)
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">]><worksheet>&a;</worksheet>'
    with pytest.raises(UnreadableSource, match="declares a document type"):
        parse_xlsx(broken(tmp_path, book, {"xl/worksheets/sheet1.xml": bomb}), "broken.xlsx")
    with pytest.raises(UnreadableSource, match="no workbook"):
        parse_xlsx(broken(tmp_path, book, {"xl/workbook.xml": b"<workbook"}), "broken.xlsx")
    document = parse_xlsx(broken(tmp_path, book, {"xl/worksheets/sheet1.xml": CUT}), "broken.xlsx")
    assert "is damaged; what follows row 1 was not read" in document.skipped[0].reason
    monkeypatch.setattr("backtrail.ingest.archive.MAX_UNPACKED", 1000)
    with pytest.raises(UnreadableSource, match="MB unpacked, more than"):
        parse_xlsx(broken(tmp_path, book, {}), "broken.xlsx")


ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="Stock">
 <table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Pumps in stock</text:p></table:table-cell>
  <table:covered-table-cell/></table:table-row>
 <table:table-row><table:table-cell><text:p>Pump</text:p></table:table-cell>
  <table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row>
 <table:table-row table:number-rows-repeated="2">
  <table:table-cell><text:p>A<text:s/>1</text:p></table:table-cell>
  <table:table-cell office:value="12.5"><text:p><text:a xlink:href="https://a.example">12.50 €</text:a></text:p>
  </table:table-cell></table:table-row>
 <table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/>
 </table:table-row>
</table:table></office:spreadsheet></office:body></office:document-content>"""


def test_spreadsheets_of_opendocument_show_their_text(tmp_path):
    path = tmp_path / "stock.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", ODS)
        archive.writestr("Basic/Standard/Module1.xml", "<!DOCTYPE script:module><script:module/>")
    document = parse_ods(path, "stock.ods")
    (component,) = document.components
    assert component.table.caption == "Pumps in stock"
    assert component.table.header == ("Pump", "Price")
    assert component.table.rows == (("A 1", "12.50 €"), ("A 1", "12.50 €"))
    assert [(link.target, link.row, link.column) for link in component.links] == [("https://a.example", 0, 1)]
    assert document.skipped == []


def test_sentences_above_a_table_are_text_and_lines_near_it_its_caption(book, parsed):
    sheet = book.active
    sheet["A1"] = "The pumps were counted in May."
    sheet["A3"] = "Pumps in May"
    fill(sheet, STOCK, top=4)
    sheet["A11"] = "That is all of it."
    document = parsed()
    assert [part.modality for part in document.components] == ["text", "table", "text"]
    assert document.components[1].table.caption == "Pumps in May"


def test_numbers_days_and_times_of_old_workbooks_are_read(tmp_path):
    moment = 40293.73787133102
    path = tmp_path / "old.xls"
    path.write_bytes(
        old_workbook([
            (0.125, "0.0%"), (790.79, '"$"#,##0.00'), (moment, "dd/mm/yyyy"), (moment, "[$-F400]h:mm:ss\\ AM/PM"),
            (moment, "dd/mm/yy\\ hh:mm"), (0.5, "hh:mm"), (42.0, "00000"), (7.0, "General"),
        ])
    )  # fmt: skip
    parsed = parse_old_excel(path, "old.xls")
    (column,) = [one.text for one in parsed.components]
    assert column.split("\n") == [
        "Pump", "0.125", "790.79", *["2010-04-25 17:42:32"] * 3, "12:00:00", "42", "7",
    ]  # fmt: skip


ACCOUNTS = '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)'


@pytest.mark.parametrize(
    ("value", "shown", "text"),
    [
        (1300, '"$"#,##0', "$1,300"), (-1300, '"$"#,##0', "-$1,300"), (1300, "General", "1300"), (1300, "0", "1300"),
        (1300, ACCOUNTS, "$1,300"), (-1300, ACCOUNTS, "-$1,300"), (0, ACCOUNTS, "$0"), (-5, "0;[Red]0", "-5"),
        (1300, "[$€-407] #,##0.00", "€ 1,300.00"), (-1234567, "#,##0_ ;\\-#,##0\\ ", "-1,234,567"),
        (1234567, '#,##0.0,,"M"', "1234567"), (0.0004, "#,##0", "0.0004"), (1300, '"a, b; c" #,##0', "a, b; c 1,300"),
        (1500, '[>=1000]#,##0.0,"K";0', "1500"), (3, ";;;", "3"),
    ],
)  # fmt: skip
def test_numbers_have_the_groups_the_unit_and_the_section_of_their_format(value, shown, text):
    assert cell_text(value, shown) == text


@pytest.mark.parametrize(
    ("shown", "days", "text"),
    [
        ("yyyy-mm-dd", 45443, "2024-05-31"), ("[Red]dd/mm/yyyy;@", 45443.5, "2024-05-31 12:00"),
        ("h:mm", 0.5, "12:00"), ("h:mm:ss AM/PM", 0.500_011_6, "12:00:01"), ("[h]:mm", 1.25, "1 day, 6:00:00"),
    ],
)  # fmt: skip
def test_days_times_and_durations_are_told_from_numbers(shown, days, text):
    assert is_moment(shown)
    assert not is_moment('"days" 0')
    assert cell_text(moment(days, shown), shown) == text


def test_a_workbook_that_ends_the_process_of_its_reader_is_refused_and_the_next_is_read(tmp_path, monkeypatch):
    class Ended:
        def send(self, path):
            raise EOFError

        def stop(self):
            pass

    path = tmp_path / "old.xls"
    path.write_bytes(old_workbook())
    with monkeypatch.context() as patched:
        patched.setattr(old_excel, "_PROCESS", Ended())
        with pytest.raises(UnreadableSource, match="too long or too much memory"):
            parse_old_excel(path, "old.xls")
    assert parse_old_excel(path, "old.xls").components
