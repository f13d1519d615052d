"""Rows that sum up others are marked, and titles that begin with the same words are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.component import Component, Table
from backtrail.tools.tables.typed_table import typed_tables

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
