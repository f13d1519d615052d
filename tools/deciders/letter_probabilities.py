"""Attach token probabilities from the server to the output of a one-letter decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from backtrail.state.decision import Decision
from backtrail.tools.deciders.call_meter import CallMeter
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.requests.letter_scores import TokenAlternatives, letter_scores

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)
FAINT = 0.5
"""Total probability of the letters below which a note says that the model preferred other tokens (ours)."""


def with_probabilities(
    decision: Decision[I, O], inputs: I, output: O, places: Sequence[TokenAlternatives], meter: CallMeter
) -> O:
    """Add probabilities to the output if it has a field for them and the server gave any."""
    field = letter_field(decision.output)
    scores = letter_scores(places, field) if field is not None and field.probabilities else None
    if field is None or scores is None:
        return output
    scored = output.model_copy(update=field.values(getattr(output, field.name), scores.probabilities))
    if decision.check(inputs, scored):
        return output
    shares = ", ".join(f"{letter} {share:.3f}" for letter, share in scores.probabilities.items())
    meter.note(f"probabilities of the letters: {shares}")
    if scores.total_probability < FAINT:
        meter.note(f"the letters together have {scores.total_probability:.3f} of the next token's probability")
    return scored
