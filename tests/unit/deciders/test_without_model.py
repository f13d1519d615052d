"""Deciders without a model: the scripted one is loud, rules compute beside the event loop."""

import asyncio
import contextlib
import threading

import pytest

from backtrail.state.answer_decisions import (
    ANSWER,
    CONTEXTUALIZE,
    AnswerInputs,
    ContextualizeInputs,
    EvidenceText,
    Reading,
)
from backtrail.state.fif.choice_decisions import SELECT_COMPONENTS, Candidate, SelectInputs
from backtrail.tools.deciders.errors import ScriptExhausted
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider

ASKED = ContextualizeInputs(conversation=[], question="Who built it?")


async def test_runs_out_loudly() -> None:
    script = ScriptedDecider({"contextualize": [{"question": "One?"}]})
    await script.decide(CONTEXTUALIZE, ASKED)
    with pytest.raises(ScriptExhausted, match="no reply number 2 for 'contextualize'"):
        await script.decide(CONTEXTUALIZE, ASKED)
    with pytest.raises(ScriptExhausted, match=r"has \['contextualize'\]"):
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


def long_inputs() -> AnswerInputs:
    sentences = [
        f"The station Aa{number} opened in 18{number % 90 + 10} beside the river Bb{number}." for number in range(200)
    ]
    evidence = [EvidenceText(id="c0", modality="text", title="Stations", sentences=sentences, score=1.0)]
    return AnswerInputs(question="When was the station Aa7 opened beside the river Bb7?", evidence=evidence)


async def test_the_loop_turns_while_a_rule_computes() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    await asyncio.sleep(0)
    begun = turns
    decided = await OfflineDecider().decide(ANSWER, long_inputs())
    beside.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await beside
    assert decided.output.citations
    assert turns - begun > 10  # on the loop itself the rule would leave them one turn


async def test_a_cancelled_decision_is_left_at_once() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def waiting(_: AnswerInputs) -> Reading:
        begun.set()
        may_end.wait(60)
        return Reading(text="late", citations=[], supported=False, confidence=0.0)

    deciding = asyncio.create_task(OfflineDecider({"answer": waiting}).decide(ANSWER, long_inputs()))
    await asyncio.to_thread(begun.wait, 60)
    deciding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await deciding
    may_end.set()
