"""The scripted decider: says what it was told to, and is loud when it runs out."""

from __future__ import annotations

import pytest

from backtrail.state.answer_decisions import CONTEXTUALIZE, ContextualizeInputs, Standalone
from backtrail.state.fif.choice_decisions import SELECT_COMPONENTS, Candidate, SelectInputs
from backtrail.state.usage import charge
from backtrail.tools.deciders.errors import ScriptExhausted
from backtrail.tools.deciders.protocol import Decider, DecisionFailed, PictureAttachment
from backtrail.tools.deciders.scripted import ScriptedDecider

ASKED = ContextualizeInputs(conversation=[], question="Who built it?")


def same_again(inputs: ContextualizeInputs) -> Standalone:
    return Standalone(question=inputs.question)


async def test_replies_in_order_and_keeps_a_history() -> None:
    script: Decider = ScriptedDecider(
        {
            "contextualize": [
                Standalone(question="One?"),
                {"question": "Two?"},
                lambda inputs: {"question": inputs.question},
            ]
        },
        costs=charge(calls=1, input_tokens=7),
    )
    pictures = [PictureAttachment(b"x", "image/png", "a#1")]
    replies = [(await script.decide(CONTEXTUALIZE, ASKED, pictures)).output.question for _ in range(3)]
    assert replies == ["One?", "Two?", "Who built it?"]
    assert isinstance(script, ScriptedDecider)
    assert [(one.decision, one.inputs, one.pictures) for one in script.history] == [
        ("contextualize", ASKED, ("a#1",))
    ] * 3
    assert script.left == {}


async def test_runs_out_loudly() -> None:
    script = ScriptedDecider({"contextualize": [{"question": "One?"}]})
    await script.decide(CONTEXTUALIZE, ASKED)
    with pytest.raises(ScriptExhausted, match="no reply number 2 for 'contextualize'"):
        await script.decide(CONTEXTUALIZE, ASKED)
    with pytest.raises(ScriptExhausted, match=r"knows \['contextualize'\]"):
        await script.decide(SELECT_COMPONENTS, SelectInputs(subtask="x", candidates=[], keep=1))


async def test_outputs_are_checked() -> None:
    inputs = SelectInputs(subtask="x", candidates=[Candidate(index=0, id="a", title="", text="", similarity=0)], keep=1)
    script = ScriptedDecider(
        {"fif_select_components": [{"choices": [{"index": 1, "id": "b", "score": 1}]}, {"nonsense": 1}]}
    )
    for complaint in ("Index 1 was not offered", "nonsense"):
        with pytest.raises(DecisionFailed, match=complaint) as caught:
            await script.decide(SELECT_COMPONENTS, inputs)
        assert caught.value.charge["calls"] == 1
