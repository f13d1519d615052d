"""Number formats under conditions: what a sheet may have worked out is bounded, whatever a file says."""

from __future__ import annotations

import pytest
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.sheets import conditional_formats
from backtrail.ingest.sheets.conditional_formats import ConditionalFormats, read_rules
from backtrail.ingest.sheets.number_format import cell_text

RULE = """<conditionalFormatting sqref="A1:Z100000">
<cfRule type="expression" dxfId="0" priority="1"><formula>{}</formula></cfRule></conditionalFormatting>"""


def formats(*conditions: str) -> ConditionalFormats:
    rules = [rule for one in conditions for rule in read_rules(etree.fromstring(RULE.format(one)), ["0.0"])]
    return ConditionalFormats(rules)


def test_what_all_cells_of_a_sheet_have_decided_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditional_formats, "MAX_STEPS", 1_000)
    found = formats(*["A1&lt;0"] * 9, "A1=5")
    shown = [found.of(row, 0, 5.0) for row in range(100)]
    assert shown[:10] == ["0.0"] * 10
    assert shown[-50:] == [""] * 50
    assert found.gave_up
    assert found._steps < 1_100  # nothing is looked at any more


@pytest.mark.parametrize(("named", "shown"), [("$B$2", "0.0"), ("$B$3", ""), ("$C$9", "")])
def test_cells_that_rules_name_are_found_by_row_and_column(named: str, shown: str) -> None:
    found = formats(f"{named}=7")
    found.learn([["x"], ["x", 7], ["x", 8]], blank_is_known=False)
    assert found.of(0, 0, 1.0) == shown


def test_a_condition_of_very_many_parts_is_not_decided() -> None:
    assert formats(f"OR({','.join(['A1&gt;1'] * 20)})").of(0, 0, 5.0) == "0.0"
    assert formats(f"OR({','.join(['A1&gt;1'] * 60)})").of(0, 0, 5.0) == ""


@pytest.mark.parametrize("written", [f"0.{'0' * 100_000}", f'0"{"much" * 100_000}"', "0" * 100_000])
def test_a_format_that_is_longer_than_any_adds_little_to_a_cell(written: str) -> None:
    assert len(cell_text(5, written)) < 300
