from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.tools.tables.cell_values import (
    calendar_date,
    is_empty,
    number_range,
    quantity,
    uses_decimal_comma,
    without_footnotes,
)


@pytest.mark.parametrize(
    ("cell", "number", "unit"),
    [
        ("1,234.5", 1234.5, ""),
        ("1 234", 1234, ""),
        ("−5", -5, ""),
        ("(1,234)", -1234, ""),
        ("$ (45.2)", -45.2, "$"),
        ("US$1.2 billion", 1.2e9, "US$"),
        ("5 km", 5, "km"),
        ("595 kg/m³", 595, "kg/m³"),
        ("4220 m\n13,845 ft", 4220, "m"),
        ("5 km (3.1 mi)", 5, "km"),
    ],
)
def test_a_cell_with_one_number(cell, number, unit):
    read = quantity(cell)
    assert read is not None
    assert (read.number, read.unit) == (pytest.approx(number), unit)


@pytest.mark.parametrize(
    "cell",
    ["", "n/a", "12 (3)", "1/2", "10–20", "Q1 2023", "(5", "4 July 1976", "version 1.2.3", "192.168.100", "0.056.0"],
)
def test_a_cell_that_is_not_one_number(cell):
    assert quantity(cell) is None


def test_a_decimal_comma_is_told_by_the_column():
    assert uses_decimal_comma(["1.234,5", "3"])
    assert not uses_decimal_comma(["1,234", "3.5"])
    assert not uses_decimal_comma(["1,234", "5,678"])
    read = quantity("1.234,5", decimal_comma=True)
    assert read is not None
    assert read.number == 1234.5


def test_ranges_and_dates():
    assert number_range("10–20 %") == (10, 20)
    assert number_range("20–10") is None
    assert number_range("10") is None
    assert number_range("10.123-10.456.789") is None
    for cell in ("4 July 1976", "July 4, 1976", "July 4th, 1976", "1976-07-04", "04.07.1976", "4 Jul 1976[a]"):
        assert calendar_date(cell) == date(1976, 7, 4)
    assert calendar_date("07/04/1976") is None
    assert calendar_date("July 1976") == date(1976, 7, 1)


def test_footnote_marks_go_and_nothing_else():
    assert without_footnotes("Palverin [a]*") == "Palverin"
    assert without_footnotes("f(x)") == "f(x)"
    assert without_footnotes("*") == "*"
    assert [is_empty(cell) for cell in ("—", "n/a", "0", "-", "x")] == [True, True, False, True, False]


@given(st.integers(-(10**9), 10**9))
def test_whole_numbers_are_read_in_each_way_to_group_digits(number):
    for separator in (",", " ", "'", "\u202f"):
        read = quantity(f"{number:,}".replace(",", separator))
        assert read is not None
        assert read.number == number


@given(st.text(max_size=40))
def test_no_text_breaks_the_reading(text):
    quantity(text)
    number_range(text)
    calendar_date(text)
