"""Rules compute beside the event loop: whoever else is served goes on, and whoever leaves need not wait."""

from __future__ import annotations

import asyncio
import contextlib
import threading

import pytest

from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText, Reading
from backtrail.tools.deciders.offline import OfflineDecider


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
