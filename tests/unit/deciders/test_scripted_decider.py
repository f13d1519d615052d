"""The scripted decider: says what it was told to, and is loud when it runs out."""

from __future__ import annotations

import pytest

from backtrail.state.answer_decisions import CONTEXTUALIZE, ContextualizeInputs
from backtrail.state.fif.choice_decisions import SELECT_COMPONENTS, Candidate, SelectInputs
from backtrail.tools.deciders.errors import ScriptExhausted
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider

ASKED = ContextualizeInputs(conversation=[], question="Who built it?")


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
