"""The short form of an answer, given or not."""

from __future__ import annotations

import pytest

from backtrail.language.short_answers import short_form


@pytest.mark.parametrize(
    ("short", "text", "expected"),
    [
        ("1998", "The club moved in 1998.", "1998"),
        (" New \n York ", "It is in New York.", "New York"),
        ("", "1998. The club moved to the Ondra Ground in that year.", "1998"),
        ("", "St. Louis. It lies on the river.", "St. Louis"),
        ("", "Lynda La Plante", "Lynda La Plante"),
        ("", "U.S. The form is common.", "U.S."),
        ("", "1998年。俱乐部搬到那里。", "1998年"),
        ("", "", ""),
    ],
)
def test_the_answer_alone(short: str, text: str, expected: str) -> None:
    assert short_form(short, text) == expected


def test_a_long_first_sentence_is_bounded() -> None:
    assert len(short_form("", "word " * 1000)) <= 600
