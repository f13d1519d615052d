"""The choice a question offers."""

from __future__ import annotations

import pytest

from backtrail.language.offered_choice import choice_options, closes_with_choice


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Which is older, Oxford or Cambridge?", ("Oxford", "Cambridge")),
        ("Was the Bank of England or Lloyds founded first?", ("the Bank of England", "Lloyds")),
        ("Was the fault in the left wing or the right wing?", ("the fault in the left wing", "the right wing")),
        ("Which came first, the launch, or the landing?", ("the launch", "the landing")),
        ("Which of them, iPhone or Android, is older?", ("iPhone", "Android")),
        ("How do I turn the heating on or off from the hall?", ()),
        ("Where are spare keys or badges kept?", ()),
        ("When you are away, where do keys or badges go?", ()),
        ("How is it paid, by card or by cheque?", ("by card", "by cheque")),
        ("Was the house where she was born in Ulm or Bonn?", ("Ulm", "Bonn")),
        ("Are they  red\n or  green ?", ("they red", "green")),
        ("Who was it?", ()),
        ("Red, or, green?", ()),
    ],
)
def test_two_sides_of_a_choice(question: str, options: tuple[str, ...]) -> None:
    assert choice_options(question) == options


@pytest.mark.parametrize(
    ("question", "closes"),
    [
        ("Which club is older, the first or the second?", True),
        ("Which club is older: the first, or the second?", True),
        ("Which club is older, or is it not?", False),
        ("Which club is older?", False),
        ("Is it the first or the second?", False),
        ("Which? The first, or the second?", False),
    ],
)
def test_a_choice_at_the_end(question: str, closes: bool) -> None:
    assert closes_with_choice(question) is closes
