"""Who takes a decision: one call, typed in and out, with what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.usage import Charge
from backtrail.tools.errors import BacktrailError

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


CUT_OFF = "the reply was cut off; what had arrived of it was used"
"""Note of a decision whose output is the first part of what the model had to say."""

AT_ONCE = 8
"""Decisions of bulk work that one process has under way (ours)."""


@dataclass(frozen=True)
class PictureAttachment:
    """A picture that goes with a decision: its bytes never enter the state.

    Args:
        longest_side: pixels to which it is made smaller before it is sent.
    """

    content: bytes
    mime: str
    label: str
    longest_side: int = 1024


@dataclass(frozen=True)
class Decided(Generic[O]):
    """An output that passed its schema and its check, with the charge and who took it.

    ``notes`` say what was not as asked for: pictures left out, tokens estimated, no price known.
    """

    output: O
    charge: Charge
    decider: str
    notes: tuple[str, ...] = ()


class DecisionFailed(BacktrailError):
    """No valid output after the whole ladder. Carries the charge, so that failed calls are paid for too."""

    def __init__(self, decision: str, decider: str, problem: str, charge: Charge) -> None:
        super().__init__(
            f"{decider} gave no valid output for the decision {decision!r}: {problem.rstrip('.')}. "
            f"Try another model for this role, or 'offline'."
        )
        self.decision = decision
        self.decider = decider
        self.problem = problem
        self.charge = charge


class BudgetExhausted(BacktrailError):
    """The next call of a decision does not fit what is left of the run's budget. Carries what was spent before it.

    Args:
        ceiling: the field of ``Budget`` that stands in the way: calls, input_tokens, output_tokens, usd or seconds.
        problem: what did not fit, with figures.
    """

    def __init__(self, decider: str, ceiling: str, problem: str, charge: Charge) -> None:
        super().__init__(
            f"{decider} was stopped by the budget: {problem.rstrip('.')}. Raise budget.{ceiling} to let it go on."
        )
        self.decider = decider
        self.ceiling = ceiling
        self.charge = charge


class Decider(Protocol):
    """Takes decisions. Never returns an output that its decision's check refuses."""

    name: str

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision, spending no more than the allowance. Who makes no paid calls may ignore it.

        Raises:
            DecisionFailed: nothing valid came after repair and asking again.
            BudgetExhausted: the next call it needs does not fit the allowance.
            ModelError: the model could not be reached, rejected the request or refused.
        """
        ...


def at_once(decider: Decider) -> int:
    """How many decisions of bulk work are under way side by side: what it says itself, where other machines ask."""
    return getattr(decider, "at_once", AT_ONCE)
