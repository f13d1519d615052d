"""Rows as sentences, and answers in their short form."""

from __future__ import annotations

import pytest

from backtrail.language.short_answers import short_form
from backtrail.language.table_rows import row_sentence


@pytest.mark.parametrize(
    ("header", "cells", "said"),
    [
        (("Name", "Opened"), ("Urania", "1909"), "Name is Urania; Opened is 1909"),
        (("Name", "Opened"), ("Urania", ""), "Name is Urania"),
        (("State", "", "", ""), ("Iowa", "2", "2", "0"), "State is Iowa; 2; 2; 0"),
        (("", "", ""), ("7", "3", "7"), "7; 3; 7"),
        (("Score", "Score"), ("3", "3"), "Score is 3"),
        (("Name",), ("Urania", "1909"), "Name is Urania; 1909"),
    ],
)
def test_values_keep_their_columns(header: tuple[str, ...], cells: tuple[str, ...], said: str) -> None:
    assert row_sentence("", header, cells) == said
    assert row_sentence("Bridges", header, cells) == f"Bridges: {said}"


@pytest.mark.parametrize(
    ("short", "text", "expected"),
    [
        ("1998", "The club moved in 1998.", "1998"),
        ("", "1998. The club moved to the Ondra Ground in that year.", "1998"),
        ("", "St. Louis. It lies on the river.", "St. Louis"),
        ("", "U.S. The form is common.", "U.S."),
        ("", "1998年。俱乐部搬到那里。", "1998年"),
    ],
)
def test_the_answer_alone(short: str, text: str, expected: str) -> None:
    assert short_form(short, text) == expected


def test_a_long_first_sentence_is_bounded() -> None:
    assert len(short_form("", "word " * 1000)) <= 600
