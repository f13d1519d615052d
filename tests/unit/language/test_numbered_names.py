"""Numbered names: another number is another thing; months, lists of both and plain names are not."""

import pytest

from backtrail.language.numbered_names import names_another


@pytest.mark.parametrize(
    ("name", "asked", "another"),
    [
        ("Voyager 2", "When was Voyager 1 launched?", True),
        ("Voyager 1 and Voyager 2", "When was Voyager 1 launched?", False),
        ("Release notes of Tool v3.5", "What is new in Tool 3.6?", True),
        ("Rocky III", "Who plays the rival in Rocky II?", True),
        ("Comet 67", "How heavy is the comet?", False),
    ],
)
def test_names_with_another_number(name: str, asked: str, *, another: bool) -> None:
    assert names_another(name, asked) is another
