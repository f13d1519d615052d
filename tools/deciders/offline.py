"""The offline decider: rules instead of a model. It costs nothing, needs no key and repeats exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from backtrail.rules.table import RULES
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import Decided, DecisionFailed, PictureAttachment

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class OfflineDecider:
    """Takes every decision by its rule. Zero calls and tokens; the time is booked on no stage."""

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
        """Apply the rule; its output passes the same check as a model's.

        Raises:
            DecisionFailed: there is no rule, or the rule's output does not fit (a fault of the rule).
        """
        rule = self._rules.get(decision.name)
        if rule is None:
            raise DecisionFailed(decision.name, self.name, "there is no offline rule for it", charge())
        output = rule(inputs)
        problems = decision.check(inputs, output)  # type: ignore[arg-type]
        if not isinstance(output, decision.output) or problems:
            raise DecisionFailed(decision.name, self.name, "; ".join(problems) or "wrong type of output", charge())
        return Decided(output=output, charge=charge(), decider=self.name)
