"""Decider over a model that only captions pictures (BLIP-2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.ingest_decisions import DESCRIBE_PICTURE
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import Decided, DecisionFailed, PictureAttachment
from backtrail.tools.deciders.requests.reply import estimated_input, reply_from_message
from backtrail.tools.local.captioning import caption
from backtrail.tools.local.chat import LocalChatModel
from backtrail.tools.local.one_call import one_call

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)

_LONGEST_DESCRIPTION = 1200  # the limit of the decision's schema
_NOTE = "the description is a plain caption: the model did not get the surrounding texts, and lists no objects"


class CaptionDecider:
    """Takes ``describe_picture`` by a plain caption: the model follows no instructions."""

    def __init__(self, name: str, model: LocalChatModel, timeout: float) -> None:
        self.name = name
        self._model = model
        self._timeout = timeout

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Describe a picture.

        Raises:
            DecisionFailed: another decision, no picture, or an empty caption.
            BudgetExhausted, ModelUnavailable: the budget or the time-out was exceeded.
            RequestUnsuitable: the picture cannot be decoded.
        """
        if decision.name != DESCRIBE_PICTURE.name or not pictures:
            problem = "its checkpoint has no chat template, so it follows no instructions and only captions pictures"
            raise DecisionFailed(decision.name, self.name, problem, charge())
        expected = estimated_input([])
        async with one_call(self.name, expected=expected, timeout=self._timeout, allowance=allowance) as meter:
            reply = reply_from_message(await caption(self._model, pictures[0].content))
        meter.received(reply, expected)
        text = " ".join(reply.text.split())[:_LONGEST_DESCRIPTION]
        if not text:
            raise DecisionFailed(decision.name, self.name, "the caption was empty", meter.charge())
        output = decision.output.model_validate({"description": text, "objects": []})
        return Decided(output, meter.charge(), self.name, (_NOTE,))
