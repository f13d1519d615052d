"""Which decisions are one letter."""

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from backtrail.state.answer_decisions import ANSWER
from backtrail.state.fif.orchestrate_decisions import ORCHESTRATE
from backtrail.tools.deciders.letter_field import letter_field


class Path(BaseModel):
    option: Literal["A", "B", "C", "D"]


class PathWithShares(BaseModel):
    option: Literal["A", "B"]
    probabilities: dict[str, float] = Field(default_factory=dict)


class Action(BaseModel):
    action: Literal["text", "image"]


class LetterAndWhy(BaseModel):
    why: str
    option: Literal["A", "B"]


class TwoLetters(BaseModel):
    first: Literal["A", "B"]
    second: Literal["A", "B"]


def test_a_letter_is_found_and_probabilities_go_where_there_is_room() -> None:
    field = letter_field(Path)
    assert field is not None
    assert (field.name, field.letters) == ("option", ("A", "B", "C", "D"))
    assert field.values("B", {"B": 1.0}) == {"option": "B"}
    field = letter_field(PathWithShares)
    assert field is not None
    assert field.values("A", {"A": 0.75, "B": 0.25}) == {"option": "A", "probabilities": {"A": 0.75, "B": 0.25}}


@pytest.mark.parametrize("output", [Action, LetterAndWhy, TwoLetters, ORCHESTRATE.output, ANSWER.output])
def test_everything_else_is_asked_for_in_words(output: type[BaseModel]) -> None:
    assert letter_field(output) is None
