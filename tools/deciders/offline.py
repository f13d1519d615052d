"""Offline decider: rules instead of a model. Free, without a key, deterministic."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from backtrail.language.current_language import reading_in
from backtrail.language.identify import language_of
from backtrail.rules.table import RULES
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import Decided, DecisionFailed, PictureAttachment

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class OfflineDecider:
    """Takes every decision by its rule. Charges no calls, tokens or seconds."""

    name = "offline"

    def __init__(self, rules: Mapping[str, Callable[[Any], BaseModel]] = RULES) -> None:
        self._rules = rules

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Apply the rule in a thread, not to block the event loop; check its output like a model's.

        A cancelled rule runs to its end and its output is dropped; rules take linear time.

        Raises:
            DecisionFailed: there is no rule, or the rule's output is invalid (a fault of the rule).
        """
        rule = self._rules.get(decision.name)
        if rule is None:
            raise DecisionFailed(decision.name, self.name, "there is no offline rule for it", charge())
        output, problems = await asyncio.to_thread(self._checked, rule, decision, inputs)
        if not isinstance(output, decision.output) or problems:
            raise DecisionFailed(decision.name, self.name, "; ".join(problems) or "wrong type of output", charge())
        return Decided(output=output, charge=charge(), decider=self.name)

    def _checked(
        self, rule: Callable[[Any], BaseModel], decision: Decision[I, O], inputs: I
    ) -> tuple[BaseModel, Sequence[str]]:
        """Return the rule's output, computed in the question's language, and its problems."""
        with reading_in(_language(inputs)):
            output = rule(inputs)
        return output, decision.check(inputs, output)  # type: ignore[arg-type]


_ASKING = ("question", "subtask", "instruction", "text_part", "text")
"""Fields of inputs that are in the language of the question."""


def _language(inputs: BaseModel) -> str:
    texts = (getattr(inputs, name, "") for name in _ASKING)
    return language_of(next((text for text in texts if text), ""))
