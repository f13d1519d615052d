import pytest

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.sheets import delimited, sheet
from backtrail.ingest.sheets.delimited import parse_delimited


@pytest.fixture
def parsed(tmp_path):
    def parse(content: str | bytes, name: str = "wells-2024.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return parse_delimited(path, name)

    return parse


def only(document):
    (component,) = document.components
    return component


def test_a_file_is_a_table_with_its_header_and_the_row_numbers_of_the_file(parsed):
    component = only(parsed('Well,Depth m,Site\nA 1,120,"Nord, old"\nB 2,95,https://wells.example/b\n'))
    assert component.table.header == ("Well", "Depth m", "Site")
    assert component.table.rows == (("A 1", "120", "Nord, old"), ("B 2", "95", "https://wells.example/b"))
    assert component.table.caption == "Wells 2024"
    assert component.locator.first_row == 2
    (link,) = component.links
    assert (link.kind, link.target, link.row, link.column) == ("external", "https://wells.example/b", 1, 2)


NAMES = ("Name", "Price")
PUMPS = "Name{0}Price\nPump{0}1200.50\nValve{0}17\n"
READ = {
    **{one: (PUMPS.format(one), NAMES, (("Pump", "1200.50"), ("Valve", "17"))) for one in ",\t|"},
    "; beside a comma": ("Name;Price\nPump;1.200,50\nValve;17", NAMES, (("Pump", "1.200,50"), ("Valve", "17"))),
    "no header": ("1,2.5,3\n4,5.5,6\n", ("", "", ""), (("1", "2.5", "3"), ("4", "5.5", "6"))),
    "no header, as numpy writes": ("1e+00,2e-05\n2e+00,3e-05\n", ("", ""), (("1e+00", "2e-05"), ("2e+00", "3e-05"))),
    "names like exponents": ("x,e1\n1,2\n", ("x", "e1"), (("1", "2"),)),
    "rows of many widths": ("a,b\n1,2\n3,4,5\n6\n", ("a", "b", ""), (("1", "2", ""), ("3", "4", "5"), ("6", "", ""))),
}  # fmt: skip


@pytest.mark.parametrize(("content", "header", "rows"), READ.values(), ids=READ)
def test_header_and_rows_are_found(parsed, content, header, rows):
    table = only(parsed(content)).table
    assert (table.header, table.rows) == (header, rows)


def test_long_files_come_in_pieces_that_repeat_the_header(parsed):
    document = parsed("id,value\n" + "".join(f"k{n},{n}\n" for n in range(450)))
    assert [len(part.table.rows) for part in document.components] == [200, 200, 50]
    assert {part.table.header for part in document.components} == {("id", "value")}
    assert [part.locator.first_row for part in document.components] == [2, 202, 402]
    assert document.components[2].table.rows[-1] == ("k449", "449")


def test_more_cells_than_the_bound_are_cut_by_name(parsed, monkeypatch):
    monkeypatch.setattr(sheet, "MAX_CELLS", 100)
    document = parsed("id,value\n" + "".join(f"k{n},{n}\n" for n in range(80)))
    assert sum(len(part.table.rows) for part in document.components) == 49
    assert [part.reason for part in document.skipped] == [
        "row 51 and what follows were not read: more than 100 cells in the file"
    ]


def test_an_encoding_that_is_guessed_is_said(parsed):
    document = parsed("Ort,Höhe\nMünchen,519\nKöln,53\n".encode("cp1252"))
    assert only(document).table.rows[0] == ("München", "519")
    assert "cp1252, a guess" in document.skipped[0].reason


def test_a_quote_that_is_never_closed_costs_no_rows(parsed, monkeypatch):
    monkeypatch.setattr(delimited, "MAX_FIELD", 200)
    document = parsed('id,size\n1,5" pipe\n2,"open\n' + "".join(f"{n},x\n" for n in range(3, 90)))
    assert len(only(document).table.rows) == 89
    assert "quotes are not closed" in document.skipped[0].reason


def test_what_is_no_table_is_refused_with_the_reason(parsed):
    for content, problem in ((b"", "empty"), (b"\n \n", "empty"), (b"\x00\x01\x02" * 99, "binary")):
        with pytest.raises(UnreadableSource, match=problem):
            parsed(content)
