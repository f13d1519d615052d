"""What a reply means: a bare letter where one letter was asked for."""

from __future__ import annotations

import pytest

from backtrail.state.decompose_decisions import DECOMPOSE, DecomposeInputs
from backtrail.state.vqa_planner.decisions import CHOOSE_PATH, ChoosePathInputs
from backtrail.tools.deciders.reading import read_output

INPUTS = ChoosePathInputs(question="Which bridge is this?", has_picture=True)


@pytest.mark.parametrize(("reply", "option"), [("B", "B"), ("(c)", "C"), ("Option D.", "D"), ("**A**", "A")])
def test_a_reply_that_is_nothing_but_the_letter_is_that_choice(reply: str, option: str) -> None:
    output = read_output(CHOOSE_PATH, INPUTS, reply).output
    assert output is not None
    assert output.option == option


@pytest.mark.parametrize("reply", ["E", "B or C", "I choose B", "A picture is needed", ""])
def test_another_letter_or_prose_is_no_choice(reply: str) -> None:
    read = read_output(CHOOSE_PATH, INPUTS, reply)
    assert read.output is None
    assert read.problem


def test_a_decision_without_letters_takes_no_letter() -> None:
    assert read_output(DECOMPOSE, DecomposeInputs(question="Who?"), "A").output is None
