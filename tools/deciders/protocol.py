"""Protocol of deciders: one call with typed input and output, and its charge."""

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
"""Note of a decision whose output comes from a reply that was cut off."""

AT_ONCE = 8
"""Concurrent decisions of bulk work in one process (ours)."""


@dataclass(frozen=True)
class PictureAttachment:
    """A picture of a decision; its bytes never enter the state.

    Args:
        longest_side: pixels to which it is scaled down before it is sent.
    """

    content: bytes
    mime: str
    label: str
    longest_side: int = 1024


@dataclass(frozen=True)
class Decided(Generic[O]):
    """A valid output, with its charge and its decider.

    ``notes`` name deviations: pictures left out, tokens estimated, no price known.
    """

    output: O
    charge: Charge
    decider: str
    notes: tuple[str, ...] = ()


class DecisionFailed(BacktrailError):
    """No way of asking gave a valid output. Carries the charge, so that failed calls are counted too."""

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
    """The next call of a decision does not fit the rest of the run's budget. Carries the charge before it.

    Args:
        ceiling: the field of ``Budget`` that is exhausted: calls, input_tokens, output_tokens, usd or seconds.
        problem: what did not fit, with figures.
    """

    def __init__(self, decider: str, ceiling: str, problem: str, charge: Charge) -> None:
        super().__init__(
            f"{decider} was stopped by the budget: {problem.rstrip('.')}. Raise budget.{ceiling} to continue."
        )
        self.decider = decider
        self.ceiling = ceiling
        self.charge = charge


class Decider(Protocol):
    """Takes decisions. Never returns an output that fails its decision's check."""

    name: str

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision within the allowance. Deciders without paid calls may ignore the allowance.

        Raises:
            DecisionFailed: no valid output after repair and asking again.
            BudgetExhausted: the next call does not fit the allowance.
            ModelError: the model could not be reached, rejected the request or refused.
        """
        ...


def at_once(decider: Decider) -> int:
    """Return the number of concurrent decisions of bulk work: the decider's own, or the default."""
    return getattr(decider, "at_once", AT_ONCE)
