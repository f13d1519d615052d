"""Names of a workbook: what they stand for is written by anybody."""

from __future__ import annotations

import pytest

from backtrail.ingest.sheets.defined_names import DefinedName, DefinedNames


@pytest.mark.parametrize(
    ("stands_for", "leads_to"),
    [
        ("Sheet1!$A$3", "#Sheet1!$A$3"),
        (" = 'It''s'!A3:B4 ", "#'It''s'!A3:B4"),
        ("Sheet1!$A$3,Sheet1!$C$3", "#Sheet1!$A$3"),
        ("OFFSET(Sheet1!A1,1,1)", "#Prices"),
        ("'[other.xlsx]Sheet1'!A1", "#Prices"),
        (" " * 5_000, "#Prices"),  # a pattern that tries white space in all ways is not done with it in an hour
        ("=" + " " * 5_000 + "(", "#Prices"),
    ],
)
def test_cells_are_found_whatever_is_written_around_them(stands_for: str, leads_to: str) -> None:
    names = DefinedNames([DefinedName("PRICES", stands_for)])
    assert names.placed({(0, 0): "#Prices"}, 0) == {(0, 0): leads_to}
