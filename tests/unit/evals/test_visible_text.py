"""Quotes are found whatever markup a parser left or took away, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.evals.visible_text import holds, visible


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Run **`etcdutl snapshot restore`** .", "Run etcdutl snapshot restore."),
        ("see [the guide](../guide.md#top) first", "see the guide first"),
        ("Titan {#titan .moon} is a moon", "Titan is a moon"),
        ("a <b>bold</b><!-- hidden --> word &amp; more", "a bold word & more"),
        ("wal\\_fsync is _slow_", "wal_fsync is slow"),
    ],
)
def test_markup_and_space_make_no_difference(text: str, quote: str) -> None:
    assert holds(quote, [f"Before. {text} After."])


@pytest.mark.parametrize("quote", ["the pump fails", "Pump | 30", "the pump"])
def test_what_is_not_said_is_not_found(quote: str) -> None:
    assert not holds(quote, ["A pump may fail."], [["Pump", "13", "30 l"]])


@pytest.mark.parametrize(
    "row",
    [
        ["Iowa", "", "30.92 - 31.92", "31.94"],
        ["", "Iowa | 30.92 - 31.92", "31.94"],
    ],
)
def test_a_row_is_found_without_its_empty_cells_and_with_spans(row: list[str]) -> None:
    assert holds("Iowa | 30.92 - 31.92 | 31.94", [], [["State", "a", "b"], row])


@pytest.mark.parametrize(
    "text", ["| Iowa | **30.92** | 31.94 |", "Iowa,30.92,31.94", "Iowa\t30.92\t31.94", "Iowa 30.92 31.94"]
)
def test_any_separator_of_cells_will_do(text: str) -> None:
    assert holds("Iowa | 30.92 | 31.94", [text])


def test_cells_of_different_rows_are_no_row() -> None:
    assert not holds("Iowa | 31.94", [], [["Ohio", "Iowa"], ["31.94", "2"]])


def test_links_are_told_from_brackets_in_code() -> None:
    assert visible("[E=VAR:VAL] [E=!VAR] array[0](x)") == "[E=VAR:VAL][E=!VAR]array0"


@given(st.text(max_size=60))
def test_a_text_holds_itself(text: str) -> None:
    if visible(text):
        assert holds(text.replace(" | ", " "), [f"… {text.replace(' | ', ' ')} …"]) or "<" in text or "{" in text
