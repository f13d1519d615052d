from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.component import Component, Table
from backtrail.tools.tables.cell_values import (
    calendar_date,
    is_empty,
    number_range,
    quantity,
    uses_decimal_comma,
    without_footnotes,
)
from backtrail.tools.tables.typed_table import typed_tables


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


CASES = {
    "a film between others": (["Alien 1979", "Total Recall 1990", "Zulu 1964"], []),
    "a count of nothing": (["Alien 0", "Aliens 0", "Total Recall 0", "Zulu 2"], []),
    "the last row, whatever its number": (["Alien 12", "Total 3"], [1]),
    "English": (["A 1", "B 2", "Total 3", "Memo 7"], [2]),
    "German": (["A 1", "B 2", "Summe 3", "C 4", "D 5", "Gesamt 12"], [2, 5]),
    "each block has its own": (["A 1", "B 2", "Subtotal 3", "C 4", "D 5", "Subtotal 9", "Grand total 12"], [2, 5, 6]),
    "before a heading": (["Boats -", "A 1", "Total 9", "Trains -", "B 2", "C 3"], [2]),
    "above its parts": (["Total 3", "A 1", "B 2"], [0]),
    "a number that only a film adds up to": (["Alien 10", "Heat 20", "Total Recall 7", "Zulu 20"], []),
}


def marked(lines: list[str]) -> list[int]:
    rows = tuple((label, number) for label, _, number in (line.rpartition(" ") for line in lines))
    table = Table(header=("Name", "Number"), rows=rows)
    (typed,) = typed_tables([Component(id="a#0", document="a", position=0, modality="table", table=table)], {})
    return sorted(typed.totals)


@pytest.mark.parametrize(("lines", "totals"), CASES.values(), ids=CASES)
def test_rows_that_sum_up_others_are_marked(lines: list[str], totals: list[int]) -> None:
    assert marked(lines) == totals


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=20), st.sampled_from(["Total", "SUMME", "Somme"]))
def test_the_sum_of_the_rows_before_is_a_total_wherever_it_stands(numbers: list[int], word: str) -> None:
    lines = [f"Item {number}" for number in numbers]
    assert marked([*lines, f"{word} {sum(numbers)}", "Item 1"]) == [len(numbers)]
