"""The citation check: numbers, dates and names of an answer that nothing it cites contains."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.rules.citation_check import not_found

PIECE = "3,790; 3,655; born in 1939, died in 2015"


@pytest.mark.parametrize(
    ("text", "source", "missing"),
    [
        ("There were 3,790 against 3,655.", "3790 | 3 655", []),
        ("Es waren 28.978,26 € und 3,5 %.", "€28,978.26; 3.5 percent", []),
        ("It cost 1.2 million dollars.", "$1,200,000", []),
        ("It fell on 5 March 2004.", "2004-03-05", []),
        ("It fell in March 2004.", "5 April 2004", ["March"]),
        ("Version 3.6.1 is newest.", "Version 3.6.0", ["3.6.1"]),
        ("It took 14.4 seconds.", "4.4 and 144", ["14.4"]),
        ("1. alpha\n2. beta [7], page 12\n- 9", "alpha beta", ["9"]),
        ("It was painted by Thomas Wood.", "Painter: Jane Wood", ["Thomas Wood"]),
        ("画家是木村。", "它", []),
    ],
)
def test_only_what_no_source_contains_is_missing(text: str, source: str, missing: list[str]) -> None:
    assert not_found(text, [source]) == missing


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Between 3,655 and 3,790: 135.", []),
        ("99.", ["99"]),
        ("Aged 75 or 76, not 74.", ["74"]),
    ],
)
def test_sums_and_differences_of_two_cited_numbers_count_as_cited(text: str, missing: list[str]) -> None:
    assert not_found(text, [PIECE], [PIECE]) == missing


@given(st.text(), st.text())
def test_an_answer_that_repeats_its_source_misses_nothing(before: str, after: str) -> None:
    assert not_found(f"{before}\n{after}", [f"{before}\n{after}"]) == []


@given(st.integers(0, 10**12))
def test_the_separator_of_thousands_makes_no_difference(number: int) -> None:
    for written in (f"{number:,}", f"{number:,}".replace(",", "."), f"{number:,}".replace(",", "\u202f"), str(number)):
        assert not_found(f"There are {written} of them", [f"{number:,} of them"]) == []
        assert not_found(f"There are {number} of them", [f"{written} of them"]) == []
