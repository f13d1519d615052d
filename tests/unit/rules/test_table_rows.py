"""Rows as sentences: every value with its column, and nothing twice that stands once."""

from __future__ import annotations

import pytest

from backtrail.language.table_rows import row_sentence


@pytest.mark.parametrize(
    ("header", "cells", "said"),
    [
        (("Name", "Opened"), ("Urania", "1909"), "Name is Urania; Opened is 1909"),
        (("Name", "Opened"), ("Urania", ""), "Name is Urania"),
        (("State", "", "", ""), ("Iowa", "2", "2", "0"), "State is Iowa; 2; 2; 0"),
        (("", "", ""), ("7", "3", "7"), "7; 3; 7"),
        (("Total", "", ""), ("a note", "a note", "a note"), "Total is a note; a note"),
        (("", "", ""), ("one cell over all",) * 3, "one cell over all"),
        (("Score", "Score"), ("3", "3"), "Score is 3"),
        (("Score", "Score"), ("3", "4"), "Score is 3; Score is 4"),
        (("Win", "Loss"), ("3", "3"), "Win is 3; Loss is 3"),
        (("Name",), ("Urania", "1909"), "Name is Urania; 1909"),
    ],
)
def test_values_keep_their_columns(header: tuple[str, ...], cells: tuple[str, ...], said: str) -> None:
    assert row_sentence("", header, cells) == said
    assert row_sentence("Bridges", header, cells) == f"Bridges: {said}"


def test_an_empty_row_says_its_caption() -> None:
    assert row_sentence("Bridges", ("Name",), ("",)) == "Bridges"
